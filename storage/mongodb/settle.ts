import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import type { Revision } from '../backend.js';
import type { Database } from './database.js';
import { fromOf } from './documents.js';
import { hasCode } from './errors.js';
import type { Presence } from './presence.js';

/** An append whose answer was lost. */
export interface Lost {
  readonly after: Revision;
  readonly commit: string;
  readonly count: number;
}

/** What is known of an append whose answer was lost. */
export type SettleResult =
  | 'committed'
  | 'absent'
  /** Its part of the log was compacted. */
  | 'forgotten'
  /** The database did not answer in time. */
  | 'unreachable';

const FENCE_TIME = 1500;
const MAX_TIME_EXPIRED = 50;

/**
 * Finds out whether a lost append took place; retries for a limited time. With any other result than `unreachable`, it cannot take place
 * later.
 */
export async function settle(database: Database, presence: Presence, lost: Lost): Promise<SettleResult> {
  const deadline = performance.now() + database.timeouts.settle;
  for (let pause = 50; ; pause = Math.min(2 * pause, 1000)) {
    const outcome = await ask(database, presence, lost).catch(async (error: unknown) => {
      if (hasCode(error, MAX_TIME_EXPIRED)) await presence.killStale().catch(() => undefined);
      return 'unreachable' as const;
    });
    if (outcome !== 'unreachable' || performance.now() > deadline) return outcome;
    await sleep(pause);
  }
}

/**
 * Ends the transaction, if it is still open. Then writes, with a majority, to the document that the transaction changed; this write waits
 * for any transaction that holds the document. What a majority has after that is final.
 */
async function ask(database: Database, presence: Presence, lost: Lost): Promise<SettleResult> {
  await presence.clean();
  return database.read(async (session) => {
    await database.log.updateOne({ _id: 'log' }, { $inc: { fence: 1 } }, { session, maxTimeMS: FENCE_TIME });
    const log = await database.log.findOne({ _id: 'log' }, { session });
    const next = await commitAfter(database, session, lost.after);
    const compaction = await database.compaction.findOne({ _id: 'compaction' }, { session });
    database.advance(session);
    if (log === null) return 'unreachable';
    const isLast = log.commit === lost.commit || log.writer?.endsWith(` ${lost.commit}`);
    if (isLast || next === lost.commit) return 'committed';
    if (lost.count === 0) return log.revision > lost.after ? 'forgotten' : 'absent';
    if (next !== undefined || log.revision === lost.after) return 'absent';
    return (compaction?.revision ?? 0) > lost.after ? 'forgotten' : 'unreachable';
  });
}

/** The name of the commit right after `after`, unless it was compacted. */
async function commitAfter(database: Database, session: ClientSession, after: Revision): Promise<string | undefined> {
  const options = { session, sort: { _id: 1 }, projection: { from: 1, commit: 1 } } as const;
  const found = await database.changes.findOne({ _id: { $gt: after } }, options);
  return found !== null && fromOf(found) === after + 1 ? found.commit : undefined;
}
