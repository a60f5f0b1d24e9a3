import type { Transaction } from 'lmdb';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Stored } from '../backend.js';
import type { Key } from '../key.js';
import { asBuffer } from '../state/codec.js';
import type { LmdbTables } from './tables.js';

const CHUNK_BYTES = 512 * 1024;
const CHUNK_OBJECTS = 500;

/** All objects, as the transaction or each chunk sees them. */
export async function* objectsOf(
  tables: LmdbTables,
  transaction?: Transaction,
): AsyncGenerator<readonly Stored[], void, undefined> {
  const options = transaction === undefined ? {} : { transaction };
  for (let start: Uint8Array = Buffer.alloc(0); ; await yieldToLoop()) {
    const chunk = chunkOf(tables, start, options);
    const last = chunk.at(-1);
    if (last === undefined) return;
    yield chunk;
    start = Buffer.from(`${last.key}\0`);
  }
}

function chunkOf(
  { objects }: LmdbTables,
  start: Uint8Array,
  options: { readonly transaction?: Transaction },
): readonly Stored[] {
  const stored: Stored[] = [];
  let size = 0;
  for (const { key, value, version } of objects.getRange({ start, versions: true, limit: CHUNK_OBJECTS, ...options })) {
    stored.push({ key: asBuffer(key).toString() as Key, revision: version ?? 0, value });
    size += value.byteLength;
    if (size >= CHUNK_BYTES) break;
  }
  return stored;
}
