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
 * Runs scim2-tester of PyPI against a SCIM server, in a temporary environment. Returns its output, with the details of
 * each check. Rejects if a check fails. Needs `python3` with pip on PATH.
 */
export async function scim2Tester(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scim2-tester-'));
  try {
    const program = join(folder, 'bin/python');
    await run('python3', ['-m', 'venv', '--without-pip', folder]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile'];
    await run('python3', ['-m', 'pip', '--python', program, 'install', ...quiet, ...PACKAGES]);
    const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const options = ['--url', url, ...given.flatMap((header) => ['--header', header])];
    const { stdout } = await run(join(folder, 'bin/scim2'), [...options, 'test', '--verbose'], { timeout: LONGEST });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
