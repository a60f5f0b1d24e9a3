import { BitSet } from '../../../pkg/system/collections/bit-set.js';
import { type Key, keyOf, partsOf } from '../../key.js';
import type { Entry } from '../../state/entry.js';
import type { Cursor } from '../../state/merged.js';
import type { RowPosition } from '../../state/position.js';
import type { Walker } from '../../state/walk.js';
import { ReadGroups } from './read-group.js';
import type { Table } from './table.js';
import type { Rows, TableIndex } from './table-index.js';

/** A table as a part of a state: its objects, without those that were replaced or removed since. */
export class TableView {
  readonly table: Table;
  /** The numbers of the objects that are gone. */
  readonly deleted: BitSet;

  constructor(table: Table, deleted = new BitSet()) {
    this.table = table;
    this.deleted = deleted;
  }

  get size(): number {
    return this.table.length - this.deleted.size;
  }

  clone(): TableView {
    return new TableView(this.table, this.deleted.clone());
  }

  /** The number of the object, or -1. */
  find(key: Key): number {
    const ordinal = this.table.find(key);
    return ordinal < 0 || this.deleted.has(ordinal) ? -1 : ordinal;
  }

  /** How many objects each namespace has. Reads two keys of each namespace. */
  *counts(): Generator<readonly [namespace: string, count: number], void, undefined> {
    const { table, deleted } = this;
    for (let from = 0; from < table.length; ) {
      const { namespace } = partsOf(table.key(from));
      const end = table.search(keyOf(table.definition.resource, namespace, '\uffff'), from);
      yield [namespace, end - from - deleted.count(from, end)];
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

  rows(index: string, from: RowPosition, to: RowPosition): Cursor | undefined {
    const rows = this.table.columns.indexes.get(index);
    return rows && new RowCursor(this, rows, this.#row(rows, from), this.#row(rows, to));
  }

  /** The same in either direction, one by one. */
  walk(index: string, from: RowPosition, to: RowPosition, isReverse: boolean): Walker | undefined {
    const rows = this.table.columns.indexes.get(index);
    return rows && new RowWalker(this, rows, { from: this.#row(rows, from), to: this.#row(rows, to) }, isReverse);
  }

  /** The first tuple of an index that is not before a text. All its objects may be gone. */
  firstTuple(index: string, text: string): string | undefined {
    const tuples = this.table.columns.indexes.get(index)?.tuples;
    const ordinal = tuples?.search(text, 0) ?? 0;
    return tuples === undefined || ordinal === tuples.length ? undefined : tuples.get(ordinal);
  }

  /** How many rows have a tuple from one text up to but without another. Reads neither objects nor keys. */
  countRows(index: string, from: string, to: string): number {
    const rows = this.table.columns.indexes.get(index);
    if (rows === undefined) return 0;
    const first = rows.search(from);
    const { from: start, to: end } = rows.rowsOf(first, rows.search(to, first));
    let count = end - start;
    if (this.deleted.size === 0) return count;
    for (let row = start; row < end; row++) if (this.deleted.has(rows.objects[row] as number)) count--;
    return count;
  }

  /** The first row that is not before a place. */
  #row(rows: TableIndex, { tuple, key }: RowPosition): number {
    return rowAt(this.table, rows, { tuple, key }, 0);
  }
}

/** The first row that is not before a place. It belongs to tuple `from` or a later one. */
function rowAt(table: Table, rows: TableIndex, { tuple, key }: RowPosition, from: number): number {
  const ordinal = rows.search(tuple, from);
  if (ordinal === rows.tuples.length || !rows.tuples.equals(ordinal, tuple, 0) || key === '')
    return rows.firstRows[ordinal] as number;
  return rows.searchObject(table.search(key), rows.rowsOf(ordinal, ordinal + 1));
}

class ObjectCursor implements Cursor {
  readonly #part: TableView;
  readonly #end: number;
  #ordinal: number;
  #next: RowPosition | undefined;

  constructor(part: TableView, from: number, end: number) {
    this.#part = part;
    this.#ordinal = part.deleted.nextAbsent(from);
    this.#end = end;
  }

  get next(): RowPosition | undefined {
    if (this.#ordinal >= this.#end) return undefined;
    this.#next ??= { tuple: '', key: this.#part.table.key(this.#ordinal) };
    return this.#next;
  }

  take(entries: Entry[], limit: number, before: RowPosition | undefined): void {
    const { table, deleted } = this.#part;
    const end = before === undefined ? this.#end : Math.min(this.#end, table.search(before.key, this.#ordinal));
    let ordinal = this.#ordinal;
    for (let left = limit; ordinal < end && left > 0; left--) {
      entries.push(table.passing(ordinal));
      ordinal = deleted.nextAbsent(ordinal + 1);
    }
    this.#ordinal = ordinal;
    this.#next = undefined;
  }
}

class RowCursor implements Cursor {
  readonly #part: TableView;
  readonly #rows: TableIndex;
  readonly #end: number;
  readonly #groups: ReadGroups;
  #row: number;
  /** The tuple of the next row. */
  #tuple: number;
  #next: RowPosition | undefined;

  constructor(part: TableView, rows: TableIndex, from: number, end: number) {
    this.#part = part;
    this.#rows = rows;
    this.#row = from;
    this.#end = end;
    this.#groups = groupsOf(part, rows, { from, to: end }, false);
    this.#tuple = 0;
    this.#skip();
    this.#tuple = this.#row < end ? tupleOf(rows, this.#row) : 0;
  }

  get next(): RowPosition | undefined {
    if (this.#row >= this.#end) return undefined;
    this.#next ??= {
      tuple: this.#rows.tuples.get(this.#tuple),
      key: this.#part.table.key(this.#rows.objects[this.#row] as number),
    };
    return this.#next;
  }

  take(entries: Entry[], limit: number, before: RowPosition | undefined): void {
    const { table } = this.#part;
    const end = before === undefined ? this.#end : Math.min(this.#end, rowAt(table, this.#rows, before, this.#tuple));
    for (let left = limit; this.#row < end && left > 0; left--) {
      entries.push(table.entry(this.#rows.objects[this.#row] as number, this.#groups.of(this.#row)));
      this.#row++;
      this.#skip();
    }
    const { firstRows } = this.#rows;
    while (this.#row < this.#end && (firstRows[this.#tuple + 1] as number) <= this.#row) this.#tuple++;
    this.#next = undefined;
  }

  /** Goes on to a row whose object is not gone. */
  #skip(): void {
    const { deleted } = this.#part;
    if (deleted.size === 0) return;
    const { objects } = this.#rows;
    while (this.#row < this.#end && deleted.has(objects[this.#row] as number)) this.#row++;
  }
}

class RowWalker implements Walker {
  readonly #part: TableView;
  readonly #rows: TableIndex;
  readonly #range: Rows;
  readonly #by: 1 | -1;
  readonly #groups: ReadGroups;
  #row: number;
  #tuple = -1;
  #position: RowPosition | undefined;

  constructor(part: TableView, rows: TableIndex, range: Rows, isReverse: boolean) {
    this.#part = part;
    this.#rows = rows;
    this.#range = range;
    this.#by = isReverse ? -1 : 1;
    this.#groups = groupsOf(part, rows, range, isReverse);
    this.#row = isReverse ? range.to - 1 : range.from;
    this.#skip();
  }

  get position(): RowPosition | undefined {
    if (!this.#isWithin) return undefined;
    this.#position ??= { tuple: this.#rows.tuples.get(this.#tupleOf()), key: this.#part.table.key(this.#object) };
    return this.#position;
  }

  get entry(): Entry {
    return this.#part.table.entry(this.#object, this.#groups.of(this.#row));
  }

  step(): void {
    this.#row += this.#by;
    this.#position = undefined;
    this.#skip();
  }

  get #isWithin(): boolean {
    return this.#row >= this.#range.from && this.#row < this.#range.to;
  }

  get #object(): number {
    return this.#rows.objects[this.#row] as number;
  }

  /** Goes on to a row whose object is not gone. */
  #skip(): void {
    while (this.#isWithin && this.#part.deleted.has(this.#object)) this.#row += this.#by;
  }

  /** Rows of one tuple are side by side, so it is mostly that of the row before, or the next one. */
  #tupleOf(): number {
    const { firstRows } = this.#rows;
    const isOf = (tuple: number): boolean =>
      tuple >= 0 && (firstRows[tuple] as number) <= this.#row && this.#row < (firstRows[tuple + 1] as number);
    const near = [this.#tuple, this.#tuple + this.#by].find(isOf);
    this.#tuple = near ?? tupleOf(this.#rows, this.#row);
    return this.#tuple;
  }
}

function groupsOf({ table }: TableView, { objects }: TableIndex, range: Rows, isReverse: boolean): ReadGroups {
  return new ReadGroups(table.columns.records, objects, range, isReverse);
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
