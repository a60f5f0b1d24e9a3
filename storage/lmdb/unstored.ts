import type { Transaction } from 'lmdb';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Commit, Revision, Stored } from '../backend.js';
import type { Key } from '../key.js';
import { objectOf, ofResource, overlaid, Result } from '../log/overlay.js';
import { readCommits } from './log.js';
import { findAll, readCounters, readObjects } from './objects.js';
import { type End, type LmdbTables, META } from './tables.js';

/** The transaction that a reader looks through. Without one, it is the newest. */
interface Snapshot {
  readonly transaction?: Transaction;
}

/** The revision up to which the changes of the log are in the objects. */
export function storedThrough({ meta }: LmdbTables, snapshot: Snapshot = {}): Revision {
  const stored = meta.get(META.stored, snapshot) as Revision | undefined;
  return stored ?? (meta.get(META.end, snapshot) as End).end;
}

/** What the log has beyond the objects, in one snapshot. The next call changes the result. */
export function unstoredOf(tables: LmdbTables, snapshot: Snapshot = {}): Result {
  const { end } = tables.meta.get(META.end, snapshot) as End;
  const stored = storedThrough(tables, snapshot);
  const before = LAST.get(tables);
  const last = before?.stored === stored && before.end <= end ? before : { stored, end: stored, result: new Result() };
  for (let commits: readonly Commit[]; last.end < end; last.end = commits.at(-1)?.end ?? end) {
    commits = readCommits(tables, last.end, end, { ...snapshot, hasPrevious: false });
    last.result.add(commits);
  }
  LAST.set(tables, last);
  return last.result;
}

interface LastRead {
  readonly stored: Revision;
  end: Revision;
  readonly result: Result;
}

/** What was read last, because a server that starts asks once for each resource. */
const LAST = new WeakMap<LmdbTables, LastRead>();

/** Frees the memory of what was read last. */
export function forgetUnstored(tables: LmdbTables): void {
  LAST.delete(tables);
}

/** The objects of a resource with all changes of the log, in chunks. `newest` returns the tables as they are now. */
export async function* loadNewest(newest: () => LmdbTables, resource: string): AsyncIterable<readonly Stored[]> {
  yield* overlaid(chunksOf(newest, resource), ofResource(unstoredOf(newest()), resource));
}

async function* chunksOf(newest: () => LmdbTables, resource: string): AsyncIterable<readonly Stored[]> {
  let last: Key | undefined;
  for (;;) {
    const chunk = readObjects(newest(), resource, last);
    last = chunk.at(-1)?.key;
    if (last === undefined) return;
    yield chunk;
    // A caller that only collects the chunks must not block the event loop.
    await yieldToLoop();
  }
}

/** These objects with all changes of the log. */
export function getNewest(tables: LmdbTables, keys: readonly Key[]): ReadonlyMap<Key, Stored> {
  const objects = findAll(tables, keys);
  const { changes } = unstoredOf(tables);
  for (const key of keys) {
    const change = changes.get(key);
    if (change === undefined) continue;
    objects.delete(key);
    for (const stored of objectOf(change)) objects.set(key, stored);
  }
  return objects;
}

/** The internal id counters with all changes of the log. */
export function countersNow(tables: LmdbTables, snapshot: Snapshot = {}): ReadonlyMap<string, number> {
  const known = readCounters(tables, snapshot);
  return new Map([...known, ...withLarger(known, unstoredOf(tables, snapshot).counters)]);
}

/**
 * A commit without changes has no place in the log. It writes its counters at once, so they may be ahead of those of
 * the log.
 */
export function withLarger(
  known: ReadonlyMap<string, number>,
  counters: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...counters].map(([resource, value]) => [resource, Math.max(value, known.get(resource) ?? 0)]));
}
