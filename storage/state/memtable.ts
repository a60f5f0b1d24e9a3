import { type OrderedMap, orderedMap, orderedMapOf } from '../../pkg/system/collections/ordered-map.js';
import type { Key } from '../key.js';
import { type Entry, isSame, type Row } from './entry.js';
import { boundOf, type Index, indexesOf, newIndex } from './index-rows.js';
import type { Cursor } from './merged.js';
import { isBefore, type RowPosition } from './position.js';
import type { Walker } from './walk.js';

const NO_INDEX = newIndex();

/** Objects of one resource in memory, with their rows. `clone` is O(1). */
export class Memtable {
  readonly #objects: OrderedMap<Entry>;
  readonly #indexes: Map<string, Index>;
  #bytes: number;

  constructor(objects = orderedMap<Entry>(), indexes = new Map<string, Index>(), bytes = 0) {
    this.#objects = objects;
    this.#indexes = indexes;
    this.#bytes = bytes;
  }

  /** The objects. Much faster than to put them one by one. They are in key order, and no two have the same key. */
  static async of(entries: Entry[]): Promise<Memtable> {
    const objects = orderedMapOf(
      entries.map(({ key }) => key),
      entries,
    );
    const bytes = entries.reduce((sum, { footprint }) => sum + footprint, 0);
    return new Memtable(objects, await indexesOf(entries), bytes);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** About how much memory the objects take. */
  get bytes(): number {
    return this.#bytes;
  }

  clone(): Memtable {
    const indexes = new Map<string, Index>();
    for (const [name, rows] of this.#indexes) indexes.set(name, rows.clone());
    return new Memtable(this.#objects.clone(), indexes, this.#bytes);
  }

  get(key: Key): Entry | undefined {
    return this.#objects.get(key);
  }

  hasRows(index: string): boolean {
    return (this.#indexes.get(index)?.size ?? 0) > 0;
  }

  /** The objects from `low` up to but without `high`. */
  objects(low: string, high: string): Cursor {
    return new ObjectCursor(this.#objects, low, high);
  }

  /** The objects by their rows from one place up to but without another. */
  rows(index: string, from: RowPosition, to: RowPosition): Cursor {
    return new RowCursor(this.#indexes.get(index) ?? NO_INDEX, from, to);
  }

  /** The same in either direction, one by one. */
  walk(index: string, from: RowPosition, to: RowPosition, isReverse: boolean): Walker {
    return new RowWalker(this.#indexes.get(index) ?? NO_INDEX, from, to, isReverse);
  }

  /** The first tuple of an index that is not before a text. */
  firstTuple(index: string, text: string): string | undefined {
    return this.#indexes.get(index)?.getPairOrNextHigher(boundOf(text, ''))?.[0].tuple;
  }

  /** How many rows have a tuple from one text up to but without another. */
  countRows(index: string, from: string, to: string): number {
    return this.#indexes.get(index)?.forRange(boundOf(from, ''), boundOf(to, ''), false) ?? 0;
  }

  /** Returns the entry that it replaces. */
  put(entry: Entry): Entry | undefined {
    const old = this.#objects.get(entry.key);
    if (old !== undefined && !entry.shareRows(old)) this.#unindex(old, entry);
    this.#objects.set(entry.key, entry);
    this.#bytes += entry.footprint - (old?.footprint ?? 0);
    for (let row = entry.firstRow; row !== undefined; row = row.next) this.#index(row.index).set(row, entry);
    return old;
  }

  /** Returns the entry that it removes. */
  delete(key: Key): Entry | undefined {
    const old = this.#objects.get(key);
    if (old === undefined) return undefined;
    this.#unindex(old);
    this.#objects.delete(key);
    this.#bytes -= old.footprint;
    return old;
  }

  /**
   * If the next entry has the same row, the row stays and gets the entry. Removing and adding it takes several times as
   * long.
   */
  #unindex({ firstRow }: Entry, next?: Entry): void {
    let other = next?.firstRow;
    for (let row = firstRow; row !== undefined; row = row.next, other = other?.next)
      if (other === undefined || !isSame(row, other)) this.#indexes.get(row.index)?.delete(row);
  }

  #index(name: string): Index {
    let rows = this.#indexes.get(name);
    if (rows === undefined) {
      rows = newIndex();
      this.#indexes.set(name, rows);
    }
    return rows;
  }
}

class ObjectCursor implements Cursor {
  readonly #objects: OrderedMap<Entry>;
  readonly #high: string;
  next: RowPosition | undefined;

  constructor(objects: OrderedMap<Entry>, low: string, high: string) {
    this.#objects = objects;
    this.#high = high;
    this.next = this.#from(low);
  }

  take(entries: Entry[], limit: number, before: RowPosition | undefined): void {
    const end = before === undefined || this.#high < before.key ? this.#high : before.key;
    let left = limit;
    // The tree stops at a `break`.
    this.#objects.forRange(this.next?.key ?? end, end, false, (_key, entry) => {
      entries.push(entry);
      return --left > 0 ? undefined : { break: left };
    });
    this.next = left > 0 ? this.#from(end) : this.#from(`${entries.at(-1)?.key}\0`);
  }

  #from(low: string): RowPosition | undefined {
    const key = this.#objects.getPairOrNextHigher(low)?.[0];
    return key === undefined || key >= this.#high ? undefined : { tuple: '', key };
  }
}

class RowCursor implements Cursor {
  readonly #rows: Index;
  readonly #to: RowPosition;
  next: RowPosition | undefined;

  constructor(rows: Index, from: RowPosition, to: RowPosition) {
    this.#rows = rows;
    this.#to = to;
    this.next = this.#from(boundOf(from.tuple, from.key));
  }

  take(entries: Entry[], limit: number, before: RowPosition | undefined): void {
    const end = before === undefined || isBefore(this.#to, before) ? this.#to : before;
    let left = limit;
    let last: Row | undefined;
    const { tuple, key } = this.next ?? end;
    this.#rows.forRange(boundOf(tuple, key), boundOf(end.tuple, end.key), false, (row, entry) => {
      entries.push(entry);
      last = row;
      return --left > 0 ? undefined : { break: left };
    });
    this.next = left > 0 || last === undefined ? this.#from(boundOf(end.tuple, end.key)) : this.#from(behind(last));
  }

  #from(bound: Row): RowPosition | undefined {
    const row = this.#rows.getPairOrNextHigher(bound)?.[0];
    return row === undefined || !isBefore(row, this.#to) ? undefined : row;
  }
}

class RowWalker implements Walker {
  readonly #rows: Index;
  readonly #isReverse: boolean;
  /** The exclusive end if it goes forwards, and the inclusive one if it goes backwards. */
  readonly #end: RowPosition;
  #pair: [Row, Entry] | undefined;

  constructor(rows: Index, from: RowPosition, to: RowPosition, isReverse: boolean) {
    this.#rows = rows;
    this.#isReverse = isReverse;
    this.#end = isReverse ? from : to;
    this.#set(
      isReverse
        ? rows.nextLowerPair(boundOf(to.tuple, to.key))
        : rows.getPairOrNextHigher(boundOf(from.tuple, from.key)),
    );
  }

  get position(): RowPosition | undefined {
    return this.#pair?.[0];
  }

  get entry(): Entry {
    return (this.#pair as [Row, Entry])[1];
  }

  step(): void {
    const [row] = this.#pair as [Row, Entry];
    this.#set(this.#isReverse ? this.#rows.nextLowerPair(row) : this.#rows.nextHigherPair(row));
  }

  #set(pair: [Row, Entry] | undefined): void {
    const isWithin = pair !== undefined && isBefore(pair[0], this.#end) !== this.#isReverse;
    this.#pair = isWithin ? pair : undefined;
  }
}

function behind({ tuple, key }: Row): Row {
  return boundOf(tuple, `${key}\0`);
}
