import { CONFUSABLES } from './confusables.js';

/**
 * Characters that are not shown, or change how others are: controls, bidirectional controls, default-ignorable ones
 * such as U+00AD, U+200B and U+FE0F, and those of private use or not assigned.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** In names of people, emoji and several scripts need joiners (U+200C, U+200D) and the variation selector U+FE0F. */
const JOINERS = /\u200c|\u200d|\ufe0f/g;

/** What people are told. */
export const HIDDEN_CHARACTERS = 'must not hold characters that are not shown, such as U+200B or U+202E';

/** Whether an identifier has characters that nobody sees. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** The same for a text for people. */
export function hasHiddenBesideJoiners(text: string): boolean {
  return HIDDEN.test(text.replace(JOINERS, ''));
}

/** A text for people with spaces in place of characters that are not shown. */
export function withoutHidden(text: string): string {
  return [...text].map((letter) => (hasHiddenBesideJoiners(letter) ? ' ' : letter)).join('');
}

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...CONFUSABLES[0]].map((letter, at) => [letter, CONFUSABLES[1][at] ?? letter]),
);

/**
 * A text that is equal for identifiers that look alike (Unicode Technical Standard 39). One of ASCII characters is its
 * own in lower case.
 */
export function skeleton(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  const shown = text.normalize('NFKC').toLowerCase().replace(new RegExp(HIDDEN, 'gu'), '');
  return [...shown].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
}
