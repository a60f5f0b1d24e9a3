import { setImmediate } from 'node:timers/promises';
import { type OrderedSet, orderedSet, orderedSetOf } from '../pkg/collections/ordered-set.js';
import { Entry, Row } from './entry.js';
import type { Key } from './key.js';
import { prefixEnd } from './tuple.js';

/** The rows of one index in memory, by tuple, then by key. They are compared in place, because joined texts would take more than the rows. */
export type Index = OrderedSet<Row>;

export function newIndex(): Index {
  return orderedSet<Row>(compareRows);
}

/** The indexes of these objects. */
export async function indexesOf(entries: readonly Entry[]): Promise<Map<string, Index>> {
  const rows = new Map<string, Row[]>();
  for (const entry of entries) {
    for (let row = entry.firstRow; row !== undefined; row = row.next) {
      const own = rows.get(row.index);
      if (own === undefined) rows.set(row.index, [row]);
      else own.push(row);
    }
  }
  const indexes = new Map<string, Index>();
  for (const [index, own] of rows) {
    indexes.set(index, orderedSetOf(inOrder(own), compareRows));
    // Other things must run in between.
    await setImmediate();
  }
  return indexes;
}

/** The rows in order, each once: an object may have a row twice. Often they are in order already, because names, numbers and times grow together. */
function inOrder(rows: Row[]): readonly Row[] {
  if (areInOrder(rows)) return rows;
  rows.sort(compareRows);
  return areInOrder(rows) ? rows : rows.filter((row, i) => i === 0 || compareRows(rows[i - 1] as Row, row) !== 0);
}

function areInOrder(rows: readonly Row[]): boolean {
  for (let i = 1; i < rows.length; i++) if (compareRows(rows[i - 1] as Row, rows[i] as Row) >= 0) return false;
  return true;
}

/** A shorter tuple is before those that it begins. A row stands for all rows with its tuple and key. */
function compareRows(a: Row, b: Row): number {
  if (a.tuple !== b.tuple) return a.tuple < b.tuple ? -1 : 1;
  if (a.entry === b.entry || a.entry.key === b.entry.key) return 0;
  return a.entry.key < b.entry.key ? -1 : 1;
}

/** Stands before all rows with the tuple and this or a later key. The empty key is before all others. */
export function boundOf(tuple: string, key: string): Row {
  return new Row({ index: '', tuple }, new Entry(key as Key, 0, '', NO_ATTRIBUTES));
}

const NO_ATTRIBUTES = { labels: undefined, fields: undefined };

/** The bounds of the rows whose tuples begin with `prefix`. */
export function startOf(prefix: string): Row {
  return boundOf(prefix, '');
}

export function endOf(prefix: string): Row {
  return startOf(prefixEnd(prefix));
}

/** The rows whose tuples begin with `prefix`, in order. */
export function* rowsFrom(index: Index, prefix: string): Generator<Row, void, undefined> {
  for (const row of index.keys(startOf(prefix))) {
    if (!row.tuple.startsWith(prefix)) return;
    yield row;
  }
}
