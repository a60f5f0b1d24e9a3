import { type OrderedMap, orderedMap } from '../../pkg/system/collections/ordered-map.js';
import type { IndexRow } from '../backend.js';
import { type Key, partsOf } from '../key.js';
import type { Table } from '../tables/format/table.js';
import type { TableView } from '../tables/format/table-view.js';
import type { Entry } from './entry.js';
import { Memtable } from './memtable.js';
import { allOf, type Cursor, firstOf } from './merged.js';
import { type RowPosition, rowPositionOf } from './position.js';
import { residencyPeriod } from './residency.js';
import { haveSameLayout } from './resource.js';
import { firstElements, prefixEnd } from './tuple.js';
import { type EntryRow, type RowRange, rowsOf } from './walk.js';

/** Reads the objects of one resource at one state. */
export interface ResourceReader {
  /** The same object as long as the content is the same, so that results can be remembered under it. */
  readonly version: object;
  /**
   * The same object as long as nothing changes that permissions depend on (`haveSameLayout`): an object gets a new
   * title much more often than a new place.
   */
  readonly layout: object;
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
  /** The rows of a range. To read some of them costs nothing for the others. */
  rows(range: RowRange): Iterable<EntryRow>;
  /**
   * The different first `length` elements of the tuples of an index that begin with `prefix` (encoded), in order, each
   * with its number of rows. An object has a row for each different tuple.
   */
  counts(index: string, prefix: string, length?: number): Iterable<Count>;
}

/** How many rows of an index have a tuple that begins with these elements: at least one. */
interface Count {
  readonly tuple: string;
  readonly count: number;
}

/**
 * The objects of one resource at one revision: those in memory, and those of tables, without the ones that were
 * replaced since. A published one never changes: `clone` is cheap, and writes go to a clone.
 */
export class ResourceState implements ResourceReader {
  readonly #memtable: Memtable;
  readonly #parts: readonly TableView[];
  /** Objects by namespace: lists tell how many remain without counting them. */
  readonly #counts: OrderedMap<number>;
  #version: object;
  #layout: object;

  constructor(
    memtable = new Memtable(),
    parts: readonly TableView[] = [],
    counts = orderedMap<number>(),
    version: object = {},
    layout: object = {},
  ) {
    this.#memtable = memtable;
    this.#parts = parts;
    this.#counts = counts;
    this.#version = version;
    this.#layout = layout;
  }

  /** The state with these objects in memory. Much faster than to put them one by one. No two have the same key. */
  static of(entries: Entry[]): Promise<ResourceState> {
    return ResourceState.filled({ parts: [], rest: entries });
  }

  /** The same, with the objects of tables. */
  static async filled({ parts, rest }: { readonly parts: readonly TableView[]; readonly rest: Entry[] }) {
    if (!isSorted(rest)) rest.sort((a, b) => (a.key < b.key ? -1 : 1));
    const counts = orderedMap<number>();
    for (const counted of [countsOf(rest), ...parts.map((part) => part.counts())])
      for (const [namespace, count] of counted) counts.set(namespace, (counts.get(namespace) ?? 0) + count);
    return new ResourceState(await Memtable.of(rest), parts, counts);
  }

  get version(): object {
    return this.#version;
  }

  get layout(): object {
    return this.#layout;
  }

  get size(): number {
    let { size } = this.#memtable;
    for (const part of this.#parts) size += part.size;
    return size;
  }

  /** About how much memory the objects take. */
  get bytes(): number {
    return this.#memtable.bytes;
  }

  /** How many objects are in memory. */
  get inMemory(): number {
    return this.#memtable.size;
  }

  get parts(): readonly TableView[] {
    return this.#parts;
  }

  /** Resolves when its tables can be searched without waiting for the disk. `undefined` if they can be now. */
  whenResident(period = residencyPeriod()): Promise<void> | undefined {
    const waiting = this.#parts.flatMap(({ table }) => table.residence.whenResident(period) ?? []);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  /** The part with a table. */
  partOf(table: Table): TableView | undefined {
    return this.#parts.find((part) => part.table === table);
  }

  /** The objects in memory, in key order. */
  memory(): Iterable<Entry> {
    return allOf([this.#memtable.objects('', END)]);
  }

  /** The same content, kept in another way. Without `memtable`, what is in memory stays there. */
  keptAs(memtable: Memtable | undefined, parts: readonly TableView[]): ResourceState {
    return this.#with(memtable ?? this.#memtable.clone(), parts);
  }

  clone(): ResourceState {
    const parts = this.#parts.map((part) => part.clone());
    return this.#with(this.#memtable.clone(), parts);
  }

  get(key: Key): Entry | undefined {
    const entry = this.#memtable.get(key);
    if (entry !== undefined) return entry;
    for (const part of this.#parts) {
      const ordinal = part.find(key);
      if (ordinal >= 0) return part.table.entry(ordinal);
    }
    return undefined;
  }

  entries(low: string, high: string): Iterable<Entry> {
    return allOf(this.#objects(low, high));
  }

  /**
   * The first entries of `entries(low, high)`, or those of them that have a row, at most `limit`. Faster than
   * iteration, because pages of lists are read with it.
   */
  first(low: string, high: string, limit: number, row?: IndexRow): readonly Entry[] {
    if (row === undefined) return firstOf(this.#objects(low, high), limit);
    const { index, tuple } = row;
    return firstOf(this.#rows(index, { tuple, key: low }, { tuple, key: high }), limit);
  }

  count(namespace: string): number {
    return this.#counts.get(namespace) ?? 0;
  }

  hasRows(index: string): boolean {
    return this.#memtable.hasRows(index) || this.#parts.some((part) => part.hasRows(index));
  }

  range(index: string, prefix: string): Iterable<Entry> {
    return allOf(this.#rowsWith(index, prefix));
  }

  rows({ index, from, to, reverse = false }: RowRange): Iterable<EntryRow> {
    const [low, high] = [rowPositionOf(from), rowPositionOf(to)];
    const walkers = this.#parts.flatMap((part) => part.walk(index, low, high, reverse) ?? []);
    if (this.#memtable.hasRows(index)) walkers.push(this.#memtable.walk(index, low, high, reverse));
    return rowsOf(walkers, reverse);
  }

  /** Goes from tuple to tuple, and asks where the rows of each end. */
  *counts(index: string, prefix: string, length = Number.POSITIVE_INFINITY): Generator<Count, void, undefined> {
    const sources = [...this.#parts, this.#memtable].filter((source) => source.hasRows(index));
    const end = prefixEnd(prefix);
    for (let from = prefix; ; ) {
      const [first = end] = sources.flatMap((source) => source.firstTuple(index, from) ?? []).sort();
      if (first >= end) return;
      const tuple = Number.isFinite(length) ? firstElements(first, length) : first;
      const behind = Number.isFinite(length) ? prefixEnd(tuple) : `${tuple}\0`;
      const count = sources.reduce((sum, source) => sum + source.countRows(index, first, behind), 0);
      if (count > 0) yield { tuple, count };
      from = behind;
    }
  }

  /** All of `range(index, prefix)`. Faster than iteration, for those that read everything. */
  list(index: string, prefix: string): readonly Entry[] {
    return firstOf(this.#rowsWith(index, prefix), Number.POSITIVE_INFINITY);
  }

  /** Returns the entry that it replaces. */
  put(entry: Entry): Entry | undefined {
    this.#assertReadable();
    // Attributes are read before anything is changed, because the page that has them may be damaged.
    const replaced = this.get(entry.key)?.attributes;
    const isMoved = replaced === undefined || !haveSameLayout(replaced, entry.attributes);
    this.#version = {};
    if (isMoved) this.#layout = {};
    const old = this.#memtable.put(entry) ?? this.#remove(entry.key);
    if (old === undefined) this.#count(entry.key, 1);
    return old;
  }

  /** Returns the entry that it removes. */
  delete(key: Key): Entry | undefined {
    this.#assertReadable();
    const old = this.#memtable.delete(key) ?? this.#remove(key);
    if (old === undefined) return undefined;
    this.#version = {};
    this.#layout = {};
    this.#count(key, -1);
    return old;
  }

  #with(memtable: Memtable, parts: readonly TableView[]): ResourceState {
    return new ResourceState(memtable, parts, this.#counts.clone(), this.#version, this.#layout);
  }

  /** Throws DamageError before anything is changed. */
  #assertReadable(): void {
    for (const { table } of this.#parts) void table.columns;
  }

  /** Takes an object out of its table. */
  #remove(key: Key): Entry | undefined {
    for (const { table, deleted } of this.#parts) {
      const ordinal = table.find(key);
      if (ordinal < 0 || deleted.has(ordinal)) continue;
      deleted.add(ordinal);
      return table.entry(ordinal);
    }
    return undefined;
  }

  #objects(low: string, high: string): readonly Cursor[] {
    const cursors = this.#parts.map((part) => part.objects(low, high));
    if (this.#memtable.size > 0) cursors.push(this.#memtable.objects(low, high));
    return cursors;
  }

  #rowsWith(index: string, prefix: string): readonly Cursor[] {
    return this.#rows(index, { tuple: prefix, key: '' }, { tuple: prefixEnd(prefix), key: '' });
  }

  #rows(index: string, from: RowPosition, to: RowPosition): readonly Cursor[] {
    const cursors = this.#parts.flatMap((part) => part.rows(index, from, to) ?? []);
    if (this.#memtable.hasRows(index)) cursors.push(this.#memtable.rows(index, from, to));
    return cursors;
  }

  #count(key: Key, by: number): void {
    const { namespace } = partsOf(key);
    this.#counts.set(namespace, (this.#counts.get(namespace) ?? 0) + by);
  }
}

/** Behind all keys. */
const END = '\uffff';

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
