import type { ObjectReader, Range } from '../objects.js';
import type { Entry } from '../reader.js';

/** The part of an ObjectReader that a search needs. */
export type Searched = Pick<ObjectReader, 'version' | 'entries'>;

/** All entries of a kind in index order. Their texts are also joined to one string, because one long search is faster than many short ones. */
export interface OrderedEntries {
  readonly entries: readonly Entry[];
  /** Returns `undefined` at the first search, because joining the texts for a single search is slower than searching each of them. */
  texts(): Texts | undefined;
}

interface Texts {
  readonly whole: string;
  /** The position of the text of each entry. The last item is the end of `whole`. */
  readonly starts: Uint32Array;
}

/** Ends every text. Texts do not contain this character. They contain line breaks only between their parts. */
const END = '\0';
const BREAKS = /[\n\0]/;

/** The key is the version of the content, so that the lists are collected together with the content. */
const known = new WeakMap<object, Map<string, OrderedEntries>>();

/**
 * All entries of an index, or those whose tuples begin with `prefix`, in index order. They are remembered until the resource changes, because
 * iterating 100,000 of them takes longer than a search.
 */
export function inOrder(objects: Searched, index: string, prefix: Range['prefix'] = []): OrderedEntries {
  const lists = known.get(objects.version) ?? new Map<string, OrderedEntries>();
  const name = prefix.length === 0 ? index : `${index} ${JSON.stringify(prefix)}`;
  const list = lists.get(name) ?? orderedOf([...objects.entries({ index, prefix })]);
  lists.set(name, list);
  known.set(objects.version, lists);
  return list;
}

/** The entries in index order. Reads no further than the caller iterates, unless the list is remembered. */
export function eachInOrder(objects: Searched, index: string): Iterable<Entry> {
  return known.get(objects.version)?.get(index)?.entries ?? objects.entries({ index, prefix: [] });
}

/** The entries in index order whose text contains the query, which is in lower case; all for an empty query. */
export function searchEntries(objects: Searched, index: string, query = ''): readonly Entry[] {
  return search(inOrder(objects, index), query);
}

export function orderedOf(entries: readonly Entry[]): OrderedEntries {
  let texts: Texts | undefined;
  let searches = 0;
  return {
    entries,
    texts: () => {
      if (++searches > 1) texts ??= textsOf(entries);
      return texts;
    },
  };
}

function textsOf(entries: readonly Entry[]): Texts {
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

/** The entries whose text contains the query, in their order. A query with a line break finds nothing. */
export function search({ entries, texts }: OrderedEntries, query: string): readonly Entry[] {
  if (query === '') return entries;
  if (BREAKS.test(query)) return [];
  const made = texts();
  return made === undefined
    ? entries.filter(({ attributes: { text = '' } }) => text.includes(query))
    : within(made, entries, query);
}

/** The entries whose text contains every word, in their order. */
export function searchWords(list: OrderedEntries, words: readonly string[]): readonly Entry[] {
  // The longest word is likely to be the rarest.
  const [longest = '', ...others] = [...words].sort((a, b) => b.length - a.length);
  const found = search(list, longest);
  return others.length === 0 ? found : found.filter((entry) => hasWords(entry, others));
}

export function hasWords({ attributes: { text = '' } }: Entry, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function within({ whole, starts }: Texts, entries: readonly Entry[], query: string): readonly Entry[] {
  const found: Entry[] = [];
  let next = 0;
  for (let at = whole.indexOf(query); at >= 0; at = whole.indexOf(query, starts[next])) {
    next = indexAfter(starts, at, next);
    const entry = entries[next - 1];
    if (entry === undefined) break;
    found.push(entry);
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
