import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { giveToOwnerOf } from './owner.js';

/**
 * Makes the folder for its owner, with those above it that are missing. If root makes them, they belong to the owner of the folder that was there. By hand
 * because the recursive `mkdir` of Node 20 never ends where the system says that a folder is missing although the one above it is there, as in /proc.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
    return;
  }
  giveToOwnerOf(above, folder);
}

/** False also for what cannot be looked at; making it then tells why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
