import type { RangeOptions } from 'lmdb';
import type { Bytes, Count, CountRange, IndexRange, IndexRow, Row, Stored } from '../backend.js';
import { asBuffer } from '../codec.js';
import type { Key } from '../key.js';
import { rowKey } from '../tuple.js';
import { storedOf } from './loaded.js';
import { MAX_KEY, type Tables } from './tables.js';

/** The bytes that `load` reads at once. Each read ends before its caller sees the result. */
const CHUNK = 256 * 1024;
const CHUNK_OBJECTS = 500;

export function find(tables: Tables, key: Key): Stored | undefined {
  const bytes = Buffer.from(key);
  // lmdb-js throws if it is asked for a key that cannot be stored.
  if (bytes.byteLength > MAX_KEY) return undefined;
  const entry = tables.objects.getEntry(bytes);
  return entry && { key, revision: entry.version ?? 0, value: entry.value };
}

export function findAll(tables: Tables, keys: readonly Key[]): ReadonlyMap<Key, Stored> {
  const found = new Map<Key, Stored>();
  for (const key of keys) {
    const stored = find(tables, key);
    if (stored !== undefined) found.set(key, stored);
  }
  return found;
}

export function readCounters({ counters }: Tables): ReadonlyMap<string, number> {
  return new Map([...counters.getRange()].map(({ key, value }) => [textOf(key), value as number]));
}

/** Some objects of a resource with keys after `after`, in key order; empty if there are no more. */
export function readObjects(tables: Tables, resource: string, after: Key | undefined): readonly Stored[] {
  const found: Stored[] = [];
  let size = 0;
  // '0' is the byte after '/', and NUL is the smallest byte that can follow a key.
  const start = after === undefined ? `${resource}/` : `${after}\0`;
  const range = { start, end: `${resource}0`, versions: true, limit: CHUNK_OBJECTS };
  for (const { key, value, version } of tables.loaded.getRange(range)) {
    found.push(storedOf(key as Key, version ?? 0, value));
    size += value.length;
    if (size >= CHUNK) break;
  }
  return found;
}

/** No resource, index or tuple contains NUL. */
export function indexKey(resource: string, row: IndexRow, key: Key): Buffer {
  return Buffer.from(`${indexPrefix(resource, row.index)}${rowKey(row.tuple, key)}`);
}

/** `counted` is a result of `countedOf`. */
export function countKey(resource: string, counted: string): Buffer {
  return Buffer.from(`${resource}\0${counted.replace(' ', '\0')}`);
}

export function selectCounts(tables: Tables, resource: string, range: CountRange): readonly Count[] {
  if (range.limit <= 0 || range.from >= range.to) return [];
  const prefix = indexPrefix(resource, range.index);
  const found = tables.counts.getRange(bounds(range, prefix + range.from, prefix + range.to));
  return [...found].map(({ key, value }) => ({ tuple: textOf(key).slice(prefix.length), count: value as number }));
}

function indexPrefix(resource: string, index: string): string {
  return `${resource}\0${index}\0`;
}

/** Synchronous, so rows and objects are read at the same time. */
export function select(tables: Tables, resource: string, range: IndexRange): readonly Row[] {
  if (range.limit <= 0 || range.from >= range.to) return [];
  return range.index === undefined
    ? selectObjects(tables, resource, range)
    : selectRows(tables, indexPrefix(resource, range.index), range);
}

/** The table also has the objects of other resources. */
function selectObjects(tables: Tables, resource: string, range: IndexRange): readonly Row[] {
  const [from = '', to = ''] = [range.from, range.to].map((bound) => within(bound, `${resource}/`, `${resource}0`));
  if (from >= to) return [];
  return [...tables.objects.getRange({ ...bounds(range, from, to), versions: true })].map(({ key, value, version }) => {
    const rowKey = textOf(key);
    return { rowKey, stored: { key: rowKey as Key, revision: version ?? 0, value } };
  });
}

function within(bound: string, low: string, high: string): string {
  if (bound < low) return low;
  return bound > high ? high : bound;
}

function selectRows(tables: Tables, prefix: string, range: IndexRange): readonly Row[] {
  return [...tables.index.getKeys(bounds(range, prefix + range.from, prefix + range.to))].flatMap((bytes) => {
    const rowKey = textOf(bytes).slice(prefix.length);
    const stored = find(tables, rowKey.slice(rowKey.indexOf(' ') + 1) as Key);
    return stored === undefined ? [] : { rowKey, stored };
  });
}

function textOf(key: Bytes): string {
  return asBuffer(key).toString();
}

/**
 * lmdb-js reads from `start` to `end` in both directions. It throws for a bound that is longer than a key can be, so that is cut off. Only the
 * cut bound itself could be a key on the wrong side, so the cut makes an inclusive bound exclusive, and an exclusive one inclusive.
 */
function bounds({ limit, reverse = false }: IndexRange, from: string, to: string): RangeOptions {
  const [low, high] = [cut(from), cut(to)];
  if (!reverse)
    return { start: low.bytes, exclusiveStart: low.isCut, end: high.bytes, inclusiveEnd: high.isCut, limit };
  return { start: high.bytes, exclusiveStart: !high.isCut, end: low.bytes, inclusiveEnd: !low.isCut, reverse, limit };
}

function cut(bound: string): { readonly bytes: Buffer; readonly isCut: boolean } {
  const bytes = Buffer.from(bound);
  return bytes.byteLength > MAX_KEY ? { bytes: bytes.subarray(0, MAX_KEY), isCut: true } : { bytes, isCut: false };
}
