import { signal } from '@preact/signals';
import { caller } from '../../lib/api.js';

/** The form of the plan. */
export interface Draft {
  readonly set: string;
  readonly text: string;
  readonly prune: boolean;
  readonly force: boolean;
}

/** Somebody else may sign in in the same tab, who must not see it. */
const keyOf = (): string => `console.plan.${caller.peek() ?? ''}`;
const EMPTY: Draft = { set: '', text: '', prune: false, force: false };
/** A text is kept so many milliseconds after the last key, or at each key if it has at most so many characters. */
const [PAUSE, SMALL] = [300, 20_000];

function kept(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(keyOf()) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** The draft stays while the person looks at other pages, and after reloads. */
export const draft = signal<Draft>(kept());
/** Whether the browser had room to keep the draft. */
export const isKept = signal(true);

export function edit(change: Partial<Draft>): void {
  draft.value = { ...draft.peek(), ...change };
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(draft.peek()));
    isKept.value = true;
  } catch {
    // A text of many megabytes does not fit. The old one must not come back after a reload.
    sessionStorage.removeItem(keyOf());
    isKept.value = false;
  }
}

/** An editor whose text was not read yet. */
interface Typing {
  text(): string;
  length(): number;
}

let typing: Typing | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Notes that somebody types in an editor. */
export function typed(editor: Typing): void {
  typing = editor;
  clearTimeout(timer);
  if (editor.length() <= SMALL) settled();
  else timer = setTimeout(settled, PAUSE);
}

/** Reads the editor, and returns the draft. */
export function settled(): Draft {
  clearTimeout(timer);
  const editor = typing;
  typing = undefined;
  if (editor !== undefined) edit({ text: editor.text() });
  return draft.peek();
}
