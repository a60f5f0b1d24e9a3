import type { Transaction } from 'lmdb';
import type { Bytes, Stored } from '../backend.js';
import type { Key } from '../key.js';
import { asBuffer } from '../state/codec.js';
import { storedOf } from './loaded.js';
import { type LmdbTables, MAX_KEY } from './tables.js';

/** The bytes that `load` reads at once. Each read ends before its caller sees the result. */
const CHUNK = 256 * 1024;
const CHUNK_OBJECTS = 500;

export function find(tables: LmdbTables, key: Key): Stored | undefined {
  const bytes = Buffer.from(key);
  // lmdb-js throws if it is asked for a key that cannot be stored.
  if (bytes.byteLength > MAX_KEY) return undefined;
  const entry = tables.objects.getEntry(bytes);
  return entry && { key, revision: entry.version ?? 0, value: entry.value };
}

export function findAll(tables: LmdbTables, keys: readonly Key[]): Map<Key, Stored> {
  const objects = new Map<Key, Stored>();
  for (const key of keys) {
    const stored = find(tables, key);
    if (stored !== undefined) objects.set(key, stored);
  }
  return objects;
}

export function readCounters(
  { counters }: LmdbTables,
  snapshot: { readonly transaction?: Transaction } = {},
): ReadonlyMap<string, number> {
  return new Map([...counters.getRange(snapshot)].map(({ key, value }) => [textOf(key), value as number]));
}

/** Some objects of a resource with keys after `after`, in key order; empty if there are no more. */
export function readObjects(tables: LmdbTables, resource: string, after: Key | undefined): readonly Stored[] {
  const objects: Stored[] = [];
  let size = 0;
  // '0' is the byte after '/', and NUL is the smallest byte that can follow a key.
  const start = after === undefined ? `${resource}/` : `${after}\0`;
  const range = { start, end: `${resource}0`, versions: true, limit: CHUNK_OBJECTS };
  for (const { key, value, version } of tables.loaded.getRange(range)) {
    objects.push(storedOf(key as Key, version ?? 0, value));
    size += value.length;
    if (size >= CHUNK) break;
  }
  return objects;
}

function textOf(key: Bytes): string {
  return asBuffer(key).toString();
}
