import { setImmediate as turn } from 'node:timers/promises';
import type { Put, Revision } from '../backend.js';
import type { Key } from '../key.js';
import type { Database } from './database.js';
import { type ChangeDocument, stagedId, textOf } from './documents.js';
import { isDuplicateKey } from './errors.js';

/** A batch with more bytes than this keeps its previous values out of the commit. */
export const STAGE_ABOVE = 4 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const CHUNK_COUNT = 500;

/** Only what was there before the batch: an (object, revision) that is committed never changes, so staging is idempotent. */
export function isStageable(put: Put, after: Revision): boolean {
  return put.previous !== undefined && put.previous.revision <= after;
}

/** Writes the previous values of a large batch ahead of its commit, in chunks that let others work in between. */
export async function stage(database: Database, after: Revision, puts: readonly Put[]): Promise<void> {
  let chunk: Put[] = [];
  let bytes = 0;
  for (const put of puts.filter((candidate) => isStageable(candidate, after))) {
    chunk.push(put);
    bytes += put.previous?.value.byteLength ?? 0;
    if (bytes < CHUNK_BYTES && chunk.length < CHUNK_COUNT) continue;
    await writeChunk(database, chunk);
    await turn();
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) await writeChunk(database, chunk);
}

async function writeChunk(database: Database, puts: readonly Put[]): Promise<void> {
  const operations = puts.flatMap(({ key, revision, previous }) =>
    previous === undefined
      ? []
      : {
          updateOne: {
            filter: { _id: stagedId(key, previous.revision) },
            update: { $setOnInsert: { body: textOf(previous.value) }, $max: { change: revision } },
            upsert: true,
          },
        },
  );
  const write = () => database.staged.bulkWrite(operations, { ordered: false });
  // Of two servers that stage the same value at once one may be told of a duplicate; then it is there to be updated.
  await write().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The staged previous values of a commit's changes; undefined if compaction has taken one away. */
export async function unstage(
  database: Database,
  documents: readonly ChangeDocument[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const ids = documents.flatMap(({ key, previous }) =>
    previous === undefined || previous.body !== undefined ? [] : stagedId(key as Key, previous.revision),
  );
  if (ids.length === 0) return NOTHING;
  const found = new Map<string, string>();
  await database.read(async (session) => {
    for (let i = 0; i < ids.length; i += CHUNK_COUNT) {
      const wanted = { _id: { $in: ids.slice(i, i + CHUNK_COUNT) } };
      for await (const { _id, body } of database.staged.find(wanted, { session })) found.set(_id, body);
    }
  });
  return found.size === new Set(ids).size ? found : undefined;
}
