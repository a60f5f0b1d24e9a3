import { existsSync } from 'node:fs';
import { link, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../system/files/make-folder.js';
import { giveFileToOwnerOf } from '../../system/files/owner.js';
import { moveTo, writeBeside } from '../../system/files/replace-file.js';
import { unwritable } from '../../system/files/unwritable.js';

export const SECRET_MODE = 0o600;
export const PUBLIC_MODE = 0o644;

/** The text of the file, or undefined if there is no such file. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/**
 * Writes a new file beside `path`, with the owner of the file that it will replace, or of the folder. Returns its name.
 */
async function writeTemporary(path: string, content: string, mode: number): Promise<string> {
  try {
    makeFolder(dirname(path));
    return await writeBeside(path, mode, async (file, name) => {
      await giveFileToOwnerOf(existsSync(path) ? path : dirname(path), name, file);
      await file.writeFile(content);
    });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Replaces the file atomically: a reader sees the old text or the new one, also after a crash. `write-file-atomic` does
 * not offer `writeUnlessExists`, which has the same steps.
 */
export async function writeAtomically(path: string, content: string, mode: number): Promise<void> {
  await moveTo(path, await writeTemporary(path, content, mode));
}

/** Writes the file unless it exists; returns false if it does. If several processes try, one succeeds. */
export async function writeUnlessExists(path: string, content: string, mode: number): Promise<boolean> {
  const temporary = await writeTemporary(path, content, mode);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}
