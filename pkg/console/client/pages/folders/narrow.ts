import { signal } from '@preact/signals';

const narrow = matchMedia('(max-width: 800px)');

/** Whether there is room for either the tree or the folder, but not for both. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches;
});
