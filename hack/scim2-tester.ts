import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['scim2-cli==0.6.0', 'scim2-tester==0.5.2'];
/** Milliseconds for all checks. */
const LONGEST = 300_000;

/**
 * Installs scim2-tester of PyPI in a temporary environment, and returns its program and what removes it. Needs
 * `python3` with pip on PATH.
 */
export async function installScim2(): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'scim2-tester-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const python = join(folder, 'bin/python');
    await run('python3', ['-m', 'venv', '--without-pip', folder]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
    await run('python3', ['-m', 'pip', '--python', python, 'install', ...quiet, ...PACKAGES]);
    return { program: join(folder, 'bin/scim2'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Runs it against a SCIM server. Returns its output, with the details of each check. Rejects if a check fails. */
export async function scim2Tester(
  program: string,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const options = ['--url', url, ...given.flatMap((header) => ['--header', header])];
  const { stdout } = await run(program, [...options, 'test', '--verbose'], { timeout: LONGEST });
  return stdout;
}
