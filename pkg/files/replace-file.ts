import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

const PARTIAL = '.partial';

/**
 * Writes a file that only its owner can read, and that has its name only when it is complete. What had the name before is replaced and never written to: a link
 * does not lead elsewhere, and nobody who made the file before can read it. So it can be written to a folder in which others write, such as /tmp.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const partial = `${path}.${randomBytes(6).toString('hex')}${PARTIAL}`;
  const file = await open(partial, 'wx', 0o600);
  try {
    await write(file);
    await file.sync();
    await file.close();
    await rename(partial, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}
