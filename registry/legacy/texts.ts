import type { Entry } from '../read/reader.js';

/** Ends every text. Texts do not contain this character. They contain line breaks only between their parts. */
const END = '\0';
const BREAKS = /[\n\0]/;

/** The texts of many entries in one string: one long search is faster than many short ones. */
export interface JoinedTexts {
  readonly whole: string;
  /** The position of the text of each entry. The last item is the end of `whole`. */
  readonly starts: Uint32Array;
}

export function textsOf(entries: readonly Entry[]): JoinedTexts {
  const builder = new TextsBuilder();
  for (const { attributes } of entries) builder.add(attributes.text);
  return builder.finish();
}

/** Texts that are joined at once, so that no step of the work is long. */
const JOINED = 500;

/** Joins texts that are added one by one. */
export class TextsBuilder {
  readonly #starts = [0];
  readonly #joined: string[] = [];
  #texts: string[] = [];
  #end = 0;

  add(text = ''): void {
    this.#texts.push(text + END);
    this.#end += text.length + END.length;
    this.#starts.push(this.#end);
    if (this.#texts.length === JOINED) this.#join();
  }

  finish(): JoinedTexts {
    this.#join();
    return { whole: this.#joined.join(''), starts: new Uint32Array(this.#starts) };
  }

  #join(): void {
    this.#joined.push(this.#texts.join(''));
    this.#texts = [];
  }
}

/** The text at a position. */
export function textAt({ whole, starts }: JoinedTexts, position: number): string {
  return whole.slice(starts[position], (starts[position + 1] as number) - END.length);
}

/** Whether a word can be in one part of a text. A word with a line break is in none. */
export function isInOneText(word: string): boolean {
  return !BREAKS.test(word);
}

/**
 * The positions of the entries whose text contains the word, in ascending or descending order. Searches no further than
 * the caller iterates.
 */
export function* positionsOf(
  texts: JoinedTexts,
  word: string,
  isDescending = false,
): Generator<number, void, undefined> {
  if (!isInOneText(word)) return;
  if (isDescending) yield* backwards(texts, word);
  else yield* forwards(texts, word);
}

function* forwards({ whole, starts }: JoinedTexts, word: string): Generator<number, void, undefined> {
  let next = 0;
  for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, starts[next])) {
    next = indexAfter(starts, at, next);
    if (next >= starts.length) return;
    yield next - 1;
  }
}

function* backwards({ whole, starts }: JoinedTexts, word: string): Generator<number, void, undefined> {
  for (let at = whole.lastIndexOf(word); at >= 0; ) {
    const position = indexAfter(starts, at, 0) - 1;
    yield position;
    const before = (starts[position] as number) - 1;
    at = before < 0 ? -1 : whole.lastIndexOf(word, before);
  }
}

const SAMPLES = 16;
const SAMPLE_LENGTH = 4096;

/** About how often a word occurs, from samples of the texts. */
export function frequencyOf({ whole }: JoinedTexts, word: string): number {
  let found = 0;
  for (let number = 0; number < SAMPLES; number++) {
    const begin = Math.floor((number * whole.length) / SAMPLES);
    const sample = whole.slice(begin, begin + SAMPLE_LENGTH);
    for (let at = sample.indexOf(word); at >= 0; at = sample.indexOf(word, at + word.length)) found++;
  }
  return found * Math.max(1, whole.length / (SAMPLES * SAMPLE_LENGTH));
}

/**
 * The index of the first text that begins after a position, not below `low`. The search is exponential, because matches
 * are often close.
 */
function indexAfter(starts: Uint32Array, position: number, low: number): number {
  let from = low;
  let step = 1;
  while (from + step < starts.length && (starts[from + step] ?? 0) <= position) {
    from += step;
    step *= 2;
  }
  let to = Math.min(from + step, starts.length);
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((starts[middle] ?? 0) <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}
