import { type FileHandle, open } from 'node:fs/promises';
import koffi, { type KoffiFunc } from 'koffi';

// <sys/file.h>; the values are the same on Linux and macOS.
const LOCK_EX = 2;
const LOCK_NB = 4;

let flock: KoffiFunc<(...values: number[]) => number> | undefined;

/** The locked files. A file that nothing refers to is closed by the garbage collector, and its lock ends with it. */
const locked = new Set<FileHandle>();

/**
 * Locks a file for as long as this process lives (flock), or until the result is called. Returns `undefined` if
 * somebody has it. The operating system ends the lock with the process, however that ends, so no lock is ever left
 * over.
 */
export async function lockFile(path: string): Promise<(() => Promise<void>) | undefined> {
  flock ??= koffi.load(null).func('int flock(int file, int operation)');
  const file = await open(path, 'a', 0o600);
  if (flock(file.fd, LOCK_EX | LOCK_NB) !== 0) {
    await file.close();
    return undefined;
  }
  locked.add(file);
  return () => {
    locked.delete(file);
    return file.close();
  };
}
