import type { IndexRange, Stored } from '../backend.js';
import { type Key, resourceOf } from '../key.js';
import type { Database } from './database.js';
import { countersOf, type ObjectDocument, type RowDocument, storedOf } from './documents.js';

const CHUNK = 500;
const PROJECTION = { revision: 1, body: 1 } as const;

export async function* load(database: Database, resource: string): AsyncIterable<readonly Stored[]> {
  const session = database.startReading();
  const cursor = database
    .objects(resource)
    .find({}, { session, sort: { _id: 1 }, batchSize: CHUNK, projection: PROJECTION });
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(storedOf);
  } finally {
    await cursor.close().catch(() => undefined);
    await session.endSession();
  }
}

export async function counters(database: Database): Promise<ReadonlyMap<string, number>> {
  const log = await database.read((session) => database.log.findOne({ _id: 'log' }, { session }));
  return countersOf(log?.counters);
}

export async function get(database: Database, keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>> {
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
    return (await database.objects(resource).find(wanted, { session, projection: PROJECTION }).toArray()).map(storedOf);
  });
}

type Joined = RowDocument & { readonly object: readonly ObjectDocument[] };
const TRIES = 5;

/** Rows and objects are written together but not read together: where one changed in between, the range is read again. */
export async function range(database: Database, resource: string, wanted: IndexRange): Promise<readonly Stored[]> {
  if (wanted.limit <= 0 || wanted.from >= wanted.to) return [];
  for (let tries = 1; ; tries++) {
    const rows = await readRows(database, resource, wanted);
    const current = rows.filter(({ _id, object }) => object[0]?.index?.includes(_id) === true);
    if (current.length === rows.length || tries === TRIES) return current.flatMap(({ object }) => object.map(storedOf));
  }
}

function readRows(database: Database, resource: string, wanted: IndexRange): Promise<readonly Joined[]> {
  const { index, from, to, limit, reverse = false } = wanted;
  const pipeline = [
    { $match: { _id: { $gte: `${index} ${from}`, $lt: `${index} ${to}` } } },
    { $sort: { _id: reverse ? -1 : 1 } },
    { $limit: limit },
    { $lookup: { from: resource, localField: 'key', foreignField: '_id', as: 'object' } },
  ];
  return database.read((session) => database.rows(resource).aggregate<Joined>(pipeline, { session }).toArray());
}
