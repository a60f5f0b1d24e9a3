import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds. What no run has used for so long is removed. */
const UNUSED = 7 * 24 * 3_600_000;

/**
 * The path of what `make` has made for these `inputs`, in this run or an earlier one. `make` gets a path that is its
 * own, and its result is renamed when it is complete. `kind` is the folder in the cache.
 */
export async function cached(kind: string, inputs: unknown, make: (path: string) => Promise<void>): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'dashboard-apiserver', kind);
  const path = join(folder, createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 32));
  await mkdir(folder, { recursive: true });
  if (!(await exists(path))) {
    const part = `${path}.${randomBytes(4).toString('hex')}`;
    await make(part).catch(async (error: unknown) => {
      await rm(part, { recursive: true, force: true });
      throw error;
    });
    // Another run may have been faster.
    await rename(part, path).catch(() => rm(part, { recursive: true, force: true }));
  }
  const now = new Date();
  await utimes(path, now, now);
  await removeUnused(folder);
  return path;
}

/** The digest of files: their paths and contents. */
export async function digestOf(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths.toSorted())
    hash
      .update(path)
      .update('\0')
      .update(await readFile(join(root, path)));
  return hash.digest('hex');
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > UNUSED) await rm(path, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
