import { signal } from '@preact/signals';

/** What a person has typed into the plan. */
export interface Draft {
  readonly set: string;
  readonly text: string;
  readonly prune: boolean;
  readonly force: boolean;
}

const KEY = 'console.plan';
const EMPTY: Draft = { set: '', text: '', prune: false, force: false };

function kept(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** It stays while the person looks at other pages, and over reloads. */
export const draft = signal<Draft>(kept());

export function edit(change: Partial<Draft>): void {
  draft.value = { ...draft.peek(), ...change };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft.peek()));
  } catch {
    // A text of many megabytes does not fit. It stays until the page is left.
  }
}
