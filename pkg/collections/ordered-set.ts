import sorted from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';

// See ordered-map.ts.
const { default: BTree } = sorted;

type Compare<T> = (a: T, b: T) => number;

/** A set in the order of a comparison. `clone` takes O(1), and it must not change while it is iterated, as with `OrderedMap`. */
export type OrderedSet<T> = InstanceType<typeof BTree<T, undefined>>;

export function orderedSet<T>(compare: Compare<T>): OrderedSet<T> {
  return new BTree<T, undefined>(undefined, compare);
}

/** Nodes are left a little room, so that later changes do not split all of them. */
const FILLED = 0.9;
const NODE = 32;

/** A set of items that are in order and differ. Much faster than to add them one by one. */
export function orderedSetOf<T>(items: readonly T[], compare: Compare<T>): OrderedSet<T> {
  return bulkLoad<T, undefined>(items as T[], new Array(items.length), NODE, compare, FILLED);
}
