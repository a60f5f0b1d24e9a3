import sorted from 'sorted-btree';

// The package is CommonJS with an ES default export, so in Node the class is the `default` of the default import.
const { default: BTree, simpleComparator } = sorted;

type Tree<V> = InstanceType<typeof BTree<string, V>>;

/** Compares strings by code unit. */
const byCodeUnit = simpleComparator as (a: string, b: string) => number;

/**
 * A map with string keys in code-unit order, on sorted-btree. `clone` takes O(1): both maps share nodes until one of them writes. A map must
 * not change while it is iterated; iterate over a clone instead. This wrapper fixes the order and adds half-open ranges.
 */
export class OrderedMap<V> {
  readonly #tree: Tree<V>;

  constructor(tree: Tree<V> = new BTree<string, V>(undefined, byCodeUnit)) {
    this.#tree = tree;
  }

  get size(): number {
    return this.#tree.size;
  }

  get(key: string): V | undefined {
    return this.#tree.get(key);
  }

  has(key: string): boolean {
    return this.#tree.has(key);
  }

  /** Returns true if the key is new. */
  set(key: string, value: V): boolean {
    return this.#tree.set(key, value);
  }

  /** Returns true if the key existed. */
  delete(key: string): boolean {
    return this.#tree.delete(key);
  }

  clear(): void {
    this.#tree.clear();
  }

  /** An independent copy in O(1). Neither map sees later changes of the other. */
  clone(): OrderedMap<V> {
    return new OrderedMap<V>(this.#tree.clone());
  }

  /** Entries from `low` up to but without `highExclusive`, or to the end, in ascending order. */
  *entriesFrom(low: string, highExclusive?: string): Generator<readonly [string, V], void, undefined> {
    for (const entry of this.#tree.entries(low)) {
      if (highExclusive !== undefined && entry[0] >= highExclusive) return;
      yield entry;
    }
  }

  /** Entries below `highExclusive`, or from the end, down to and including `low`, in descending order. */
  *reverseFrom(highExclusive?: string, low = ''): Generator<readonly [string, V], void, undefined> {
    if (this.#tree.isEmpty) return;
    for (const entry of this.#tree.entriesReversed(highExclusive, undefined, true)) {
      if (entry[0] < low) return;
      yield entry;
    }
  }

  firstKey(): string | undefined {
    return this.#tree.minKey();
  }

  lastKey(): string | undefined {
    return this.#tree.maxKey();
  }

  [Symbol.iterator](): Generator<readonly [string, V], void, undefined> {
    return this.entriesFrom('');
  }
}
