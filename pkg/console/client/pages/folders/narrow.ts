import { signal } from '@preact/signals';

const narrow = matchMedia('(max-width: 800px)');

/** Whether there is room for one thing only: the tree, or the folder. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches;
});
