import type { ClientSession } from 'mongodb';
import type { Put } from '../backend.js';
import { CountChanges, countedOf } from '../counted.js';
import type { Key } from '../key.js';
import { inCommands, type WriteCommand } from './commands.js';
import { countsOf, type Database, rowsOf } from './database.js';
import { type ObjectDocument, type RowDocument, rowId } from './documents.js';

/** The statements that one batch needs for the rows and counts of one resource. */
interface RowChanges {
  readonly removed: readonly string[];
  readonly added: readonly RowDocument[];
  readonly counts: CountChanges;
}

/**
 * Replaces the rows of the objects, and changes the counts by the difference. The old rows are in the stored objects, so the objects must be
 * replaced afterwards. `existing` are the keys that had an object before the batch. Nothing is read of new objects.
 */
export async function writeRows(
  database: Database,
  session: ClientSession,
  resource: string,
  puts: readonly Put[],
  existing: ReadonlySet<Key>,
): Promise<void> {
  const keys = puts.map((put) => put.key).filter((key) => existing.has(key));
  const changes = rowChanges(puts, keys.length === 0 ? [] : await findRows(database, session, resource, keys));
  for (const command of commandsOf(resource, changes)) await database.statement(session, command);
}

type OldRows = Pick<ObjectDocument, 'index' | 'counted'>;

function findRows(
  database: Database,
  session: ClientSession,
  resource: string,
  keys: readonly string[],
): Promise<readonly OldRows[]> {
  const wanted = { _id: { $in: keys }, index: { $exists: true } };
  return database
    .objects(resource)
    .find(wanted, { session, projection: { index: 1, counted: 1 } })
    .toArray();
}

function rowChanges(puts: readonly Put[], found: readonly OldRows[]): RowChanges {
  const old = new Set(found.flatMap(({ index = [] }) => index));
  const counts = new CountChanges();
  for (const { counted = [] } of found) counts.add(counted, []);
  const added: RowDocument[] = [];
  for (const { key, value, rows = [] } of puts) {
    if (value === undefined) continue;
    counts.add([], countedOf(rows));
    for (const _id of new Set(rows.map((row) => rowId(row, key)))) if (!old.delete(_id)) added.push({ _id, key });
  }
  return { removed: [...old], added, counts };
}

function* commandsOf(
  resource: string,
  { removed, added, counts }: RowChanges,
): Generator<WriteCommand, void, undefined> {
  const rows = rowsOf(resource);
  yield* inCommands(removed, lengthOf, (part) => removal(rows, { _id: { $in: part } }));
  yield* inCommands(
    added,
    ({ _id }) => _id.length,
    (documents) => ({ insert: rows, documents }),
  );
  yield* countCommands(countsOf(resource), [...counts]);
}

/** A count that reaches 0 is removed. */
function* countCommands(
  collection: string,
  changes: readonly (readonly [string, number])[],
): Generator<WriteCommand, void, undefined> {
  const update = (part: typeof changes): WriteCommand => ({
    update: collection,
    updates: part.map(([_id, by]) => ({ q: { _id }, u: { $inc: { count: by } }, upsert: true })),
    ordered: false,
  });
  yield* inCommands(changes, ([_id]) => _id.length, update);
  const smaller = changes.filter(([, by]) => by < 0).map(([_id]) => _id);
  yield* inCommands(smaller, lengthOf, (part) => removal(collection, { _id: { $in: part }, count: 0 }));
}

function removal(collection: string, q: object): WriteCommand {
  return { delete: collection, deletes: [{ q, limit: 0 }] };
}

function lengthOf(text: string): number {
  return text.length;
}
