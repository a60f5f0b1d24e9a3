import { accessSync, closeSync, constants, lstatSync, mkdirSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import type { Bytes } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { openRoot, openTables, type Tables } from './tables.js';

/** Within one process the operating system's lock does not exclude, and lmdb-js would share the open file. */
const held = new Set<string>();

export interface Held {
  readonly tables: Tables;
  /** Closes the file and lets the next one in. */
  release(): Promise<void>;
}

/**
 * Opens the data file for this process alone.
 *
 * Everyone who has it open holds a lock of the operating system on LMDB's lock file (fcntl), which ends with the process,
 * however it ends: no pid file can be stale, and no pid is compared, which would be meaningless between containers. LMDB does not tell
 * whether it found that lock taken, but shows it: who opens the file alone begins with an empty table of readers, and who comes
 * second finds the reader that the first has put there. Two that come at the same moment both enter a reader and then look
 * again: then at least one sees the other, and gives way. All tables are opened before, because lmdb-js takes its reader out when it opens one.
 */
export function openExclusively(path: string): Held {
  const folder = prepare(path);
  if (held.has(folder)) throw taken(path);
  const root = attempt(path, () => privately(() => openRoot(folder)));
  held.add(folder);
  const release = async (): Promise<void> => {
    await root.close();
    held.delete(folder);
  };
  try {
    // Before entering a reader of our own: LMDB takes out, on closing, what it finds under our pid, which between containers may be theirs.
    if (readers(root) > 0) throw taken(path);
    const tables = attempt(path, () => openTables(root));
    root.get(Buffer.from('reader'));
    if (readers(root) > 1) throw taken(path);
    return { tables, release };
  } catch (error) {
    void release();
    throw error;
  }
}

/** New files are their owner's alone, also in a folder that somebody made for all to read: they hold password hashes. */
function privately<T>(open: () => T): T {
  const before = process.umask(0o077);
  try {
    return open();
  } finally {
    process.umask(before);
  }
}

function prepare(path: string): string {
  return attempt(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const folder = realpathSync(path);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of ['data.mdb', 'lock.mdb']) checkFile(join(folder, name));
    checkMagic(join(folder, 'data.mdb'));
    return folder;
  });
}

function checkFile(file: string): void {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return;
  if (!status.isFile()) throw new Error(`${file} is not a file`);
  accessSync(file, constants.R_OK | constants.W_OK);
}

const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const TWO_PAGES = 2 * 4096;

/** lmdb-js dies of a file that is not its own, where a sentence is owed. The lock file must not be read: closing it drops its locks. */
function checkMagic(file: string): void {
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const head = Buffer.alloc(MAGIC_AT + 4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  if (size >= TWO_PAGES && head.readUInt32LE(MAGIC_AT) === MAGIC) return;
  throw new Error(`${file} is not a data file of the embedded store, or only a piece of one`);
}

/** The table as text: a line of titles, then a line for each reader; a single line when there is none. */
function readers(root: RootDatabase<Bytes, Bytes>): number {
  return root.readerList().trimEnd().split('\n').length - 1;
}

const IN_USE = 'is in use by another server';

function taken(path: string): StorageError {
  return new StorageError(
    'refused',
    `The data folder ${path} ${IN_USE}. Stop it first, or give this one another folder by paths.data.`,
  );
}

/** Whether a store could not be opened because a server has it open. */
export function isInUse(error: unknown): boolean {
  return isStorageError(error, 'refused') && error.message.includes(IN_USE);
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError('refused', `The embedded store in ${path} cannot be opened: ${reason}`, { cause });
  }
}
