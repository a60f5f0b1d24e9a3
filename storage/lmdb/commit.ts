import { statfs } from 'node:fs/promises';
import type { Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Operation } from './plan.js';
import { META, type Tables, versionOf } from './tables.js';

/**
 * Writes all operations in one LMDB transaction, durable when it resolves, if the log still ends at `end`; false, and nothing
 * written, if not. The lock on the folder excludes other writers; this check costs nothing and holds even where the lock does not.
 */
export async function commit(tables: Tables, end: Revision, operations: readonly Operation[]): Promise<boolean> {
  return tables.meta.ifVersion(META.end, versionOf(end), () => {
    try {
      for (const operation of operations) apply(tables, operation);
    } catch (error) {
      crash(error);
    }
  });
}

function apply(tables: Tables, { table, key, value, version }: Operation): void {
  if (value === undefined) tables[table].remove(key);
  else if (version === undefined) tables[table].put(key, value as Uint8Array);
  else tables[table].put(key, value as Uint8Array, version);
}

/** lmdb-js would commit what was put before the error: half a batch. Dying now loses it all, which is what the caller is promised. */
function crash(error: unknown): never {
  process.stderr.write(
    `The embedded store could not take a write it had accepted; the process ends so that no half of it is kept: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.abort();
}

/** ENOSPC, EDQUOT, EFBIG, ENOMEM, MDB_MAP_FULL, MDB_TXN_FULL: LMDB fails while writing pages, before the commit can be seen. */
const FULL: ReadonlySet<unknown> = new Set([28, 122, 27, 12, -30792, -30788]);
/** LMDB tells a short write, as a disk makes that is almost full, as an input/output error. */
const EIO = 5;

/** What became of a failed transaction: `unavailable` when surely nothing was written, `unknown` when the disk itself failed. */
export async function failureOf(error: unknown, path: string, operations: readonly Operation[]): Promise<StorageError> {
  const cause = await causeOf(error);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (FULL.has(code) || (code === EIO && (await isFull(path, sizeOf(operations))))) {
    return new StorageError('unavailable', `The disk of ${path} is full: nothing was written. Free some space.`, {
      cause,
    });
  }
  return new StorageError(
    'unknown',
    `The disk of ${path} failed (${cause instanceof Error ? cause.message : String(cause)}): it cannot be told whether the write is kept. Nothing more is written until the server is restarted.`,
    { cause },
  );
}

async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  return Promise.resolve(error.commitError).catch((cause: unknown) => cause);
}

/** LMDB copies each page it touches on the way from the root, so a commit needs several times its bytes. */
async function isFull(path: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize < 4 * bytes + 4 * 1024 * 1024;
}

function sizeOf(operations: readonly Operation[]): number {
  return operations.reduce((sum, { value }) => sum + (value instanceof Uint8Array ? value.byteLength : 100), 0);
}
