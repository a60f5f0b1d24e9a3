import sorted from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';

// The package is CommonJS with an ES default export, so in Node the class is the `default` of the default import.
const { default: BTree } = sorted;

/** The comparator of the package is for any keys, and compares texts that are equal or greater twice. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

/**
 * A map with string keys in code-unit order. `clone` takes O(1): both maps share nodes until one of them writes. A map must not change while
 * it is iterated; iterate over a clone instead.
 */
export type OrderedMap<V> = InstanceType<typeof BTree<string, V>>;

export function orderedMap<V>(): OrderedMap<V> {
  return new BTree<string, V>(undefined, compare);
}

/** A map of keys that are in order and differ. Much faster than to add them one by one. */
export function orderedMapOf<V>(keys: readonly string[], values: readonly V[]): OrderedMap<V> {
  return bulkLoad<string, V>(keys as string[], values as V[], NODE, compare, FILLED);
}

const NODE = 32;
/** Nodes are left a little room, so that later changes do not split all of them. */
const FILLED = 0.9;

/** Entries from `low` up to but without `highExclusive`, or to the end, in ascending order. */
export function* entriesFrom<V>(
  map: OrderedMap<V>,
  low: string,
  highExclusive?: string,
): Generator<readonly [string, V], void, undefined> {
  for (const entry of map.entries(low)) {
    if (highExclusive !== undefined && entry[0] >= highExclusive) return;
    yield entry;
  }
}
