import type { Bytes, IndexRow } from '../backend.js';
import { asBuffer } from '../codec.js';

/** A row as it is kept beside its object. A counted tuple that begins the tuple is only its length, because most rows are counted. */
type KeptRow = readonly [index: string, tuple: string, counted?: number | string];

/** As JSON. It is not left to lmdb-js, which would encode all rows of a commit in one step of the event loop. */
export function encodeRows(rows: readonly IndexRow[]): Bytes {
  const kept = rows.map(({ index, tuple, counted }): KeptRow => {
    if (counted === undefined) return [index, tuple];
    return [index, tuple, tuple.startsWith(counted) ? counted.length : counted];
  });
  return Buffer.from(JSON.stringify(kept));
}

export function decodeRows(bytes: Bytes | undefined): readonly IndexRow[] {
  if (bytes === undefined) return [];
  return (JSON.parse(asBuffer(bytes).toString()) as readonly KeptRow[]).map(([index, tuple, counted]): IndexRow => {
    if (counted === undefined) return { index, tuple };
    return { index, tuple, counted: typeof counted === 'number' ? tuple.slice(0, counted) : counted };
  });
}
