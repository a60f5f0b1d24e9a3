import type { ClientSession } from 'mongodb';
import type { Count, CountRange, IndexRange, Revision, Row, Stored } from '../backend.js';
import { type Key, resourceOf } from '../key.js';
import { behind } from '../range.js';
import type { Database } from './database.js';
import { countersOf } from './documents.js';
import { revisionOf } from './end.js';
import { hasRow, type RowedObject, rowedOfBytes, rowOfBytes, storedOfBytes } from './raw.js';

const CHUNK = 500;
/** The objects of an answer of the database to a load. An answer has at most 16 MiB anyway. */
const LOADED = 2000;
const PROJECTION = { revision: 1, body: 1 } as const;

export async function* load(database: Database, resource: string): AsyncIterable<readonly Stored[]> {
  const session = database.startReading();
  const cursor = database
    .objects(resource)
    .find({}, { session, sort: { _id: 1 }, batchSize: LOADED, projection: PROJECTION, raw: true });
  try {
    // With `raw`, the driver gives the bytes of the documents.
    while (await cursor.hasNext()) yield (cursor.readBufferedDocuments() as unknown as Buffer[]).map(storedOfBytes);
  } finally {
    await cursor.close().catch(() => undefined);
    await session.endSession();
  }
}

export async function counters(database: Database): Promise<ReadonlyMap<string, number>> {
  const log = await database.read((session) => database.log.findOne({ _id: 'log' }, { session }));
  return countersOf(log?.counters);
}

/** The end of the log as a majority has it. It is not behind anything that was read here before, because reads keep the order of causes. */
export async function seen(database: Database): Promise<Revision> {
  const options = { projection: { revision: 1 } } as const;
  return revisionOf(await database.read((session) => database.log.findOne({ _id: 'log' }, { session, ...options })));
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
    const cursor = database.objects(resource).find(wanted, { session, projection: PROJECTION, raw: true });
    return (await bytesOf(cursor)).map(storedOfBytes);
  });
}

/** With `raw`, the driver gives the bytes of the documents. */
async function bytesOf(cursor: { toArray(): Promise<unknown> }): Promise<readonly Buffer[]> {
  return (await cursor.toArray()) as readonly Buffer[];
}

/** Reads on in place of rows without an object, so that only the end of the range returns fewer rows than wanted. */
export async function range(database: Database, resource: string, wanted: IndexRange): Promise<readonly Row[]> {
  const found: Row[] = [];
  let rest = wanted;
  while (rest.from < rest.to && rest.limit > 0) {
    const candidates = await readRange(database, resource, rest);
    for (const { rowKey, stored } of candidates) if (stored !== undefined) found.push({ rowKey, stored });
    const last = candidates.at(-1);
    if (last === undefined || candidates.length < rest.limit) break;
    rest = { ...behind(rest, last.rowKey), limit: wanted.limit - found.length };
  }
  return found;
}

/** A row that one read found. It has no object if its object changed between the reads of both. */
interface Candidate {
  readonly rowKey: string;
  readonly stored: Stored | undefined;
}

/** Asks for one more than the limit at once. MongoDB would send the first 101 alone, and would keep a cursor of exactly the limit open. */
function readRange(database: Database, resource: string, wanted: IndexRange): Promise<readonly Candidate[]> {
  const { index, from, to, limit } = wanted;
  if (index !== undefined) return readRows(database, resource, { ...wanted, index });
  const options = { projection: PROJECTION, sort: sortOf(wanted), limit, batchSize: limit + 1, raw: true } as const;
  return database.read(async (session) => {
    const cursor = database.objects(resource).find({ _id: { $gte: from, $lt: to } }, { session, ...options });
    return (await bytesOf(cursor)).map(storedOfBytes).map((stored) => ({ rowKey: stored.key, stored }));
  });
}

/**
 * Rows and objects are written together but not read together, so a row only counts if its object names it. MongoDB reads only the index of the rows,
 * because their ids contain the keys. One $lookup of both would take it twice as long.
 */
function readRows(database: Database, resource: string, wanted: CountRange): Promise<readonly Candidate[]> {
  const { index, limit } = wanted;
  const options = { projection: { _id: 1 }, sort: sortOf(wanted), limit, batchSize: limit + 1, raw: true } as const;
  return database.read(async (session) => {
    const cursor = database.rows(resource).find({ _id: inRange(wanted) }, { session, ...options });
    const rows = (await bytesOf(cursor)).map((bytes) => rowOfBytes(bytes, index));
    const objects = new Map<string, RowedObject>();
    const keys = [...new Set(rows.map(({ key }) => key))];
    for (let i = 0; i < keys.length; i += CHUNK) {
      for (const object of await readRowed(database, session, resource, keys.slice(i, i + CHUNK)))
        objects.set(object.stored.key, object);
    }
    return rows.map(({ id, key, rowKey }) => {
      const object = objects.get(key);
      return { rowKey, stored: object && hasRow(object, id) ? object.stored : undefined };
    });
  });
}

async function readRowed(
  database: Database,
  session: ClientSession,
  resource: string,
  keys: readonly string[],
): Promise<readonly RowedObject[]> {
  const projection = { ...PROJECTION, index: 1 };
  const options = { session, projection, batchSize: CHUNK + 1, raw: true };
  const cursor = database.objects(resource).find({ _id: { $in: keys } }, options);
  return (await bytesOf(cursor)).map(rowedOfBytes);
}

function inRange({ index, from, to }: CountRange) {
  return { $gte: `${index} ${from}`, $lt: `${index} ${to}` };
}

function sortOf({ reverse }: Pick<IndexRange, 'reverse'>) {
  return { _id: reverse === true ? -1 : 1 } as const;
}

interface JoinedCounts {
  readonly tuples: readonly string[];
  readonly counts: readonly number[];
}

/**
 * A count of 0 exists only inside of a transaction. There may be ten thousand, so MongoDB joins them to one document, because the driver takes
 * longer to decode as many documents than to decode their values.
 */
export function counts(database: Database, resource: string, wanted: CountRange): Promise<readonly Count[]> {
  const { index, from, to, limit } = wanted;
  if (from >= to || limit <= 0) return Promise.resolve([]);
  return database.read(async (session) => {
    const joined = { $group: { _id: null, tuples: { $push: '$_id' }, counts: { $push: '$count' } } };
    const [found] = await database
      .counts(resource)
      .aggregate<JoinedCounts>(
        [{ $match: { _id: inRange(wanted) } }, { $sort: sortOf(wanted) }, { $limit: limit }, joined],
        { session },
      )
      .toArray();
    const tuples = found?.tuples ?? [];
    return tuples.map((id, i) => ({ tuple: id.slice(index.length + 1), count: found?.counts[i] ?? 0 }));
  });
}
