import { effect, signal } from '@preact/signals';

const KEY = 'console.theme';

type Theme = 'light' | 'dark';

function chosen(): Theme {
  const kept = localStorage.getItem(KEY);
  if (kept === 'light' || kept === 'dark') return kept;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The theme of the system, until the person chooses one. */
export const theme = signal<Theme>(chosen());

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme.value);
}
