import { Yielder } from '../../pkg/system/yielding/yielding.js';
import type { Batch, Change, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { encodeSegments } from '../log/segment.js';
import { logKey } from './log.js';
import { type End, type LmdbTables, MAX_KEY, META, versionOf } from './tables.js';

/** One encoded and checked write, which only the disk can make fail. */
export interface WriteOperation {
  readonly table: Exclude<keyof LmdbTables, 'root' | 'loaded'>;
  readonly key: Uint8Array;
  /** Absent to remove the key. */
  readonly value?: unknown;
  readonly version?: number;
}

/**
 * All operations of one append, in steps: the log alone, because the objects follow later. No other append may run
 * meanwhile. Rejects with `rejected` for a key that is too long for LMDB.
 */
export async function planAppend(after: Revision, batch: Batch, last: End): Promise<readonly WriteOperation[]> {
  const { end, at } = last;
  const operations: WriteOperation[] = [];
  const yielder = new Yielder();
  for (const { key } of batch.changes) refuseTooLong(key);
  let segment = 0;
  for (const value of encodeSegments(after, batch, at)) {
    operations.push({ table: 'log', key: logKey(end, segment++), value });
    if (yielder.isDue) await yielder.yield();
  }
  // A commit without changes has no place in the log.
  if (batch.changes.length === 0) operations.push(...planCounters(batch.counters));
  operations.push({ table: 'meta', key: META.end, value: last, version: versionOf(end) });
  return operations;
}

/** The operations that write these objects, each with a key of its own. */
export function planObjects(changes: readonly Change[]): readonly WriteOperation[] {
  return changes.map(planObject);
}

function planObject({ key, revision, value }: Change): WriteOperation {
  const id = Buffer.from(key);
  return value === undefined ? { table: 'objects', key: id } : { table: 'objects', key: id, value, version: revision };
}

export function planCounters(counters: ReadonlyMap<string, number>): readonly WriteOperation[] {
  return [...counters].map(([resource, value]) => ({ table: 'counters', key: Buffer.from(resource), value }));
}

function refuseTooLong(key: Key): void {
  const length = Buffer.byteLength(key);
  if (length <= MAX_KEY) return;
  throw new StorageError(
    'rejected',
    `The name of ${key.slice(0, 100)}… is too long for the embedded store: with its resource and namespace it takes ${length} bytes, but the maximum is ${MAX_KEY}.`,
    { key },
  );
}
