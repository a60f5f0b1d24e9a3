/** Characters that turn the order of letters around until they are ended (UAX #9, embeddings and overrides). */
const OVERRIDES = /[\u202a-\u202e]/g;
/** Those that keep the order of a part from what is around it, and their end. */
const ISOLATES = /[\u2066-\u2069]/g;

/**
 * A title without the characters that turn the order of letters around, so that nobody can make one title look like
 * another one.
 */
export function withoutOverrides(title: string): string {
  return title.replace(OVERRIDES, '').replace(ISOLATES, '');
}

/**
 * A text as it is shown. It may have isolates around titles, but those of the titles themselves, which nobody ends,
 * would turn around what comes behind them.
 */
export function shownText(text: string): string {
  const plain = text.replace(OVERRIDES, '');
  const isolates = plain.match(ISOLATES) ?? [];
  const ends = isolates.filter((one) => one === '\u2069').length;
  return 2 * ends === isolates.length ? plain : plain.replace(ISOLATES, '');
}
