import sorted from 'sorted-btree';

// The package is CommonJS with an ES default: under Node's rules its class is the `default` of the default.
const { default: BTree } = sorted;

type Tree<V> = InstanceType<typeof BTree<string, V>>;

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * A map whose keys are strings in code-unit order. `clone` is O(1): both maps share their nodes until one of them writes.
 * While an iterator is open its map must not be changed; iterate over a clone where a writer may come in between.
 */
export class OrderedMap<V> {
  #tree: Tree<V>;

  constructor(entries: Iterable<readonly [string, V]> = []) {
    this.#tree = new BTree<string, V>(undefined, byCodeUnit);
    for (const [key, value] of entries) this.#tree.set(key, value);
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

  /** True if the key is new. */
  set(key: string, value: V): boolean {
    return this.#tree.set(key, value);
  }

  /** True if the key was there. */
  delete(key: string): boolean {
    return this.#tree.delete(key);
  }

  clear(): void {
    this.#tree.clear();
  }

  /** An independent copy in O(1); what either side writes afterwards the other does not see. */
  clone(): OrderedMap<V> {
    const copy = new OrderedMap<V>();
    copy.#tree = this.#tree.clone();
    return copy;
  }

  /** Ascending, `low` included. Without `highExclusive`, to the end. */
  *entriesFrom(low: string, highExclusive?: string): Generator<readonly [string, V], void, undefined> {
    for (const entry of this.#tree.entries(low)) {
      if (highExclusive !== undefined && entry[0] >= highExclusive) return;
      yield entry;
    }
  }

  /** Descending from just below `highExclusive` (without it: from the end) down to `low`, which is included. */
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
