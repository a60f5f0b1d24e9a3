import type { Entry } from '../reader.js';

/** Ends every text. Texts do not contain this character. They contain line breaks only between their parts. */
const END = '\0';
const BREAKS = /[\n\0]/;

/** The texts of many entries in one string: one long search is faster than many short ones. */
export interface Texts {
  readonly whole: string;
  /** The position of the text of each entry. The last item is the end of `whole`. */
  readonly starts: Uint32Array;
}

export function textsOf(entries: readonly Entry[]): Texts {
  const starts = new Uint32Array(entries.length + 1);
  let end = 0;
  const whole = entries
    .map(({ attributes: { text = '' } }, index) => {
      end += text.length + END.length;
      starts[index + 1] = end;
      return text + END;
    })
    .join('');
  return { whole, starts };
}

/** Whether a word can be in one part of a text. A word with a line break is in none. */
export function isInOneText(word: string): boolean {
  return !BREAKS.test(word);
}

/** The positions of the entries whose text contains the word. `undefined` if there are more than `most`. */
export function positionsOf(
  { whole, starts }: Texts,
  word: string,
  most = Number.POSITIVE_INFINITY,
): readonly number[] | undefined {
  const found: number[] = [];
  if (!isInOneText(word)) return found;
  let next = 0;
  for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, starts[next])) {
    next = indexAfter(starts, at, next);
    if (next >= starts.length) break;
    if (found.length >= most) return undefined;
    found.push(next - 1);
  }
  return found;
}

/** The index of the first text that begins after a position, not below `low`. The search is exponential, because matches are often close. */
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
