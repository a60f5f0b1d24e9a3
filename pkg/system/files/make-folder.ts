import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { giveToOwnerOf } from './owner.js';

const OWNER_ONLY = 0o700;

/**
 * Makes the folder, by default for its owner only, with those above it that are missing. If root makes them, they
 * belong to the owner of the folder that was there. By hand because the recursive `mkdir` of Node 20 never ends if the
 * system says that a folder is missing, but the one above it exists, as in /proc.
 */
export function makeFolder(path: string, mode = OWNER_ONLY): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
    return;
  }
  giveToOwnerOf(above, folder);
}

/** Also false if the path cannot be read. Making the folder then fails with the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
