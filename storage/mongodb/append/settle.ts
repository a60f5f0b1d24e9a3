import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientSession, type Document, MongoServerError } from 'mongodb';
import type { Revision } from '../../backend.js';
import type { Database } from '../connection/database.js';
import { fromOf } from '../format/documents.js';
import type { Prepared } from './prepare.js';

/** What became of an append whose answer was lost. Except for `unreachable`, it stays so. */
export type Settled =
  | 'committed'
  | 'absent'
  /** Its part of the log was compacted. */
  | 'forgotten'
  /** The database did not answer in time. */
  | 'unreachable';

/** ImmutableField: the statement that moves the end of the log found it elsewhere. */
const ELSEWHERE = 66;

/**
 * Whether the command of a commit has done all. False if it has done nothing. Throws if it is not certain, or if the
 * database refuses.
 */
export function isCommitted(reply: Document): boolean {
  const [error] = reply['writeErrors'] ?? [];
  if (error?.index === 0 && error.code === ELSEWHERE) return false;
  if (error !== undefined) throw new MongoServerError(error);
  const { writeConcernError } = reply;
  if (writeConcernError !== undefined) throw new MongoServerError(writeConcernError);
  return true;
}

/**
 * Repeats the command of an append until the database answers, for a limited time. `repeat` resolves with false if the
 * log ends elsewhere.
 */
export async function settle(database: Database, lost: Prepared, repeat: () => Promise<boolean>): Promise<Settled> {
  const deadline = performance.now() + database.timeouts.settle;
  const ask = async (): Promise<Settled> => ((await repeat()) ? 'committed' : await find(database, lost));
  for (let pause = 50; ; pause = Math.min(2 * pause, 1000)) {
    const settled = await ask().catch(() => 'unreachable' as const);
    if (settled !== 'unreachable' || performance.now() > deadline) return settled;
    await sleep(pause);
  }
}

/** The log ends elsewhere. Either the commit took place before, or it cannot take place any more. */
function find(database: Database, { after, batch }: Prepared): Promise<Settled> {
  return database.read(async (session) => {
    const log = await database.logHead.findOne({ _id: 'log' }, { session });
    // The last commit may have no document of its own.
    const next = log?.from === after + 1 ? log.commit : await commitAfter(database, session, after);
    const compaction = await database.compactionHead.findOne({ _id: 'compaction' }, { session });
    if (log === null) return 'unreachable';
    const isLast = log.commit === batch.commitId || log.writer.endsWith(` ${batch.commitId}`);
    if (isLast || next === batch.commitId) return 'committed';
    if (batch.changes.length === 0) return log.revision > after ? 'forgotten' : 'absent';
    if (next !== undefined || log.revision <= after) return 'absent';
    return (compaction?.revision ?? 0) > after ? 'forgotten' : 'unreachable';
  });
}

/** The name of the commit right after `after`, unless it was compacted. */
async function commitAfter(database: Database, session: ClientSession, after: Revision): Promise<string | undefined> {
  const options = { session, sort: { _id: 1 }, projection: { from: 1, commit: 1 } } as const;
  const found = await database.changes.findOne({ _id: { $gt: after } }, options);
  return found !== null && fromOf(found) === after + 1 ? found.commit : undefined;
}
