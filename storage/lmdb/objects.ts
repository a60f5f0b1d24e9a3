import type { IndexRange, IndexRow, Stored } from '../backend.js';
import type { Key } from '../key.js';
import type { Tables } from './tables.js';

/** What `load` reads at once; the read ends before its caller sees any of it. */
const CHUNK = 256 * 1024;
const CHUNK_OBJECTS = 500;

export function objectKey(key: Key): Buffer {
  return Buffer.from(key);
}

export function find(tables: Tables, key: Key): Stored | undefined {
  const entry = tables.objects.getEntry(objectKey(key));
  return entry && { key, revision: entry.version ?? 0, value: entry.value };
}

/** Some objects of a resource whose key sorts after `after`, in key order; none when there are no more. */
export function readObjects(tables: Tables, resource: string, after: Key | undefined): readonly Stored[] {
  const found: Stored[] = [];
  let size = 0;
  // '0' is the byte after '/', NUL the least that can follow a key.
  const start = Buffer.from(after === undefined ? `${resource}/` : `${after}\0`);
  const range = { start, end: Buffer.from(`${resource}0`), versions: true, limit: CHUNK_OBJECTS };
  for (const { key, value, version } of tables.objects.getRange(range)) {
    found.push({ key: Buffer.from(key).toString() as Key, revision: version ?? 0, value });
    size += value.byteLength;
    if (size >= CHUNK) break;
  }
  return found;
}

/** Ordered like (tuple, key): NUL sorts below every byte of a tuple, and no resource, index or tuple holds one. */
export function indexKey(resource: string, row: IndexRow, key: Key): Buffer {
  return Buffer.from(`${indexPrefix(resource, row.index)}${row.tuple}\0${key}`);
}

function indexPrefix(resource: string, index: string): string {
  return `${resource}\0${index}\0`;
}

export function select(tables: Tables, resource: string, range: IndexRange): readonly Stored[] {
  if (range.limit <= 0 || range.from >= range.to) return [];
  const prefix = indexPrefix(resource, range.index);
  const [from, to] = [Buffer.from(prefix + range.from), Buffer.from(prefix + range.to)];
  const bounds = range.reverse === true ? { start: to, end: from, reverse: true } : { start: from, end: to };
  const keys = [...tables.index.getKeys({ ...bounds, limit: range.limit })].map((bytes) => {
    const text = Buffer.from(bytes).toString();
    return text.slice(text.indexOf('\0', prefix.length) + 1) as Key;
  });
  return keys.flatMap((key) => find(tables, key) ?? []);
}
