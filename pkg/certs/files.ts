import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chown, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../errors/message.js';

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

async function statIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function writeTemporary(path: string, content: string, mode: number): Promise<string> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', mode);
  try {
    if (isRoot()) await give(temporary, (await statIfExists(path)) ?? (await stat(dirname(path))));
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await unlink(temporary);
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Makes the folder and those that it is in. If root makes them, they belong to the owner of the folder that was there. */
async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined || !isRoot()) return;
  const owner = await stat(dirname(first));
  for (let made = path; made.length >= first.length; made = dirname(made)) await give(made, owner);
}

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Gives what root made to the owner of the files around it. Otherwise root would lock out a server that runs as another user. */
async function give(path: string, { uid, gid }: Stats): Promise<void> {
  const made = await stat(path);
  // Root in a container may lack the right to change owners, and must not need it for files of its own.
  if (made.uid === uid && made.gid === gid) return;
  await chown(path, uid, gid).catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new Error(
      `${path} cannot be given to the user ${uid} and group ${gid}, who own what is around it: ${reason}. Run this as that user.`,
      { cause },
    );
  });
}

/**
 * Replaces the file atomically: a reader sees the old text or the new one, also after a crash. By hand because it shares its steps with
 * `writeUnlessExists`, which `write-file-atomic` does not offer.
 */
export async function writeAtomically(path: string, content: string, mode: number): Promise<void> {
  await rename(await writeTemporary(path, content, mode), path);
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
