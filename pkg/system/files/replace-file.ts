import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

/** Writes the content of a new file. `path` is its name until it is complete. */
type Write = (file: FileHandle, path: string) => Promise<void>;

/**
 * Writes a new file beside `path`, flushes it to the disk, and returns its name. The name is random, and no other file
 * has it. So nothing is written to a file or through a link that somebody else has put there. If it cannot be written,
 * nothing of it stays.
 */
export async function writeBeside(path: string, mode: number, write: Write): Promise<string> {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  const file = await open(partial, 'wx', mode);
  try {
    await write(file, partial);
    await file.sync();
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return partial;
}

/** Gives a file of `writeBeside` its name. If that fails, nothing of it stays. */
export async function moveTo(path: string, partial: string): Promise<void> {
  try {
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, and that has its name only when it is complete. A file or a link that had
 * the name is replaced, and never written to. So a link does not lead elsewhere, and nobody who made a file before can
 * read the new one. This is safe even in a folder where others write, such as /tmp.
 */
export async function replaceFile(path: string, write: Write): Promise<void> {
  await moveTo(path, await writeBeside(path, 0o600, write));
}
