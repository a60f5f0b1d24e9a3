import type { Transaction } from 'lmdb';
import { runSteps, type Steps } from '../../pkg/system/yielding/steps.js';
import type { Commit, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import { commitOf, type DecodeOptions, decodeHeader, type Header } from '../log/segment.js';
import { type End, type LmdbTables, META } from './tables.js';

/**
 * The bytes that a tail reads at once. Each read ends before its caller sees the result, so that slow readers keep no
 * old pages.
 */
const CHUNK = 256 * 1024;
const KEYS_PER_CHUNK = 128;

export function logKey(end: Revision, segment: number): Buffer {
  const key = Buffer.allocUnsafeSlow(12);
  key.writeBigUInt64BE(BigInt(end));
  key.writeUInt32BE(segment, 8);
  return key;
}

/** The end of the commit that the segment with this key belongs to. */
export function endOf(key: Uint8Array): Revision {
  return Number(Buffer.from(key.buffer, key.byteOffset, key.byteLength).readBigUInt64BE());
}

/** Commits after `after` of a log that ends at `end`: at least one, and at most a chunk. */
export function readCommits(
  tables: LmdbTables,
  after: Revision,
  end: Revision,
  { hasPrevious = true, ...snapshot }: { readonly transaction?: Transaction } & DecodeOptions = {},
): readonly Commit[] {
  const commits: Commit[] = [];
  let segments: Uint8Array[] = [];
  let [size, position] = [0, after];
  const range = { start: logKey(after + 1, 0), end: logKey(end + 1, 0), ...snapshot };
  for (const { key, value } of tables.log.getRange(range)) {
    segments.push(value);
    size += value.byteLength;
    const header = decodeHeader(value);
    if (header.first > position + 1) break;
    if (!header.last) continue;
    position = endOf(key);
    commits.push(commitOf(position, segments, after, { hasPrevious }));
    segments = [];
    if (size >= CHUNK) break;
  }
  if (commits.length > 0) return commits;
  throw new StorageError(
    'unavailable',
    `The log of the embedded store is damaged: change ${position + 1} is missing although the log ends at ${end}. Restore the data folder from a backup.`,
  );
}

/** The id of the commit that ends at a revision, if the log has it. */
export function commitAt(tables: LmdbTables, revision: Revision): string | undefined {
  const last = tables.meta.get(META.end) as End;
  if (last.end === revision) return last.commit;
  const commit = commitWith(tables, revision);
  return commit?.end === revision ? commit.header.commit : undefined;
}

/** Finds the last commit before `moment` by bisection: the times in the log never decrease. */
export function lastBefore(tables: LmdbTables, moment: number, compacted: Revision, end: Revision): Revision {
  return runSteps(lastBeforeSteps(() => tables, moment, compacted, end));
}

/** The same in steps, because each look reads a whole record. `newest` returns the tables as they are now. */
export function* lastBeforeSteps(
  newest: () => LmdbTables,
  moment: number,
  compacted: Revision,
  end: Revision,
): Steps<Revision> {
  let [last, low, high] = [0, compacted, end];
  while (low < high) {
    const middle = low + 1 + Math.floor((high - low - 1) / 2);
    const commit = commitWith(newest(), middle);
    if (commit !== undefined && commit.header.at < moment) {
      last = commit.end;
      low = commit.end;
    } else {
      high = Math.min(middle, commit?.header.first ?? middle) - 1;
    }
    yield;
  }
  return last;
}

function commitWith(
  tables: LmdbTables,
  revision: Revision,
): { readonly end: Revision; readonly header: Header } | undefined {
  for (const { key, value } of tables.log.getRange({ start: logKey(revision, 0), limit: 1 })) {
    return { end: endOf(key), header: decodeHeader(value) };
  }
  return undefined;
}

/** Some keys of commits that end at or before `through`; empty if there are none left. */
export function keysThrough(tables: LmdbTables, through: Revision): readonly Uint8Array[] {
  return [...tables.log.getKeys({ start: logKey(0, 0), end: logKey(through + 1, 0), limit: KEYS_PER_CHUNK })];
}
