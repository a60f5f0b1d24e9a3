import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The runner for Mocha reads files of Mocha that version 12 no longer has, so the mutants run with version 11. */
const TOOLS = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/mocha-runner@9.6.1', 'mocha@11.8.0'];

/** A copy of the source tree, which Stryker may change, and Stryker itself. */
export interface Workspace {
  readonly folder: string;
  readonly tools: string;
}

/** Copies the files of the tree, also those that are not committed, and links its packages. */
export async function makeWorkspace(root: string): Promise<Workspace> {
  const base = await mkdtemp(join(tmpdir(), 'mutate-'));
  const folder = join(base, 'tree');
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.split('\0')) {
    if (file === '' || file === 'node_modules' || !existsSync(join(root, file))) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(root, file), join(folder, file));
  }
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
  return { folder, tools: await installTools() };
}

/** Installed once, and kept: they are not packages of the project, because nothing else needs them. */
async function installTools(): Promise<string> {
  const folder = join(tmpdir(), 'mutate-tools-9.6.1');
  if (existsSync(join(folder, 'node_modules/mocha'))) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', ['install', ...options, '--save-exact', ...TOOLS], { cwd: folder, stdio: 'inherit' });
  return folder;
}
