import sorted from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';

// The package is CommonJS with an ES default export, so in Node the class is the `default` of the default import.
const { default: BTree } = sorted;

type Compare<K> = (a: K, b: K) => number;

/** The comparator of the package is for any keys, and compares texts that are equal or greater twice. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

/**
 * A map whose string keys are in code-unit order, and others in the order of a comparison. `clone` takes O(1): both
 * maps share nodes until one of them writes. A map must not change while it is iterated; iterate over a clone instead.
 */
export type OrderedMap<V, K = string> = InstanceType<typeof BTree<K, V>>;

export function orderedMap<V>(): OrderedMap<V> {
  return new BTree<string, V>(undefined, compareTexts);
}

export function orderedMapBy<K, V>(compare: Compare<K>): OrderedMap<V, K> {
  return new BTree<K, V>(undefined, compare);
}

/** A map of keys that are in order and differ. Much faster than to add them one by one. */
export function orderedMapOf<V>(keys: readonly string[], values: readonly V[]): OrderedMap<V> {
  return orderedMapOfBy(keys, values, compareTexts);
}

/** The same, in the order of a comparison. */
export function orderedMapOfBy<K, V>(keys: readonly K[], values: readonly V[], compare: Compare<K>): OrderedMap<V, K> {
  return bulkLoad<K, V>(keys as K[], values as V[], NODE, compare, FILLED);
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
