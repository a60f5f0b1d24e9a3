import type { ObjectReader } from '../client/object-reader.js';
import type { Entry } from '../read/reader.js';
import { isInOneText, type JoinedTexts, positionsOf, textsOf } from './texts.js';

/** The part of an ObjectReader that a search needs. */
export type Searched = Pick<ObjectReader, 'version' | 'entries'>;

/**
 * All entries of a kind in index order. Their texts are also joined to one string, because one long search is faster
 * than many short ones.
 */
interface OrderedEntries {
  readonly entries: readonly Entry[];
  /**
   * Returns `undefined` at the first search, because joining the texts for a single search is slower than searching
   * each of them.
   */
  texts(): JoinedTexts | undefined;
}

/** The key is the version of the content, so that the lists are collected together with the content. */
const known = new WeakMap<object, Map<string, OrderedEntries>>();

/**
 * All entries in index order. They are remembered until the resource changes, because iterating 100,000 of them takes
 * longer than a search.
 */
export function inOrder(objects: Searched, index: string): OrderedEntries {
  const lists = known.get(objects.version) ?? new Map<string, OrderedEntries>();
  const list = lists.get(index) ?? orderedOf([...objects.entries({ index, prefix: [] })]);
  lists.set(index, list);
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
  let texts: JoinedTexts | undefined;
  let searches = 0;
  return {
    entries,
    texts: () => {
      if (++searches > 1) texts ??= textsOf(entries);
      return texts;
    },
  };
}

/** The entries whose text contains the query, in their order. A query with a line break finds nothing. */
export function search({ entries, texts }: OrderedEntries, query: string): readonly Entry[] {
  if (query === '') return entries;
  if (!isInOneText(query)) return [];
  const made = texts();
  return made === undefined
    ? entries.filter((entry) => hasWords(entry, [query]))
    : [...positionsOf(made, query)].flatMap((position) => entries[position] ?? []);
}

/** Whether all words are in the text of an entry. */
export function hasWords({ attributes: { text = '' } }: Entry, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}
