import { type OrderedMap, orderedMapBy, orderedMapOfBy } from '../../pkg/system/collections/ordered-map.js';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Key } from '../key.js';
import { type Entry, Row } from './entry.js';

/**
 * The rows of one index in memory, by tuple, then by key, with their entries. They are compared in place, because
 * joined texts would take more than the rows.
 */
export type Index = OrderedMap<Entry, Row>;

export function newIndex(): Index {
  return orderedMapBy<Row, Entry>(compareRows);
}

/** The rows of an index, each with its entry at the same place. */
interface Collected {
  readonly rows: Row[];
  readonly entries: Entry[];
}

/** The indexes of these objects. */
export async function indexesOf(entries: readonly Entry[]): Promise<Map<string, Index>> {
  const collected = new Map<string, Collected>();
  for (const entry of entries) {
    for (let row = entry.firstRow; row !== undefined; row = row.next) {
      const own = collected.get(row.index) ?? { rows: [], entries: [] };
      if (own.rows.length === 0) collected.set(row.index, own);
      own.rows.push(row);
      own.entries.push(entry);
    }
  }
  const indexes = new Map<string, Index>();
  for (const [index, own] of collected) {
    const { rows, entries: placed } = inOrder(own);
    indexes.set(index, orderedMapOfBy(rows, placed, compareRows));
    // Other things must run in between.
    await yieldToLoop();
  }
  return indexes;
}

/**
 * The rows in order, each once: an object may have a row twice. Often they are in order already, because names, numbers
 * and times grow together.
 */
function inOrder(own: Collected): Collected {
  const { rows, entries } = own;
  if (areInOrder(rows)) return own;
  const pairs = rows.map((row, i) => ({ row, entry: entries[i] as Entry }));
  pairs.sort((a, b) => compareRows(a.row, b.row));
  const unique = pairs.filter(({ row }, i) => i === 0 || compareRows(pairs[i - 1]?.row as Row, row) !== 0);
  return { rows: unique.map(({ row }) => row), entries: unique.map(({ entry }) => entry) };
}

function areInOrder(rows: readonly Row[]): boolean {
  for (let i = 1; i < rows.length; i++) if (compareRows(rows[i - 1] as Row, rows[i] as Row) >= 0) return false;
  return true;
}

/** A shorter tuple is before those that it begins. */
function compareRows(a: Row, b: Row): number {
  if (a.tuple < b.tuple) return -1;
  if (a.tuple !== b.tuple) return 1;
  if (a.key < b.key) return -1;
  return a.key === b.key ? 0 : 1;
}

/** Stands before all rows with the tuple and this or a later key. The empty key is before all others. */
export function boundOf(tuple: string, key: string): Row {
  return new Row({ index: '', tuple }, key as Key);
}
