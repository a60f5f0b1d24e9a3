import type { ClientSession } from 'mongodb';
import type { Batch, Put, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { inCommands, type WriteCommand } from './commands.js';
import { countsOf, type Database, rowsOf } from './database.js';
import {
  type ChangeDocument,
  counterField,
  type LogDocument,
  type ObjectDocument,
  objectDocument,
  textOf,
} from './documents.js';
import { sizeOf } from './recent.js';
import { writeRows } from './rows.js';
import { isStageable, STAGE_ABOVE, stagedValueId } from './staged.js';

/** A BSON document may have 16 MiB; the difference is for the fields beside the body. */
const MAX_SIZE = 15 * 1024 * 1024;

export interface Prepared {
  /** The id of the server that commits. */
  readonly server: string;
  readonly after: Revision;
  readonly batch: Batch;
  /** True if the values of the changes are staged. */
  readonly staged: boolean;
  /** By resource, the last change of each key. */
  readonly objects: ReadonlyMap<string, readonly Put[]>;
  /** The keys that had an object before the batch. */
  readonly existing: ReadonlySet<Key>;
  readonly texts: ReadonlyMap<Put, string>;
}

export function prepare(server: string, after: Revision, batch: Batch): Prepared {
  batch.changes.forEach((put, i) => {
    if (put.revision !== after + i + 1) {
      throw new Error(`The change of ${put.key} has the revision ${put.revision}, not ${after + i + 1}.`);
    }
    refuseTooLong(put);
  });
  const texts = new Map<Put, string>();
  for (const put of batch.changes) if (put.value !== undefined) texts.set(put, textOf(put.value));
  const staged = batch.changes.reduce((sum, put) => sum + sizeOf(put), 0) > STAGE_ABOVE;
  const objects = lastOfEach(batch.changes);
  return { server, after, batch, staged, objects, existing: existingBefore(batch.changes), texts };
}

/** The collections that a batch writes. */
export function collectionsOf({ objects }: Prepared): readonly string[] {
  return [...objects].flatMap(([resource, puts]) => [
    resource,
    ...(puts.some(hasRows) ? [rowsOf(resource)] : []),
    ...(puts.some(isCounted) ? [countsOf(resource)] : []),
  ]);
}

/**
 * Runs the statements of the transaction before its commit. Returns false if the log does not end at `after`. The first statement checks
 * that, and locks the document of the log against other servers until the commit.
 */
export async function writeBatch(database: Database, session: ClientSession, prepared: Prepared): Promise<boolean> {
  const log = await advanceLog(database, session, prepared);
  if (log === null) return false;
  for (const [resource, puts] of prepared.objects) {
    if (log.indexed.includes(resource)) await writeRows(database, session, resource, puts, prepared.existing);
    for (const command of objectCommands(resource, puts, prepared)) await database.statement(session, command);
  }
  const documents = changeDocuments(prepared, log.at);
  const insert = (part: readonly ChangeDocument[]): WriteCommand => ({ insert: 'changes', documents: part });
  for (const command of inCommands(documents, bodyLength, insert)) await database.statement(session, command);
  return true;
}

type Head = Pick<LogDocument, 'at' | 'indexed'>;

/** The update is a pipeline, so that the time is the database's and never before that of the last commit. */
async function advanceLog(database: Database, session: ClientSession, prepared: Prepared): Promise<Head | null> {
  const { server, after, batch, objects } = prepared;
  const indexed = [...objects].flatMap(([resource, puts]) => (puts.some(hasRows) ? [resource] : []));
  const counters = [...batch.counters].map(([resource, value]) => [`counters.${counterField(resource)}`, value]);
  const update = {
    revision: after + batch.changes.length,
    commit: { $literal: batch.commit },
    writer: { $literal: `${server} ${batch.commit}` },
    at: { $max: ['$at', '$$NOW'] },
    ...Object.fromEntries(counters),
    ...(indexed.length > 0 && { indexed: { $setUnion: ['$indexed', { $literal: indexed }] } }),
  };
  const reply = await database.statement(session, {
    findAndModify: 'log',
    query: { _id: 'log', revision: after },
    update: [{ $set: update }],
    new: true,
    fields: { at: 1, indexed: 1 },
  });
  return reply['value'];
}

/** Inserts of new objects cost the database half as much as updates that insert, but a command of their own. */
const INSERTED_FROM = 4;

function objectCommands(
  resource: string,
  puts: readonly Put[],
  { texts, existing }: Prepared,
): readonly WriteCommand[] {
  const fresh: ObjectDocument[] = [];
  const changed: ObjectDocument[] = [];
  const gone: string[] = [];
  for (const put of puts) {
    const body = texts.get(put);
    if (body === undefined) gone.push(put.key);
    else (existing.has(put.key) ? changed : fresh).push(objectDocument(put, body));
  }
  const isInserted = changed.length === 0 || fresh.length >= INSERTED_FROM;
  return [
    ...inCommands(isInserted ? fresh : [], sizeOfBody, (documents) => ({ insert: resource, documents })),
    ...inCommands(isInserted ? changed : [...fresh, ...changed], sizeOfBody, (part) => replacement(resource, part)),
    ...inCommands(
      gone,
      (key) => key.length,
      (part) => ({
        delete: resource,
        deletes: [{ q: { _id: { $in: part } }, limit: 0 }],
      }),
    ),
  ];
}

function sizeOfBody({ body }: ObjectDocument): number {
  return body.length;
}

function replacement(resource: string, documents: readonly ObjectDocument[]): WriteCommand {
  const updates = documents.map(({ _id, ...u }) => ({ q: { _id }, u, upsert: true }));
  return { update: resource, updates, ordered: false };
}

function changeDocuments({ after, batch, staged, texts }: Prepared, at: Date): ChangeDocument[] {
  const end = after + batch.changes.length;
  const counters = Object.fromEntries([...batch.counters].map(([resource, n]) => [counterField(resource), n]));
  return batch.changes.map((put) => {
    const { key, revision, previous } = put;
    const body = texts.get(put);
    const before = previous && {
      revision: previous.revision,
      ...(!(staged && isStageable(put, after)) && { body: textOf(previous.value) }),
    };
    return {
      _id: revision,
      end,
      commit: batch.commit,
      at,
      key,
      ...(body !== undefined && (staged ? { staged: stagedValueId(batch.commit, revision) } : { body })),
      ...(before && { previous: before }),
      ...(revision === end && batch.counters.size > 0 && { counters }),
    };
  });
}

function bodyLength({ body = '', previous }: ChangeDocument): number {
  return body.length + (previous?.body?.length ?? 0);
}

function lastOfEach(puts: readonly Put[]): ReadonlyMap<string, readonly Put[]> {
  const byResource = new Map<string, Map<Key, Put>>();
  for (const put of puts) {
    const resource = resourceOf(put.key);
    const own = byResource.get(resource) ?? new Map<Key, Put>();
    byResource.set(resource, own.set(put.key, put));
  }
  return new Map([...byResource].map(([resource, own]) => [resource, [...own.values()]]));
}

/** The first change of a key tells. */
function existingBefore(puts: readonly Put[]): ReadonlySet<Key> {
  const first = new Map<Key, Put>();
  for (const put of puts) if (!first.has(put.key)) first.set(put.key, put);
  return new Set([...first.values()].filter(({ previous }) => previous !== undefined).map(({ key }) => key));
}

function isCounted({ value, rows = [] }: Put): boolean {
  return value !== undefined && rows.some(({ counted }) => counted !== undefined);
}

function hasRows(put: Put): boolean {
  return put.value !== undefined && put.rows !== undefined && put.rows.length > 0;
}

function refuseTooLong(put: Put): void {
  const rows = (put.rows ?? []).reduce(
    (sum, row) => sum + 4 * (row.index.length + row.tuple.length + put.key.length),
    0,
  );
  const size = (put.value?.byteLength ?? 0) + rows;
  if (size <= MAX_SIZE) return;
  throw new StorageError(
    'rejected',
    `${put.key} takes ${size} bytes, but MongoDB can store at most ${MAX_SIZE} for one object.`,
    {
      key: put.key,
    },
  );
}
