import { messageOf } from '../../pkg/system/errors/message.js';
import { Yielder } from '../../pkg/system/yielding/yielding.js';
import type { Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { WriteGate } from './gate.js';
import type { WriteOperation } from './plan.js';
import { ALONE, type DiskSpace, isFull } from './room.js';
import { type LmdbTables, META, versionOf } from './tables.js';

/**
 * Writes all operations in one LMDB transaction if the log still ends at `end`. Returns false, and writes nothing, if
 * it does not. The transaction is durable when the promise resolves. The lock on the folder excludes other writers;
 * this check is free, and is right even where the lock fails.
 */
export async function commit(
  tables: LmdbTables,
  end: Revision,
  operations: readonly WriteOperation[],
): Promise<boolean> {
  return tables.meta.ifVersion(META.end, versionOf(end), () => {
    try {
      for (const { table, key, value, version } of operations) {
        if (value === undefined) tables[table].remove(key);
        else if (version === undefined) tables[table].put(key, value as Uint8Array);
        else tables[table].put(key, value as Uint8Array, version);
      }
    } catch (error) {
      crash(error);
    }
  });
}

/** More are handed over in parts. It takes some milliseconds to hand over 10,000. */
const MOST_AT_ONCE = 2000;
const PART = 200;

/**
 * The same for any number of operations, in steps: the event loop takes its turns in between. Only the last operation
 * may write the end of the log.
 */
export async function commitInParts(
  gate: WriteGate,
  tables: LmdbTables,
  end: Revision,
  operations: readonly WriteOperation[],
): Promise<boolean> {
  if (operations.length <= MOST_AT_ONCE) return commit(tables, end, operations);
  const open = await gate.shut();
  const parts: Promise<boolean>[] = [];
  const yielder = new Yielder();
  try {
    for (let from = 0; from < operations.length; from += PART) {
      parts.push(commit(tables, end, operations.slice(from, from + PART)));
      if (yielder.isDue) await yielder.yield();
    }
  } catch (error) {
    // A gate that stays shut would block every later write, and one that opens would let a part of the write through.
    crash(error);
  }
  // All parts are in the same transaction, so either the log ends at `end` for all of them or for none.
  const [done] = await Promise.all([Promise.all(parts), open()]);
  return done.every(Boolean);
}

/** The same for a process that fills or repairs a store while no server has it open. Throws StorageErrors only. */
export async function commitAlone(
  tables: LmdbTables,
  path: string,
  end: Revision,
  operations: readonly WriteOperation[],
): Promise<void> {
  refuseIfFull(path, operations, ALONE);
  let isDone: boolean;
  try {
    isDone = await commit(tables, end, operations);
  } catch (error) {
    throw await failureOf(error, path, operations, ALONE);
  }
  if (!isDone) throw new StorageError('refused', `Another process has written to the store in ${path}.`);
}

/**
 * Ends the process. Otherwise lmdb-js would commit the operations before the error, which are a part of the batch. This
 * way, nothing of it is stored.
 */
function crash(error: unknown): never {
  process.stderr.write(
    `The embedded store failed in the middle of a write; the process ends so that no part of the write is stored: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.abort();
}

/**
 * ENOSPC, EDQUOT, EFBIG, ENOMEM, MDB_MAP_FULL, MDB_TXN_FULL: LMDB fails while it writes pages, before the commit is
 * visible.
 */
const FULL: ReadonlySet<unknown> = new Set([28, 122, 27, 12, -30792, -30788]);
/** LMDB reports a short write, which happens on an almost full disk, as an input/output error. */
const EIO = 5;

/**
 * Throws `unavailable` if the disk may not have room for the operations. LMDB must not find that out: lmdb-js 3.5
 * writes the message of a failed page into memory that is too short for it, and the process may end. The look takes
 * microseconds, so every commit can afford it.
 */
export function refuseIfFull(path: string, operations: readonly WriteOperation[], space: DiskSpace): void {
  if (isFull(path, operations, space)) throw fullError(path);
}

/**
 * The error of a failed transaction: `unavailable` if certainly nothing was written, `unknown` if the disk itself
 * failed.
 */
export async function failureOf(
  error: unknown,
  path: string,
  operations: readonly WriteOperation[],
  space: DiskSpace,
): Promise<StorageError> {
  const cause = await causeOf(error);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (FULL.has(code) || (code === EIO && isFull(path, operations, space))) return fullError(path, cause);
  return new StorageError(
    'unknown',
    `The disk of ${path} failed (${messageOf(cause)}): it is unknown whether the write is stored. The server writes nothing more until it is restarted.`,
    { cause },
  );
}

function fullError(path: string, cause?: unknown): StorageError {
  return new StorageError('unavailable', `The disk of ${path} is full, so nothing was written. Free some space.`, {
    cause,
    isFull: true,
  });
}

async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((cause: unknown) => cause);
}
