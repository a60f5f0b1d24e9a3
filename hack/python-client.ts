import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version of the client whose environment has kopf, too. */
export const WITH_KOPF = '37.0.2';
const KOPF = '1.45.2';

const environments = new Map<string, Promise<string>>();

/**
 * The interpreter of a temporary environment that has this version of the Kubernetes client for Python. It is made
 * once, and removed when this process ends. Needs `python3` with pip on PATH.
 */
export function pythonWithClient(version: string): Promise<string> {
  const known = environments.get(version) ?? install(version);
  environments.set(version, known);
  return known;
}

async function install(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'python-client-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'bin/python');
  await run('python3', ['-m', 'venv', '--without-pip', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
  const packages = [`kubernetes==${version}`, ...(version === WITH_KOPF ? [`kopf==${KOPF}`] : [])];
  await run('python3', ['-m', 'pip', '--python', program, 'install', ...quiet, ...packages]);
  return program;
}
