import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit, Revision } from '../../backend.js';
import { divergedError, isStorageError, StorageError } from '../../errors.js';
import type { LogPosition } from '../../log/log-end.js';
import type { RecentCommits } from '../append/recent.js';
import type { Database } from '../connection/database.js';
import type { LinkedCommit } from '../format/documents.js';
import { commitAt } from '../log/chain.js';
import { lastCommit } from '../log/last.js';
import { LogGap, readLog } from '../log/log.js';
import type { LogFollower } from './log-follower.js';

/** Used when a read finds less than the log is known to have, or when the database is unavailable. */
const SHORT_PAUSE = 20;
const MAX_PAUSE = 1000;

interface TailSource {
  readonly database: Database;
  readonly follower: LogFollower;
  readonly recent: RecentCommits;
}

/** Where a tail begins: after the commit `commitId`, if that is known. */
interface TailStart {
  readonly after: Revision;
  readonly commitId?: string | undefined;
  /** The revision up to which the caller has all commits, as `Backend.tail` says. */
  readonly known?: (() => Revision) | undefined;
}

/**
 * Implements Backend.tail. It passes over the commits of this server that the caller has already, because whoever reads
 * them looks at each change.
 */
export async function* tail(
  source: TailSource,
  { after, commitId, known = () => after }: TailStart,
  signal: AbortSignal,
): AsyncIterable<Commit> {
  const { follower, recent } = source;
  const { logId } = follower;
  let place: LogPosition = { revision: after, commitId };
  let checked = false;
  let pause = SHORT_PAUSE;
  while (!signal.aborted) {
    if (logId !== follower.logId) throw divergedError(place.revision);
    const found = next(recent, place) ?? (checked ? next(follower, place) : undefined);
    if (found !== undefined) {
      place = endOf(found);
      // The last one that the caller has tells it whether the log is still the one that it knows.
      if (found.end >= known()) yield found;
      continue;
    }
    if (checked && !follower.isBeyond(place.revision)) {
      await follower.wait(place.revision, signal);
      continue;
    }
    const before = place;
    try {
      if (!checked) await checkStart(source, place);
      checked = true;
      for await (const commit of readCommits(source, place, signal)) {
        place = endOf(commit);
        pause = SHORT_PAUSE;
        // Otherwise a log that was set back and has grown to the same revision would not be noticed by the next look.
        if (logId === follower.logId) follower.advance(place);
        yield commit;
        if (signal.aborted) return;
        if (recent.after(place.revision) !== undefined) break;
      }
    } catch (error) {
      if (isStorageError(error, 'compacted') || isStorageError(error, 'diverged')) throw error;
      if (signal.aborted) return;
      pause = Math.min(2 * pause, MAX_PAUSE);
    }
    if (place === before && (follower.isBeyond(place.revision) || !checked)) await pausing(pause, signal);
  }
}

function endOf({ end, id }: LinkedCommit): LogPosition {
  return { revision: end, commitId: id };
}

/** The commit right after a place, if it is one of these and continues the commit there. */
function next(commits: Pick<RecentCommits, 'after'>, { revision, commitId }: LogPosition): LinkedCommit | undefined {
  const found = commits.after(revision);
  return commitId === undefined || found?.parent === commitId ? found : undefined;
}

/** Throws `compacted` if changes after the place were removed, and `diverged` if the log is another one. */
async function checkStart({ database, follower }: TailSource, place: LogPosition): Promise<void> {
  await checkPoint(follower, place.revision);
  await checkPlace(database, follower, place);
}

/**
 * The log must have the commit that was read last. Otherwise it was set back or replaced, and maybe written to since.
 */
async function checkPlace(
  database: Database,
  follower: LogFollower,
  { revision, commitId }: LogPosition,
): Promise<void> {
  const { logId } = follower;
  if (commitId === undefined || (await commitAt(database, revision)) === commitId) return;
  follower.diverge(logId);
  throw divergedError(revision);
}

/** The commits after a place that exist now. Only a compaction can leave a gap. */
async function* readCommits(
  { database, follower }: TailSource,
  place: LogPosition,
  signal: AbortSignal,
): AsyncIterable<LinkedCommit> {
  const after = place.revision;
  const session = database.startReading();
  let isFirst = true;
  try {
    for await (const commit of readLog(database, { after }, { session })) {
      if (signal.aborted) return;
      if (isFirst && commit.parent !== place.commitId) await checkPlace(database, follower, place);
      isFirst = false;
      yield commit;
    }
    if (!isFirst || !follower.isBeyond(after)) return;
    await checkPoint(follower, after);
    const last = await lastCommit(database, after, { session });
    if (last === undefined) return;
    if (last.parent !== place.commitId) await checkPlace(database, follower, place);
    yield last;
  } catch (error) {
    if (error instanceof LogGap) await checkPoint(follower, error.position);
    throw error;
  } finally {
    await session.endSession();
  }
}

/** Throws `compacted` if changes after `position` were removed. */
async function checkPoint(follower: LogFollower, position: Revision): Promise<void> {
  await follower.look();
  if (position >= follower.point) return;
  throw new StorageError(
    'compacted',
    `The changes after ${position} were removed: the log starts after ${follower.point}.`,
  );
}

async function pausing(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
