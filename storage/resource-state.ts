import { entriesFrom, type OrderedMap, orderedMap, orderedMapOf } from '../pkg/collections/ordered-map.js';
import type { IndexRow } from './backend.js';
import { type Entry, isSame } from './entry.js';
import { boundOf, endOf, entriesOf, type Index, indexesOf, newIndex, startOf } from './index-rows.js';
import { type Key, partsOf } from './key.js';

/** Reads the objects of one resource at one state. */
export interface ResourceReader {
  /** The same object as long as the content is the same, so that results can be remembered under it. */
  readonly version: object;
  /** How many objects there are. */
  readonly size: number;
  get(key: Key): Entry | undefined;
  /** In key order, from `low` up to but without `high`. */
  entries(low: string, high: string): Iterable<Entry>;
  /** How many objects a namespace has. */
  count(namespace: string): number;
  /** Whether any object has a row in the index. */
  hasRows(index: string): boolean;
  /** The entries whose tuple in the index begins with `prefix` (encoded), in tuple order, then key order. */
  range(index: string, prefix: string): Iterable<Entry>;
}

const NO_INDEX = newIndex();

/** The objects of one resource at one revision. A published one never changes: `clone` is O(1), and writes go to a clone. */
export class ResourceState implements ResourceReader {
  readonly #objects: OrderedMap<Entry>;
  readonly #indexes: Map<string, Index>;
  #bytes = 0;
  /** Objects by namespace: lists tell how many remain without counting them. */
  readonly #counts: OrderedMap<number>;
  #version: object;

  constructor(
    objects = orderedMap<Entry>(),
    indexes = new Map<string, Index>(),
    counts = orderedMap<number>(),
    version: object = {},
  ) {
    this.#objects = objects;
    this.#indexes = indexes;
    this.#counts = counts;
    this.#version = version;
  }

  /** The state with these objects. Much faster than to put them one by one. No two have the same key. */
  static async of(entries: Entry[]): Promise<ResourceState> {
    if (!isSorted(entries)) entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    const objects = orderedMapOf(
      entries.map(({ key }) => key),
      entries,
    );
    const counts = orderedMap<number>();
    for (const [namespace, count] of countsOf(entries)) counts.set(namespace, count);
    const state = new ResourceState(objects, await indexesOf(entries), counts);
    for (const { footprint } of entries) state.#bytes += footprint;
    return state;
  }

  get version(): object {
    return this.#version;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** About how much memory the objects take. */
  get bytes(): number {
    return this.#bytes;
  }

  clone(): ResourceState {
    const indexes = new Map<string, Index>();
    for (const [name, rows] of this.#indexes) indexes.set(name, rows.clone());
    const clone = new ResourceState(this.#objects.clone(), indexes, this.#counts.clone(), this.#version);
    clone.#bytes = this.#bytes;
    return clone;
  }

  get(key: Key): Entry | undefined {
    return this.#objects.get(key);
  }

  *entries(low: string, high: string): Generator<Entry, void, undefined> {
    for (const [, entry] of entriesFrom(this.#objects, low, high)) yield entry;
  }

  /** The first entries of `entries(low, high)`, or those of them that have a row, at most `limit`. Faster than iteration, because pages of lists are read with it. */
  first(low: string, high: string, limit: number, row?: IndexRow): readonly Entry[] {
    const found: Entry[] = [];
    // The tree stops at a `break`.
    const add = (entry: Entry) => (found.push(entry) < limit ? undefined : { break: limit });
    if (row === undefined) this.#objects.forRange(low, high, false, (_key, entry) => add(entry));
    else {
      const rows = this.#indexes.get(row.index) ?? NO_INDEX;
      rows.forRange(boundOf(row.tuple, low), boundOf(row.tuple, high), false, (_row, entry) => add(entry));
    }
    return found;
  }

  count(namespace: string): number {
    return this.#counts.get(namespace) ?? 0;
  }

  hasRows(index: string): boolean {
    return (this.#indexes.get(index)?.size ?? 0) > 0;
  }

  *range(index: string, prefix: string): Generator<Entry, void, undefined> {
    yield* entriesOf(this.#indexes.get(index) ?? NO_INDEX, prefix);
  }

  /** All of `range(index, prefix)`. Faster than iteration, for those that read everything. */
  list(index: string, prefix: string): readonly Entry[] {
    const found: Entry[] = [];
    const rows = this.#indexes.get(index) ?? NO_INDEX;
    rows.forRange(startOf(prefix), endOf(prefix), false, (_row, entry) => {
      found.push(entry);
    });
    return found;
  }

  /** Returns the entry that it replaces. */
  put(entry: Entry): Entry | undefined {
    this.#version = {};
    const old = this.#objects.get(entry.key);
    if (old === undefined) this.#count(entry.key, 1);
    else if (!entry.shareRows(old)) this.#unindex(old, entry);
    this.#objects.set(entry.key, entry);
    this.#bytes += entry.footprint - (old?.footprint ?? 0);
    for (let row = entry.firstRow; row !== undefined; row = row.next) this.#rows(row.index).set(row, entry);
    return old;
  }

  /** Returns the entry that it removes. */
  delete(key: Key): Entry | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#version = {};
    this.#unindex(old);
    this.#objects.delete(key);
    this.#bytes -= old.footprint;
    this.#count(key, -1);
    return old;
  }

  #count(key: Key, by: number): void {
    const { namespace } = partsOf(key);
    this.#counts.set(namespace, (this.#counts.get(namespace) ?? 0) + by);
  }

  /** A row that the next entry has at the same place stays: to remove it and to add it again takes several times as long as to give it the entry. */
  #unindex({ firstRow }: Entry, next?: Entry): void {
    let other = next?.firstRow;
    for (let row = firstRow; row !== undefined; row = row.next, other = other?.next)
      if (other === undefined || !isSame(row, other)) this.#indexes.get(row.index)?.delete(row);
  }

  #rows(index: string): Index {
    let rows = this.#indexes.get(index);
    if (rows === undefined) {
      rows = newIndex();
      this.#indexes.set(index, rows);
    }
    return rows;
  }
}

/** A resource without objects. */
export const EMPTY = new ResourceState();

/** The store sorts by bytes. That is another order for keys with characters beyond the Basic Multilingual Plane. */
function isSorted(entries: readonly Entry[]): boolean {
  for (let i = 1; i < entries.length; i++) if ((entries[i - 1] as Entry).key >= (entries[i] as Entry).key) return false;
  return true;
}

/** The number of entries by namespace. They are in key order. */
function countsOf(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let [namespace, prefix, count] = ['', '', 0];
  for (const { key } of entries) {
    if (count === 0 || !key.startsWith(prefix)) {
      ({ namespace } = partsOf(key));
      prefix = key.slice(0, key.lastIndexOf('/') + 1);
      count = counts.get(namespace) ?? 0;
    }
    counts.set(namespace, ++count);
  }
  return counts;
}

/** Stands for the objects of an uncached resource, which no state has. Every read throws, because nothing would be found. */
class UncachedState extends ResourceState {
  override get version(): object {
    throw notInMemory();
  }

  override get size(): number {
    throw notInMemory();
  }

  override get bytes(): number {
    return 0;
  }

  override clone(): ResourceState {
    throw notInMemory();
  }

  override get(): Entry | undefined {
    throw notInMemory();
  }

  override entries(): Generator<Entry, void, undefined> {
    throw notInMemory();
  }

  override first(): readonly Entry[] {
    throw notInMemory();
  }

  override count(): number {
    throw notInMemory();
  }

  override hasRows(): boolean {
    throw notInMemory();
  }

  override range(): Generator<Entry, void, undefined> {
    throw notInMemory();
  }

  override list(): readonly Entry[] {
    throw notInMemory();
  }
}

function notInMemory(): Error {
  return new Error('the objects of an uncached resource are not in memory');
}

export const UNCACHED = new UncachedState();
