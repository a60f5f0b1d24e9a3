import type { ClientSession } from 'mongodb';
import type { Revision } from '../../backend.js';
import type { Key } from '../../key.js';
import type { Database } from '../connection/database.js';
import { type ChangeDocument, stagedId } from '../format/documents.js';
import { optionsOf } from './reading.js';

/** The most values that one command reads. */
const CHUNK_COUNT = 500;

/**
 * The id of a staged new value. It has the unique name of the commit, because its revision is only final with the
 * commit.
 */
export function stagedValueId(commit: string, revision: Revision): string {
  return `${commit}@${revision}`;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/**
 * The staged values of the changes of a commit, read in the snapshot, if one is given. Undefined if a compaction has
 * removed one.
 */
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
  const read = async (session: ClientSession): Promise<void> => {
    const options = optionsOf({ session, isSnapshot: snapshot !== undefined });
    for (let i = 0; i < ids.length; i += CHUNK_COUNT) {
      const wanted = { _id: { $in: ids.slice(i, i + CHUNK_COUNT) } };
      for await (const { _id, body } of database.staged.find(wanted, options)) found.set(_id, body);
    }
  };
  await (snapshot === undefined ? database.read(read) : read(snapshot));
  return found.size === new Set(ids).size ? found : undefined;
}
