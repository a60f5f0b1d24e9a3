import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit, Revision } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import type { Database } from './database.js';
import { type ChangeDocument, commitOfChanges, fromOf, isWhole, wholeCommit } from './documents.js';
import type { Pulse } from './pulse.js';
import type { RecentCommits } from './recent.js';
import { unstage } from './staged.js';

const CHUNK = 500;
/** Used when a read finds less than the log is known to have, or when the database is unavailable. */
const SHORT_PAUSE = 20;
const MAX_PAUSE = 1000;

export interface TailSource {
  readonly database: Database;
  readonly pulse: Pulse;
  readonly recent: RecentCommits;
}

/** Implements Backend.tail. */
export async function* tail(source: TailSource, after: Revision, signal: AbortSignal): AsyncIterable<Commit> {
  const { pulse, recent } = source;
  let position = after;
  let checked = false;
  let pause = SHORT_PAUSE;
  while (!signal.aborted) {
    const known = recent.after(position) ?? (checked ? pulse.after(position) : undefined);
    if (known !== undefined) {
      position = known.end;
      yield known;
      continue;
    }
    if (checked && !pulse.isBeyond(position)) {
      await pulse.wait(position, signal);
      continue;
    }
    const before = position;
    try {
      if (!checked) await checkPoint(pulse, position);
      checked = true;
      for await (const commit of readCommits(source, position, signal)) {
        position = commit.end;
        pause = SHORT_PAUSE;
        yield commit;
        if (signal.aborted) return;
        if (recent.after(position) !== undefined) break;
      }
    } catch (error) {
      if (isStorageError(error, 'compacted')) throw error;
      if (signal.aborted) return;
      pause = Math.min(2 * pause, MAX_PAUSE);
    }
    if (position === before && (pulse.isBeyond(position) || !checked)) await pausing(pause, signal);
  }
}

/** The commits after `after` that exist now, from one cursor. Only a compaction can leave a gap. */
async function* readCommits(
  { database, pulse }: TailSource,
  after: Revision,
  signal: AbortSignal,
): AsyncIterable<Commit> {
  const session = database.startReading();
  const cursor = database.changes.find(
    { _id: { $gt: after } },
    { session, sort: { _id: 1 }, batchSize: CHUNK, projection: { commit: 0, at: 0 } },
  );
  let commit: ChangeDocument[] = [];
  let position = after;
  try {
    for await (const document of cursor) {
      if (signal.aborted) return;
      if (fromOf(document) > position + 1) await explainGap(pulse, position);
      const before = position;
      position = document._id;
      if (isWhole(document)) {
        database.advance(session);
        yield wholeCommit(document, before);
        continue;
      }
      commit.push(document);
      if (position < document.end) continue;
      // Later reads must be at least as new as this commit.
      database.advance(session);
      const staged = await unstage(database, commit);
      if (staged === undefined) await explainGap(pulse, commit[0]?._id ?? 0);
      else yield commitOfChanges(commit, staged);
      commit = [];
    }
    if (position === after && pulse.isBeyond(after)) await checkPoint(pulse, after);
  } finally {
    await cursor.close().catch(() => undefined);
    await session.endSession();
  }
}

/** Throws `compacted` if changes after `position` were removed. */
async function checkPoint(pulse: Pulse, position: Revision): Promise<void> {
  await pulse.look();
  if (position >= pulse.point) return;
  throw new StorageError(
    'compacted',
    `The changes after ${position} were removed: the log starts after ${pulse.point}.`,
  );
}

async function explainGap(pulse: Pulse, position: Revision): Promise<never> {
  await checkPoint(pulse, position);
  throw new Error(`The log has no change ${position + 1}, although it was not compacted.`);
}

async function pausing(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
