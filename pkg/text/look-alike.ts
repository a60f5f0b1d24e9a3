/**
 * Characters that are not shown, or change how others are: controls, bidirectional controls, default-ignorable ones such as U+00AD, U+200B and U+FE0F, and
 * those of private use or not assigned.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;
/** In names of people, emoji and several scripts need joiners (U+200C, U+200D) and the variation selector U+FE0F. */
const JOINERS = /\u200c|\u200d|\ufe0f/g;

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

/**
 * Letters of other scripts and the ASCII letters that they look like, in capitals or not: the single letters of confusables.txt (Unicode Technical
 * Standard 39) whose prototype is an ASCII letter, for Cyrillic, Greek, Armenian, and Latin beside ASCII.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['абвеһіјкӏмнорԛгѕтԁѵԝхуцс', 'abbehijklmhopqrstdvwxyuc'],
    ['αβεηικμνορτυχγωζ', 'abenikmvoptuxywz'],
    ['օոսհցզ', 'onuhgq'],
    ['ıɑɡɩʀ', 'iagir'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, at) => [letter, [...to][at] ?? letter])),
);

/** A text that is equal for identifiers that look alike. One of ASCII characters is its own in lower case. */
export function skeleton(text: string): string {
  const shown = text.normalize('NFKC').toLowerCase().replace(new RegExp(HIDDEN, 'gu'), '');
  return [...shown].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
}
