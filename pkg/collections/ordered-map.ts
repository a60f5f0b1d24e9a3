import sorted from 'sorted-btree';

// The package is CommonJS with an ES default export, so in Node the class is the `default` of the default import.
const { default: BTree, simpleComparator } = sorted;

/**
 * A map with string keys in code-unit order. `clone` takes O(1): both maps share nodes until one of them writes. A map must not change while
 * it is iterated; iterate over a clone instead.
 */
export type OrderedMap<V> = InstanceType<typeof BTree<string, V>>;

export function orderedMap<V>(): OrderedMap<V> {
  return new BTree<string, V>(undefined, simpleComparator as (a: string, b: string) => number);
}

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
