import { accessSync, constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { messageOf } from '../../pkg/system/errors/message.js';
import { makeFolder } from '../../pkg/system/files/make-folder.js';
import { giveToOwnerOf } from '../../pkg/system/files/owner.js';
import type { Bytes } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { checkDataFile } from './data-file.js';
import { type LmdbTables, openLmdbTables, openRoot } from './tables.js';

/** The folders that this process has open. The lock of the operating system does not exclude the same process. */
const lockedFolders = new Set<string>();

/** A store that only this process has open. */
interface OpenStore {
  readonly tables: LmdbTables;
  /** Closes the file and releases the lock. */
  release(): Promise<void>;
}

/**
 * Opens the data file for this process alone.
 *
 * Every process that has the file open holds a lock of the operating system (fcntl) on LMDB's lock file. The lock ends
 * with the process, however it ends. So there is no stale pid file, and pids, which mean nothing between containers,
 * are not compared.
 *
 * LMDB does not tell whether the lock was taken, but its table of readers does. A process that opens the file alone
 * starts with an empty table; a later one finds the reader that the first has added. Two processes that start together
 * both add a reader and check again; then at least one sees the other and gives up. All tables are opened before,
 * because lmdb-js removes its reader when it opens a table.
 */
export function openExclusively(path: string): OpenStore {
  const folder = prepare(path);
  if (lockedFolders.has(folder)) throw inUseError(path);
  const root = attempt(path, () => privately(() => keepingOwner(folder, () => openRoot(folder))));
  lockedFolders.add(folder);
  const release = async (): Promise<void> => {
    await root.close();
    lockedFolders.delete(folder);
  };
  try {
    // Checked before our own reader is added: on closing, LMDB removes all readers with our pid, and a process in
    // another container may have the same pid.
    if (readers(root) > 0) throw inUseError(path);
    attempt(path, () => refuseForeign(root, path));
    const tables = attempt(path, () => openLmdbTables(root));
    root.get(Buffer.from('reader'));
    if (readers(root) > 1) throw inUseError(path);
    return { tables, release };
  } catch (error) {
    void release();
    throw error;
  }
}

/** The tables of this and of earlier versions. */
const TABLES = new Set(['meta', 'objects', 'log', 'counters', 'rows', 'index', 'counts']);

/** Throws if another program has made the file. It only reads. */
function refuseForeign(root: RootDatabase<Bytes, Bytes>, path: string): void {
  for (const key of root.getKeys()) {
    const name = Buffer.from(key).toString('latin1').replace(/\0$/, '');
    if (!TABLES.has(name))
      throw new Error(
        `the file data.mdb is of another program: it has ${JSON.stringify(name.slice(0, 40))}. Nothing was written to ${path}.`,
      );
  }
}

/**
 * Makes new files readable by their owner only, even in a folder that others can read, because they contain password
 * hashes.
 */
function privately<T>(open: () => T): T {
  const before = process.umask(0o077);
  try {
    return open();
  } finally {
    process.umask(before);
  }
}

/** Gives the files that LMDB makes to the owner of the store. Files that are there keep their owner. */
export function keepingOwner<T>(folder: string, open: () => T): T {
  const [data, lock] = [join(folder, 'data.mdb'), join(folder, 'lock.mdb')];
  const [hadData, hadLock] = [existsSync(data), existsSync(lock)];
  const opened = open();
  if (!hadData) giveToOwnerOf(folder, data);
  if (!hadLock) giveToOwnerOf(data, lock);
  return opened;
}

function prepare(path: string): string {
  return attempt(path, () => {
    makeFolder(path);
    return checkFolder(path);
  });
}

/** The real path of the folder. Throws if its files cannot be opened, or are no files of an embedded store. */
export function checkFolder(path: string): string {
  const folder = realpathSync(path);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const data = join(folder, 'data.mdb');
  // The lock file must not be read, because closing it would drop its locks.
  checkFile(join(folder, 'lock.mdb'));
  if (checkFile(data)) checkDataFile(data);
  return folder;
}

/** Returns whether there is such a file. */
function checkFile(file: string): boolean {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (!status.isFile()) throw new Error(`${file} is not a file`);
  accessSync(file, constants.R_OK | constants.W_OK);
  return true;
}

/**
 * Counts the readers. readerList gives a line of titles and a line for each reader, or a single line if there are no
 * readers.
 */
function readers(root: RootDatabase<Bytes, Bytes>): number {
  return root.readerList().trimEnd().split('\n').length - 1;
}

const IN_USE = 'is in use by another server';

function inUseError(path: string): StorageError {
  return new StorageError(
    'refused',
    `The data folder ${path} ${IN_USE}. Stop that server first, or set paths.data to another folder.`,
  );
}

/** Whether a store could not be opened because another server has it open. */
export function isInUse(error: unknown): boolean {
  return isStorageError(error, 'refused') && error.message.includes(IN_USE);
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new StorageError('refused', `The embedded store in ${path} cannot be opened: ${reason}`, { cause });
  }
}
