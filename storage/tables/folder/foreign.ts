import { readdir, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StorageError } from '../../errors.js';
import { MANIFEST } from './checkpoint.js';
import { LOCKS } from './locks.js';

/** A process that only reads makes this file when it finds damage. */
export const DAMAGED = 'damaged';
export const SUFFIX = '.tables';

/**
 * The names of all files that a server makes in the folder: `12-0123456789ab.tables`, and `12.tables` of earlier
 * versions.
 */
const OWN = new Set([...LOCKS, MANIFEST, `${MANIFEST}.next`, DAMAGED]);
const TABLES = /^\d+(-[0-9a-f]{12})?\.tables$/;
/** File systems make it in the folder where they are mounted. */
const MOUNTED = 'lost+found';

/** An earlier version had a folder for each worker. */
const OF_WORKER = /^\d+$/;

/** Whether a server makes something of this name in the folder. */
export function isOwn(name: string): boolean {
  return OWN.has(name) || TABLES.test(name) || OF_WORKER.test(name);
}

/**
 * Removes what a server has made. Of a folder, only the files that a server makes, and the folder itself if it is empty
 * then.
 */
export async function removeOwn(path: string): Promise<void> {
  if (!OF_WORKER.test(basename(path))) return rm(path, { force: true });
  for (const name of await readdir(path).catch(() => []))
    if (TABLES.test(name) || OWN.has(name)) await rm(join(path, name));
  await rmdir(path).catch(() => undefined);
}

/** Throws `refused` if the folder has files of others, and no server has ever used it. Each server leaves its locks. */
export async function refuseForeign(path: string): Promise<void> {
  const names = await readdir(path);
  if (LOCKS.every((name) => names.includes(name))) return;
  const foreign = names.find((name) => !isOwn(name) && name !== MOUNTED);
  if (foreign === undefined) return;
  throw new StorageError(
    'refused',
    `The folder ${path} has ${JSON.stringify(foreign)}, which no server has made, and is not of a server. ` +
      'Nothing was changed in it. Name an empty data folder, or that of a server (paths.data).',
  );
}
