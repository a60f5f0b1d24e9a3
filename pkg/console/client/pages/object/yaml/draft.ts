import { caller } from '../../../lib/api.js';
import type { KubeObject } from '../../../lib/object.js';

/** A text that was not saved, and the object from which it was made. */
export interface Draft {
  readonly text: string;
  /** Undefined for a new object, and if the browser had no room for it. */
  readonly base: KubeObject | undefined;
  /** When it was typed, in milliseconds since the epoch. */
  readonly at: number;
}

/** Somebody else may sign in in the same tab, who must not see it. */
const keyOf = (place: string): string => `console.draft.${caller.peek() ?? ''}.${place}`;

export function draftOf(place: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(keyOf(place));
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  } catch {
    return undefined;
  }
}

/** Keeps a draft in the session storage of the tab. Returns whether there was room for the text. */
export function keepDraft(place: string, text: string, base: KubeObject | undefined): boolean {
  const at = Date.now();
  for (const draft of [
    { text, base, at },
    { text, at },
  ]) {
    try {
      sessionStorage.setItem(keyOf(place), JSON.stringify(draft));
      return true;
    } catch {
      // There may be room for the text alone.
    }
  }
  forgetDraft(place);
  return false;
}

export function forgetDraft(place: string): void {
  sessionStorage.removeItem(keyOf(place));
}
