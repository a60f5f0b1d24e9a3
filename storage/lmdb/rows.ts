import type { IndexRow } from '../backend.js';

/** A row as it is kept beside its object. A counted tuple that begins the tuple is only its length, because most rows are counted. */
type KeptRow = readonly [index: string, tuple: string, counted?: number | string];

export function encodeRows(rows: readonly IndexRow[]): readonly KeptRow[] {
  return rows.map(({ index, tuple, counted }): KeptRow => {
    if (counted === undefined) return [index, tuple];
    return [index, tuple, tuple.startsWith(counted) ? counted.length : counted];
  });
}

export function decodeRows(kept: unknown): readonly IndexRow[] {
  return ((kept ?? []) as readonly KeptRow[]).map(([index, tuple, counted]): IndexRow => {
    if (counted === undefined) return { index, tuple };
    return { index, tuple, counted: typeof counted === 'number' ? tuple.slice(0, counted) : counted };
  });
}
