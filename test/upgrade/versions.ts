import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cached, digestOf } from '../../hack/cached.js';
import { ROOT } from '../e2e/process.js';

const run = promisify(execFile);

/** The first version, which has the former formats of both stores. */
export const FIRST = '7db9edd3b4c325f1a6be0cac6112f60986d5aa3a';
/** The version before. It has the same formats of stores, so servers of both versions can share a database. */
export const BEFORE = '0ad72349f204dbfc49f9db77073f80c91d4c12e8';

/** The sources of the programs, and of their build. */
const SOURCES = ['apis', 'cmd', 'hack/build.sh', 'package.json', 'pkg', 'registry', 'storage', 'tsconfig.json'];

/** Files of the build that not every version has. */
const ALIASES = ['hack/node-http.js', 'hack/lmdb-binary.js', 'hack/console-bundle.ts'];

const git = (...args: readonly string[]) =>
  run('git', ['-C', ROOT, ...args], { encoding: 'buffer', maxBuffer: 2 ** 28 });

/**
 * The folder of an earlier version, which is built once by its own script and with the libraries of this one. Skips the
 * tests if the commit is missing.
 */
export async function builtVersion(context: Mocha.Context, commit: string): Promise<string> {
  try {
    await git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    process.stderr.write(
      `Skipped: this clone does not have the commit ${commit}. A whole clone has it: git fetch --unshallow\n`,
    );
    return context.skip();
  }
  const libraries = await digestOf(ROOT, ['package-lock.json']);
  return cached('versions', [commit, ROOT, libraries], (folder) => build(commit, folder));
}

async function build(commit: string, folder: string): Promise<void> {
  await mkdir(folder);
  const archive = join(folder, 'sources.tar');
  const there = await git('ls-tree', '--name-only', commit, '--', ...SOURCES, ...ALIASES);
  const paths = there.stdout.toString().trim().split('\n');
  await writeFile(archive, (await git('archive', commit, '--', ...paths)).stdout);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await run(join(folder, 'hack/build.sh'));
}
