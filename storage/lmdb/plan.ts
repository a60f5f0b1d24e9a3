import type { Batch, Put, Revision } from '../backend.js';
import { CountChanges, countedOf } from '../counted.js';
import { StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { encodeSegments } from '../segment.js';
import { Stretches } from '../stretch.js';
import { logKey } from './log.js';
import { countKey, indexKey } from './objects.js';
import type { RowOwner, RowOwners } from './row-owners.js';
import { decodeRows, encodeRows } from './rows.js';
import { MAX_KEY, META, type Tables, versionOf } from './tables.js';

/** One encoded and checked write, which only the disk can make fail. */
export interface Operation {
  readonly table: Exclude<keyof Tables, 'root' | 'loaded'>;
  readonly key: Uint8Array;
  /** Absent to remove the key. */
  readonly value?: unknown;
  readonly version?: number;
}

const NOTHING = Buffer.alloc(1);

/**
 * All operations of one append, in stretches. No other append may run meanwhile. Rejects with `rejected` for a key that is too long for LMDB.
 */
export async function planAppend(
  tables: Tables,
  owners: RowOwners,
  after: Revision,
  batch: Batch,
  at: number,
): Promise<readonly Operation[]> {
  const end = after + batch.changes.length;
  const operations: Operation[] = [];
  const stretches = new Stretches();
  for (const some of planSteps(tables, owners.changesOf(batch.changes))) {
    operations.push(...some);
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
  operations.push({ table: 'meta', key: META.end, value: { end, at }, version: versionOf(end) });
  return operations;
}

/** The operations that write these objects, each with a key of its own, with their index rows and counts. */
export function planObjects(tables: Tables, changes: Iterable<Put>): Operation[] {
  return [
    ...planSteps(
      tables,
      Array.from(changes, (change) => [change, true] as const),
    ),
  ].flat();
}

function* planSteps(tables: Tables, changes: readonly RowOwner[]): Generator<readonly Operation[], void, undefined> {
  const counts = new Map<string, CountChanges>();
  for (const change of changes) yield planObject(tables, change, countsOf(counts, change[0].key));
  for (const [resource, changed] of counts) yield [...planCounts(tables, resource, changed)];
}

/** Writes the object as the batch leaves it, and replaces its index rows. */
function planObject(
  tables: Tables,
  [{ key, revision, value, rows = [] }, mayHaveRows]: RowOwner,
  counts: CountChanges,
): readonly Operation[] {
  const id = measured(key, Buffer.from(key));
  const earlier = mayHaveRows ? decodeRows(tables.rows.get(id)) : [];
  const operations: Operation[] = [
    value === undefined ? { table: 'objects', key: id } : { table: 'objects', key: id, value, version: revision },
  ];
  if (earlier.length === 0 && rows.length === 0) return operations;
  const current = value === undefined ? [] : rows;
  const resource = resourceOf(key);
  counts.add(countedOf(earlier), countedOf(current));
  for (const row of earlier) operations.push({ table: 'index', key: indexKey(resource, row, key) });
  for (const row of current) {
    operations.push({ table: 'index', key: measured(key, indexKey(resource, row, key)), value: NOTHING });
  }
  operations.push({ table: 'rows', key: id, ...(current.length > 0 && { value: encodeRows(current) }) });
  return operations;
}

function countsOf(counts: Map<string, CountChanges>, key: Key): CountChanges {
  const resource = resourceOf(key);
  const known = counts.get(resource) ?? new CountChanges();
  counts.set(resource, known);
  return known;
}

/** Appends run one at a time, so what is read here is what the transaction changes. */
function* planCounts(tables: Tables, resource: string, changes: CountChanges): Generator<Operation, void, undefined> {
  for (const [counted, by] of changes) {
    const key = countKey(resource, counted);
    const count = Number(tables.counts.get(key) ?? 0) + by;
    yield { table: 'counts', key, ...(count > 0 && { value: count }) };
  }
}

function measured(key: Key, bytes: Buffer): Buffer {
  if (bytes.byteLength <= MAX_KEY) return bytes;
  throw new StorageError(
    'rejected',
    `The name of ${key.slice(0, 100)}… is too long for the embedded store: with its resource, namespace and index it takes ${bytes.byteLength} bytes, but the maximum is ${MAX_KEY}.`,
    { key },
  );
}
