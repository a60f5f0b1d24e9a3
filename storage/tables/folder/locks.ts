import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile } from '../../../pkg/system/files/lock-file.js';
import { makeFolder } from '../../../pkg/system/files/make-folder.js';
import { StorageError } from '../../errors.js';

export type Unlock = () => Promise<void>;

/**
 * The lock of the server that has a folder, and the lock of the process that writes to it. The two files are never
 * removed.
 */
const SERVER = 'lock';
const WRITER = 'writer';
export const LOCKS: readonly string[] = [SERVER, WRITER];

/** Milliseconds for the processes of an earlier server to end. */
const FREE_WITHIN = 3_000;

/** Both locks of a folder. */
export interface FolderLocks {
  readonly server: Unlock;
  readonly writer: Unlock;
}

/**
 * Takes a folder for a server. Throws `refused` if another server has it. If the server before this one was killed, its
 * workers end a moment later, and one of them writes until then.
 */
export async function lockFolder(path: string): Promise<FolderLocks> {
  makeFolder(path);
  const server = await lockFile(join(path, SERVER));
  if (server === undefined) throw inUse(path);
  const deadline = Date.now() + FREE_WITHIN;
  for (;;) {
    const writer = await lockWriter(path);
    if (writer !== undefined) return { server, writer };
    if (Date.now() > deadline) break;
    await sleep(100);
  }
  await server();
  throw inUse(path);
}

/** Makes this process the one that writes to a folder. `undefined`: another process does. */
export function lockWriter(path: string): Promise<Unlock | undefined> {
  return lockFile(join(path, WRITER));
}

function inUse(path: string): StorageError {
  return new StorageError(
    'refused',
    `Another process keeps its tables in ${path}. Each server needs a data folder of its own (paths.data).`,
  );
}
