import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Commit, Revision } from '../backend.js';
import { Result } from '../log/overlay.js';
import { decodeHeader } from '../log/segment.js';
import { LEAST_WEIGHT, weightOf } from '../log/weight.js';
import { logKey, readCommits } from './log.js';
import { readCounters } from './objects.js';
import { planCounters, planObjects, type WriteOperation } from './plan.js';
import { roomForObjects, roomOf } from './room.js';
import { type LmdbTables, META } from './tables.js';
import { withLarger } from './unstored.js';

/**
 * The weight of the changes that one transaction carries into the objects. More would keep appends waiting for longer
 * than some milliseconds.
 */
export const BULK = 1024 * 1024;
/** For another try on a disk without room for so much. 0 means one commit. */
export function smallerLimit(limit: number): number {
  return limit <= LEAST_WEIGHT ? 0 : Math.floor(limit / 8);
}

/** What several neighbouring commits leave. */
export interface MaterializedCommits {
  readonly through: Revision;
  readonly result: Result;
  /** The room that their changes owe the objects. */
  readonly pendingBytes: number;
}

/** What one transaction writes to carry the next changes of the log into the objects. */
export interface Bulk extends Pick<MaterializedCommits, 'through' | 'pendingBytes'> {
  readonly operations: readonly WriteOperation[];
}

/** At least one commit, and not more than about `limit` bytes of others. */
export async function bulkAfter(tables: LmdbTables, stored: Revision, end: Revision, limit = BULK): Promise<Bulk> {
  const commits: Commit[] = [];
  let [through, weight, pendingBytes] = [stored, 0, 0];
  while (through < end && (weight < limit || through === stored)) {
    for (const commit of readCommits(tables, through, end, { hasPrevious: false })) {
      if (weight >= limit && commits.length > 0) break;
      commits.push(commit);
      through = commit.end;
      weight += weightOf(commit.changes);
      pendingBytes += roomForObjects(commit.changes);
    }
    await yieldToLoop();
  }
  return bulkOf(tables, { through, pendingBytes, result: new Result().add(commits) });
}

/** The room that the changes after a revision owe the objects. */
export function pendingBytesAfter({ log }: LmdbTables, stored: Revision): number {
  let pendingBytes = 0;
  for (const { value } of log.getRange({ start: logKey(stored + 1, 0) }))
    for (const [, length] of decodeHeader(value).changes) pendingBytes += roomOf(Math.max(0, length));
  return pendingBytes;
}

/** A bulk of what is in memory. */
export function bulkOf(tables: LmdbTables, { through, pendingBytes, result }: MaterializedCommits): Bulk {
  return { through, pendingBytes, operations: operationsOf(through, tables, result) };
}

/** In the order of the keys, so that neighbours share pages. */
function operationsOf(through: Revision, tables: LmdbTables, { changes, counters }: Result): readonly WriteOperation[] {
  const objects = [...planObjects([...changes.values()])].sort((a, b) => Buffer.compare(a.key, b.key));
  const counted = planCounters(counters.size === 0 ? counters : withLarger(readCounters(tables), counters));
  return [...objects, ...counted, { table: 'meta', key: META.stored, value: through, version: 1 }];
}
