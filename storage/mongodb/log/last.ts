import type { ClientSession } from 'mongodb';
import type { Revision } from '../../backend.js';
import type { LoggedCommit } from '../../transfer/snapshot.js';
import type { Database } from '../connection/database.js';
import { isDuplicateKey } from '../connection/errors.js';
import { type LinkedCommit, type LogDocument, wholeCommit } from '../format/documents.js';
import { segmentsOf } from './parts.js';
import { optionsOf, type Reading } from './reading.js';

/**
 * The last commit of the log, if it begins right after a position. The document of the log has it, too, because the
 * database may have stopped before it wrote the document of the commit.
 */
export async function lastCommit(
  database: Database,
  position: Revision,
  reading: Reading,
): Promise<(LoggedCommit & LinkedCommit) | undefined> {
  const log = await database.logHead.findOne({ _id: 'log' }, optionsOf(reading));
  if (log === null || log.from !== position + 1) return undefined;
  const segments = await segmentsOf(database, log, reading);
  if (segments === undefined) return undefined;
  return { ...wholeCommit({ ...log, _id: log.revision }, segments, position), at: log.at.getTime() };
}

/**
 * Whoever moves the end of the log calls this before, so that the commit there keeps its place in the log. A compacted
 * one needs none.
 */
export function writeLast(database: Database, revision: Revision): Promise<void> {
  return database.read((session) => writeLastIn(database, revision, session));
}

async function writeLastIn(database: Database, revision: Revision, session: ClientSession): Promise<void> {
  const found = await database.changesAndHeads
    .find({ _id: { $in: ['log', 'compaction', revision] } }, { session })
    .toArray();
  const head = (id: string | number) => found.find(({ _id }) => _id === id);
  const log = head('log') as LogDocument | undefined;
  const isThere = head(revision) !== undefined || (head('compaction')?.['revision'] ?? 0) >= revision;
  if (isThere || log?.revision !== revision || log.from === undefined) return;
  const { from, commit, parent, segment, parts, at } = log;
  const content = { from, commit, ...(parent !== undefined && { parent }), ...(segment ? { segment } : { parts }) };
  // Another server may be faster.
  await database.changesAndHeads
    .updateOne({ _id: revision }, { $setOnInsert: { ...content, at } }, { session, upsert: true })
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
}
