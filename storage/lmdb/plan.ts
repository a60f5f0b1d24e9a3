import type { Batch, Put, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { encodeSegments } from '../log/segment.js';
import { Stretches } from '../stretch.js';
import { logKey } from './log.js';
import { type End, MAX_KEY, META, type Tables, versionOf } from './tables.js';

/** One encoded and checked write, which only the disk can make fail. */
export interface Operation {
  readonly table: Exclude<keyof Tables, 'root' | 'loaded'>;
  readonly key: Uint8Array;
  /** Absent to remove the key. */
  readonly value?: unknown;
  readonly version?: number;
}

/**
 * All operations of one append, in stretches. No other append may run meanwhile. Rejects with `rejected` for a key that is too long for LMDB.
 */
export async function planAppend(after: Revision, batch: Batch, last: End): Promise<readonly Operation[]> {
  const { end, at } = last;
  const operations: Operation[] = [];
  const stretches = new Stretches();
  for (const change of lastOfEach(batch.changes)) {
    operations.push(planObject(change));
    if (stretches.isOver) await stretches.rest();
  }
  let segment = 0;
  for (const value of encodeSegments(after, batch, at)) {
    operations.push({ table: 'log', key: logKey(end, segment++), value });
    if (stretches.isOver) await stretches.rest();
  }
  for (const [resource, value] of batch.counters) {
    operations.push({ table: 'counters', key: Buffer.from(resource), value });
  }
  operations.push({ table: 'meta', key: META.end, value: last, version: versionOf(end) });
  return operations;
}

/** The operations that write these objects, each with a key of its own. */
export function planObjects(changes: readonly Put[]): readonly Operation[] {
  return changes.map(planObject);
}

/** A batch may change an object several times. */
function lastOfEach(changes: readonly Put[]): Iterable<Put> {
  return new Map(changes.map((change) => [change.key, change])).values();
}

function planObject({ key, revision, value }: Put): Operation {
  const id = measured(key, Buffer.from(key));
  return value === undefined ? { table: 'objects', key: id } : { table: 'objects', key: id, value, version: revision };
}

function measured(key: Key, bytes: Buffer): Buffer {
  if (bytes.byteLength <= MAX_KEY) return bytes;
  throw new StorageError(
    'rejected',
    `The name of ${key.slice(0, 100)}… is too long for the embedded store: with its resource and namespace it takes ${bytes.byteLength} bytes, but the maximum is ${MAX_KEY}.`,
    { key },
  );
}
