import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The permissions of everybody but the owner. */
const OTHERS = 0o077;
/** The parts of the data folder that have secrets. */
const FOLDERS = ['.', 'pki', 'store'];
const SECRET = /\.(token|key|mdb)$|^kubeconfig$/;

/**
 * Sentences for the operator about the data folder and the files with secrets in it that other users of this machine
 * may access. The server makes files with mode 0600 and folders with 0700, but keeps those that it finds.
 */
export async function exposedFiles(dataFolder: string): Promise<readonly string[]> {
  // Windows has no such modes.
  if (process.platform === 'win32') return [];
  const data = resolve(dataFolder);
  const secrets = await Promise.all(FOLDERS.map((folder) => secretsIn(join(data, folder))));
  const problems = await Promise.all([data, ...secrets.flat()].map(problemOf));
  return problems.filter((problem) => problem !== undefined);
}

async function secretsIn(folder: string): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && SECRET.test(entry.name))
    .map(({ name }) => join(folder, name));
}

async function problemOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || (stats.mode & OTHERS) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  const wanted = stats.isDirectory() ? '0700' : '0600';
  return `Other users of this machine may access ${path} (mode ${mode}). It has secrets, so let only its owner do so: chmod ${wanted} ${path}`;
}
