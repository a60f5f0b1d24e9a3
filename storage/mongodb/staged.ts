import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import type { Batch, Put, Revision } from '../backend.js';
import type { Key } from '../key.js';
import type { Database } from './database.js';
import { type ChangeDocument, type StagedDocument, stagedId, textOf } from './documents.js';
import { isDuplicateKey } from './errors.js';

/** If a batch has more bytes than this, the values of its changes are written before the commit, which then writes only the objects. */
export const STAGE_ABOVE = 4 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const CHUNK_COUNT = 500;

/**
 * Whether the previous value can be staged, which needs it to be older than the batch. A committed (object, revision) never changes, so
 * staging it is idempotent.
 */
export function isStageable(put: Put, after: Revision): boolean {
  return put.previous !== undefined && put.previous.revision <= after;
}

/** The id of a staged new value. It has the unique name of the commit, because its revision is only final with the commit. */
export function stagedValueId(commit: string, revision: Revision): string {
  return `${commit}@${revision}`;
}

/** Writes the values of a large batch before its commit, in chunks, so that others can work in between. */
export async function stage(database: Database, after: Revision, batch: Batch): Promise<void> {
  let chunk: StagedDocument[] = [];
  let length = 0;
  for (const put of batch.changes) {
    for (const staged of stagedOf(after, batch.commit, put)) {
      chunk.push(staged);
      length += staged.body.length;
    }
    if (length < CHUNK_BYTES && chunk.length < CHUNK_COUNT) continue;
    await writeChunk(database, chunk);
    await turn();
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) await writeChunk(database, chunk);
}

function stagedOf(after: Revision, commit: string, put: Put): readonly StagedDocument[] {
  const { key, revision, value, previous } = put;
  const staged: StagedDocument[] = [];
  if (value !== undefined) {
    staged.push({ _id: stagedValueId(commit, revision), body: textOf(value), change: revision });
  }
  if (previous !== undefined && isStageable(put, after)) {
    staged.push({ _id: stagedId(key, previous.revision), body: textOf(previous.value), change: revision });
  }
  return staged;
}

async function writeChunk(database: Database, chunk: readonly StagedDocument[]): Promise<void> {
  const operations = chunk.map(({ _id, body, change }) => ({
    updateOne: { filter: { _id }, update: { $set: { body }, $max: { change } }, upsert: true },
  }));
  const write = () => database.staged.bulkWrite(operations, { ordered: false });
  // If two servers stage the same value at once, one may get a duplicate key error; a retry then updates the document.
  await write().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The staged values of the changes of a commit, read in the snapshot, if one is given. Undefined if a compaction has removed one. */
export async function unstage(
  database: Database,
  documents: readonly ChangeDocument[],
  snapshot?: ClientSession,
): Promise<ReadonlyMap<string, string> | undefined> {
  const ids = documents.flatMap(({ key, staged, previous }) => [
    ...(staged === undefined ? [] : [staged]),
    ...(previous === undefined || previous.body !== undefined ? [] : [stagedId(key as Key, previous.revision)]),
  ]);
  if (ids.length === 0) return NOTHING;
  const found = new Map<string, string>();
  // Otherwise, the level of the connection would be used, which MongoDB refuses in a snapshot.
  const concern = snapshot === undefined ? {} : ({ readConcern: { level: 'snapshot' } } as const);
  const read = async (session: ClientSession): Promise<void> => {
    for (let i = 0; i < ids.length; i += CHUNK_COUNT) {
      const wanted = { _id: { $in: ids.slice(i, i + CHUNK_COUNT) } };
      for await (const { _id, body } of database.staged.find(wanted, { session, ...concern })) found.set(_id, body);
    }
  };
  await (snapshot === undefined ? database.read(read) : read(snapshot));
  return found.size === new Set(ids).size ? found : undefined;
}
