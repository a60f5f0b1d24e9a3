import type { ResourceState } from '../../storage/state.js';
import type { Entry } from '../access.js';

/** All entries of a resource in the order of an index, with their texts as one, in which an engine finds a word faster than in each. */
export interface Ordered {
  readonly entries: readonly Entry[];
  /** Made at the second search: between two changes one search alone is done sooner without. */
  texts(): Texts | undefined;
}

interface Texts {
  readonly whole: string;
  /** Where the text of each entry begins, and after the last where the whole ends. */
  readonly starts: Uint32Array;
}

/** Stands after every text; those of entries have no such characters but line breaks between their parts. */
const END = '\0';
const BREAKS = /[\n\0]/;

/** By what a resource holds: the lists of a content go when nobody reads that content any more. */
const known = new WeakMap<object, Map<string, Ordered>>();

/** Walking an index of 100,000 costs more than searching as many texts, so it is walked once a change. */
export function inOrder(resource: ResourceState, index: string): Ordered {
  const lists = known.get(resource.version) ?? new Map<string, Ordered>();
  const list = lists.get(index) ?? orderedOf([...resource.range(index, '')]);
  lists.set(index, list);
  known.set(resource.version, lists);
  return list;
}

/** The same list, if it is at hand. */
export function atHand(resource: ResourceState, index: string): readonly Entry[] | undefined {
  return known.get(resource.version)?.get(index)?.entries;
}

export function orderedOf(entries: readonly Entry[]): Ordered {
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

/** Those whose text holds the query, in their order; all for an empty one. No text holds a line break that people could ask for. */
export function search({ entries, texts }: Ordered, query: string): readonly Entry[] {
  if (query === '') return entries;
  if (BREAKS.test(query)) return [];
  const made = texts();
  return made === undefined
    ? entries.filter(({ attributes: { text = '' } }) => text.includes(query))
    : within(made, entries, query);
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

/** The first text that begins after a place, `low` or later: near ones are found in few steps, as in a list where many match. */
function indexAfter(starts: Uint32Array, place: number, low: number): number {
  let from = low;
  let step = 1;
  while (from + step < starts.length && (starts[from + step] ?? 0) <= place) {
    from += step;
    step *= 2;
  }
  let to = Math.min(from + step, starts.length);
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((starts[middle] ?? 0) <= place) from = middle + 1;
    else to = middle;
  }
  return from;
}
