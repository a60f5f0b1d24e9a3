import type { KubeObject } from '../../../lib/object.js';

/** A text that was not saved, and the object that it began with. */
export interface Draft {
  readonly text: string;
  /** Undefined for an object that is not yet stored, and if there was no room for it. */
  readonly base: KubeObject | undefined;
  /** When it was typed, in milliseconds. */
  readonly at: number;
}

const keyOf = (place: string): string => `console.draft.${place}`;

export function draftOf(place: string): Draft | undefined {
  try {
    const kept = sessionStorage.getItem(keyOf(place));
    return kept === null ? undefined : (JSON.parse(kept) as Draft);
  } catch {
    return undefined;
  }
}

/** Keeps a draft until the tab is closed for good. Returns whether there was room for it. */
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
