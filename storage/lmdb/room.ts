import type { Change } from '../backend.js';
import { diskOf } from '../disk.js';
import type { WriteOperation } from './plan.js';

/** What a commit leaves of the disk. */
export interface DiskSpace {
  /** Bytes that later commits need for what is in the log already. */
  readonly pendingBytes: number;
  /**
   * Bytes that stay free beside those of the commit, for the pages of the index and for what others write to the disk
   * meanwhile.
   */
  readonly reserve: number;
  /** The same if the file of the store has much free space, which LMDB uses first. */
  readonly least: number;
  /**
   * The free space of the file that can be used. The file does not become smaller, so after a compaction only this has
   * grown. Absent: it is not known.
   */
  readonly usable?: () => number;
}

type Reserve = Pick<DiskSpace, 'reserve' | 'least'>;

const MIB = 1024 * 1024;

/**
 * Each kind of commit leaves less than those before it, because it makes room for them. So deletions find room after
 * other writes found none, the log can be carried into the objects after the last deletion, and be compacted after
 * that. If the file has much free space then, what is left is enough for all again. LMDB may still need new pages for
 * large values, whose pages must be neighbours, so here, too, deletions leave less than other writes.
 */
export const RESERVES = {
  writes: { reserve: 4 * MIB, least: 1.5 * MIB },
  removals: { reserve: 2.5 * MIB, least: 0.75 * MIB },
  bulks: { reserve: 2 * MIB, least: 0.5 * MIB },
  compactions: { reserve: 1.75 * MIB, least: 0.25 * MIB },
} as const satisfies Readonly<Record<string, Reserve>>;

/** The room of a process that fills or repairs a store while no server has it open. */
export const ALONE: DiskSpace = { ...RESERVES.writes, pendingBytes: 0 };

/**
 * The file has much free space if it has this many times what a commit needs: LMDB cannot use all of it at once, nor
 * for every value.
 */
const MUCH = 4;

/** Whether the disk may not have room for the operations. Their own bytes must be really free in any case. */
export function isFull(path: string, operations: readonly WriteOperation[], space: DiskSpace): boolean {
  const [{ free }, needed] = [diskOf(path), roomFor(operations) + space.pendingBytes];
  if (free >= needed + space.reserve) return false;
  return free < needed + space.least || (space.usable?.() ?? 0) < MUCH * (needed + space.least);
}

/**
 * Twice the bytes of the new pages of a commit: for each operation a copy of the page with its key, and the pages of a
 * large value. Some of the copies have copies above them.
 */
function roomFor(operations: readonly WriteOperation[]): number {
  let bytes = 0;
  for (const { value } of operations) bytes += roomOf(value instanceof Uint8Array ? value.byteLength : 0);
  return bytes;
}

/** The same for the objects of these changes. */
export function roomForObjects(changes: readonly Change[]): number {
  let bytes = 0;
  for (const { value } of changes) bytes += roomOf(value?.byteLength ?? 0);
  return bytes;
}

/** LMDB writes whole pages of this size. */
const PAGE = 4096;

/** The same for one value. A deletion has no bytes. */
export function roomOf(bytes: number): number {
  return 2 * PAGE * (bytes === 0 ? 1 : 2 + Math.ceil(bytes / PAGE));
}
