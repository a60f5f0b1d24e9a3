import { BitSet } from '../../pkg/collections/bit-set.js';
import type { Entry } from '../entry.js';
import { type Key, keyOf, partsOf } from '../key.js';
import type { Cursor } from '../merged.js';
import type { Position } from '../position.js';
import type { Table } from './table.js';
import type { TableIndex } from './table-index.js';

/** A table as a part of a state: its objects, without those that were replaced or removed since. */
export class Part {
  readonly table: Table;
  /** The numbers of the objects that are gone. */
  readonly gone: BitSet;

  constructor(table: Table, gone = new BitSet()) {
    this.table = table;
    this.gone = gone;
  }

  get size(): number {
    return this.table.length - this.gone.size;
  }

  clone(): Part {
    return new Part(this.table, this.gone.clone());
  }

  /** The number of the object, or -1. */
  find(key: Key): number {
    const at = this.table.find(key);
    return at < 0 || this.gone.has(at) ? -1 : at;
  }

  /** The object that was written last. Looks at all. */
  newest(): Entry | undefined {
    const { revisions } = this.table.columns.records.places;
    let newest = -1;
    for (let at = 0; at < revisions.length; at++)
      if (!this.gone.has(at) && (revisions[at] as number) > (revisions[newest] ?? 0)) newest = at;
    return newest < 0 ? undefined : this.table.passing(newest);
  }

  /** How many objects each namespace has. Reads two keys of each namespace. */
  *counts(): Generator<readonly [namespace: string, count: number], void, undefined> {
    const { table, gone } = this;
    for (let from = 0; from < table.length; ) {
      const { namespace } = partsOf(table.key(from));
      const end = table.search(keyOf(table.definition.resource, namespace, '\uffff'), from);
      yield [namespace, end - from - gone.count(from, end)];
      from = end;
    }
  }

  hasRows(index: string): boolean {
    return (this.table.columns.indexes.get(index)?.length ?? 0) > 0;
  }

  objects(low: string, high: string): Cursor {
    const from = this.table.search(low);
    return new ObjectCursor(this, from, this.table.search(high, from));
  }

  rows(index: string, from: Position, to: Position): Cursor | undefined {
    const rows = this.table.columns.indexes.get(index);
    return rows && new RowCursor(this, rows, this.#row(rows, from), this.#row(rows, to));
  }

  /** The first row that is not before a place. */
  #row(rows: TableIndex, { tuple, key }: Position): number {
    return rowAt(this.table, rows, { tuple, key }, 0);
  }
}

/** The first row that is not before a place. It belongs to tuple `from` or a later one. */
function rowAt(table: Table, rows: TableIndex, { tuple, key }: Position, from: number): number {
  const at = rows.search(tuple, from);
  if (at === rows.tuples.length || !rows.tuples.equals(at, tuple, 0) || key === '') return rows.firstRows[at] as number;
  return rows.searchObject(table.search(key), rows.rowsOf(at, at + 1));
}

class ObjectCursor implements Cursor {
  readonly #part: Part;
  readonly #end: number;
  #at: number;
  #next: Position | undefined;

  constructor(part: Part, from: number, end: number) {
    this.#part = part;
    this.#at = part.gone.nextAbsent(from);
    this.#end = end;
  }

  get next(): Position | undefined {
    if (this.#at >= this.#end) return undefined;
    this.#next ??= { tuple: '', key: this.#part.table.key(this.#at) };
    return this.#next;
  }

  take(entries: Entry[], limit: number, before: Position | undefined): void {
    const { table, gone } = this.#part;
    const end = before === undefined ? this.#end : Math.min(this.#end, table.search(before.key, this.#at));
    let at = this.#at;
    for (let left = limit; at < end && left > 0; left--) {
      entries.push(table.passing(at));
      at = gone.nextAbsent(at + 1);
    }
    this.#at = at;
    this.#next = undefined;
  }
}

class RowCursor implements Cursor {
  readonly #part: Part;
  readonly #rows: TableIndex;
  readonly #end: number;
  #row: number;
  /** The tuple of the next row. */
  #tuple: number;
  #next: Position | undefined;

  constructor(part: Part, rows: TableIndex, from: number, end: number) {
    this.#part = part;
    this.#rows = rows;
    this.#row = from;
    this.#end = end;
    this.#tuple = 0;
    this.#skip();
    this.#tuple = this.#row < end ? tupleOf(rows, this.#row) : 0;
  }

  get next(): Position | undefined {
    if (this.#row >= this.#end) return undefined;
    this.#next ??= {
      tuple: this.#rows.tuples.get(this.#tuple),
      key: this.#part.table.key(this.#rows.objects[this.#row] as number),
    };
    return this.#next;
  }

  take(entries: Entry[], limit: number, before: Position | undefined): void {
    const { table } = this.#part;
    const end = before === undefined ? this.#end : Math.min(this.#end, rowAt(table, this.#rows, before, this.#tuple));
    for (let left = limit; this.#row < end && left > 0; left--) {
      entries.push(table.entry(this.#rows.objects[this.#row] as number));
      this.#row++;
      this.#skip();
    }
    const { firstRows } = this.#rows;
    while (this.#row < this.#end && (firstRows[this.#tuple + 1] as number) <= this.#row) this.#tuple++;
    this.#next = undefined;
  }

  /** Goes on to a row whose object is not gone. */
  #skip(): void {
    const { gone } = this.#part;
    if (gone.size === 0) return;
    const { objects } = this.#rows;
    while (this.#row < this.#end && gone.has(objects[this.#row] as number)) this.#row++;
  }
}

/** The tuple that a row belongs to. */
function tupleOf({ firstRows }: TableIndex, row: number): number {
  let [low, high] = [0, firstRows.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((firstRows[middle] as number) <= row) low = middle;
    else high = middle;
  }
  return low;
}
