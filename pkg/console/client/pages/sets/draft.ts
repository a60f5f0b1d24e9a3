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
/** Milliseconds after the last key before a text is kept, and the characters up to which it is kept at each key. */
const [PAUSE, SMALL] = [300, 20_000];

function kept(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** It stays while the person looks at other pages, and over reloads. */
export const draft = signal<Draft>(kept());
/** Whether the browser has room to keep the draft over reloads. */
export const isKept = signal(true);

export function edit(change: Partial<Draft>): void {
  draft.value = { ...draft.peek(), ...change };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft.peek()));
    isKept.value = true;
  } catch {
    // A text of many megabytes does not fit. What was kept before is no longer what the person sees.
    sessionStorage.removeItem(KEY);
    isKept.value = false;
  }
}

/** A text in an editor, which is read when there is time. */
interface Typing {
  text(): string;
  length(): number;
}

let typing: Typing | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Somebody types in an editor. */
export function typed(editor: Typing): void {
  typing = editor;
  clearTimeout(timer);
  if (editor.length() <= SMALL) settled();
  else timer = setTimeout(settled, PAUSE);
}

/** The draft with all that was typed until now. */
export function settled(): Draft {
  clearTimeout(timer);
  const editor = typing;
  typing = undefined;
  if (editor !== undefined) edit({ text: editor.text() });
  return draft.peek();
}
