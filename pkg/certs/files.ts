import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

export const SECRET_MODE = 0o600;
export const PUBLIC_MODE = 0o644;

/** The file's text, or undefined when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function writeBeside(path: string, content: string, mode: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(beside, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return beside;
}

/** Replaces the file in one step: a reader sees the old text or the new, also after a crash. */
export async function writeAtomically(path: string, content: string, mode: number): Promise<void> {
  await rename(await writeBeside(path, content, mode), path);
}

/** Writes the file unless there is one; false when there is. Of several that try, one wins. */
export async function writeUnlessThere(path: string, content: string, mode: number): Promise<boolean> {
  const beside = await writeBeside(path, content, mode);
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(beside);
  }
}
