import type { Revision } from '../../backend.js';
import type { LoggedCommit } from '../../transfer/snapshot.js';
import type { Database } from '../connection/database.js';
import {
  type ChangeDocument,
  commitOfChanges,
  fromOf,
  isWhole,
  type LinkedCommit,
  wholeCommit,
} from '../format/documents.js';
import { lastCommit } from './last.js';
import { segmentsOf } from './parts.js';
import { optionsOf, type Reading } from './reading.js';
import { unstage } from './staged.js';

const CHUNK = 500;

/** The log has no change right after a position. Only a compaction leaves a gap. */
export class LogGap extends Error {
  readonly position: Revision;

  constructor(position: Revision) {
    super(`The log has no change ${position + 1}, although it was not compacted.`);
    this.position = position;
  }
}

interface LogRange {
  readonly after: Revision;
  /** Absent: all that there is. */
  readonly through?: Revision | undefined;
}

/**
 * The commits in a range of the log, from one cursor, which the caller's session outlives. The first one has its
 * changes after `range.after` only. Throws LogGap if one is missing before the last one that there is.
 */
export async function* readLog(
  database: Database,
  { after, through }: LogRange,
  reading: Reading,
): AsyncGenerator<LoggedCommit & LinkedCommit, void, undefined> {
  let position = after;
  for await (const commit of commitsWithDocuments(database, { after, through }, reading)) {
    yield commit;
    position = commit.end;
  }
  if (through === undefined || position >= through) return;
  const last = await lastCommit(database, position, reading);
  if (last?.end === through) yield last;
  // If the log has gone on meanwhile, the commit has its document now.
  else yield* commitsWithDocuments(database, { after: position, through }, reading);
}

async function* commitsWithDocuments(
  database: Database,
  { after, through }: LogRange,
  reading: Reading,
): AsyncGenerator<LoggedCommit & LinkedCommit, void, undefined> {
  const { session, isSnapshot = false } = reading;
  const inRange = { _id: { $gt: after, ...(through !== undefined && { $lte: through }) } };
  const cursor = database.changes.find(inRange, { ...optionsOf(reading), sort: { _id: 1 }, batchSize: CHUNK });
  let open: ChangeDocument[] = [];
  let position = after;
  try {
    for await (const document of cursor) {
      if (fromOf(document) > position + 1) throw new LogGap(position);
      const before = position;
      position = document._id;
      // Later reads must be at least as new as this commit.
      if (!isSnapshot) database.advance(session);
      if (isWhole(document)) {
        const segments = await segmentsOf(database, document, reading);
        if (segments === undefined) throw new LogGap(document.from - 1);
        yield { ...wholeCommit(document, segments, before), at: document.at.getTime() };
        continue;
      }
      open.push(document);
      if (position < document.end) continue;
      const staged = await unstage(database, open, isSnapshot ? session : undefined);
      if (staged === undefined) throw new LogGap((open[0]?._id ?? 1) - 1);
      yield { ...commitOfChanges(open, staged), at: document.at.getTime() };
      open = [];
    }
  } finally {
    await cursor.close().catch(() => undefined);
  }
}
