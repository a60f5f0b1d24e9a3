import type { Stored } from '../../backend.js';
import { type Key, resourceOf } from '../../key.js';
import { objectOf, ofResource, overlaid } from '../../log/overlay.js';
import type { Database } from '../connection/database.js';
import { countersOf } from '../format/documents.js';
import { storedOfBytes } from '../format/raw.js';
import type { UnstoredChanges } from './unstored.js';

/** The most objects that one command asks for by their keys. */
export const CHUNK = 500;
/** The objects of an answer of the database to a load. An answer has at most 16 MiB anyway. */
const LOADED = 2000;
/** The fields that `storedOfBytes` needs. */
export const PROJECTION = { revision: 1, body: 1 } as const;

/** The objects of a resource with all changes of the log. */
export async function* load(
  database: Database,
  unstored: UnstoredChanges,
  resource: string,
): AsyncIterable<readonly Stored[]> {
  const { result } = await unstored.read();
  yield* overlaid(chunksOf(database, resource), ofResource(result, resource));
}

async function* chunksOf(database: Database, resource: string): AsyncIterable<readonly Stored[]> {
  const session = database.startReading();
  const cursor = database
    .objects(resource)
    .find({}, { session, sort: { _id: 1 }, batchSize: LOADED, projection: PROJECTION, raw: true });
  try {
    while (await cursor.hasNext()) {
      database.advance(session);
      // With `raw`, the driver gives the bytes of the documents.
      yield (cursor.readBufferedDocuments() as unknown as Buffer[]).map(storedOfBytes);
    }
  } finally {
    await cursor.close().catch(() => undefined);
    await session.endSession();
  }
}

export async function counters(database: Database): Promise<ReadonlyMap<string, number>> {
  const log = await database.read((session) => database.logHead.findOne({ _id: 'log' }, { session }));
  return countersOf(log?.counters);
}

/** These objects with all changes of the log. The log is read first, so what is found may be newer. */
export async function get(
  database: Database,
  unstored: UnstoredChanges,
  keys: readonly Key[],
): Promise<ReadonlyMap<Key, Stored>> {
  const { result } = await unstored.read();
  const found = await getStored(database, keys);
  for (const key of keys) {
    const change = result.changes.get(key);
    if (change === undefined || (found.get(key)?.revision ?? 0) >= change.revision) continue;
    found.delete(key);
    for (const stored of objectOf(change)) found.set(key, stored);
  }
  return found;
}

async function getStored(database: Database, keys: readonly Key[]): Promise<Map<Key, Stored>> {
  const found = new Map<Key, Stored>();
  const byResource = new Map<string, Key[]>();
  for (const key of new Set(keys)) {
    const resource = resourceOf(key);
    byResource.set(resource, [...(byResource.get(resource) ?? []), key]);
  }
  for (const [resource, own] of byResource) {
    for (let i = 0; i < own.length; i += CHUNK) {
      for (const stored of await find(database, resource, own.slice(i, i + CHUNK))) found.set(stored.key, stored);
    }
  }
  return found;
}

function find(database: Database, resource: string, keys: readonly Key[]): Promise<readonly Stored[]> {
  return database.read(async (session) => {
    const wanted = keys.length === 1 ? { _id: keys[0] as string } : { _id: { $in: keys as readonly string[] } };
    const cursor = database.objects(resource).find(wanted, { session, projection: PROJECTION, raw: true });
    return (await bytesOf(cursor)).map(storedOfBytes);
  });
}

/** With `raw`, the driver gives the bytes of the documents. */
export async function bytesOf(cursor: { toArray(): Promise<unknown> }): Promise<readonly Buffer[]> {
  return (await cursor.toArray()) as readonly Buffer[];
}
