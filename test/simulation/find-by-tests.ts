import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';
import type { Bug } from './bugs.js';
import type { Finding, Settings } from './find-by-runs.js';

export interface TestSettings extends Settings {
  /** Patterns of test files, or `beside` for those in the folder of the bug. */
  readonly tests: readonly string[];
}

/** What `hack/reporter.cjs` writes. */
interface Report {
  readonly failures: readonly string[];
}

/** Runs the tests of each pattern in a copy of the sources until one fails, as often as the settings tell. */
export async function findByTests(copy: string, bug: Bug, settings: TestSettings): Promise<Finding | undefined> {
  const patterns = settings.tests.map((one) => (one === 'beside' ? `${dirname(bug.file)}/*.test.ts` : one));
  const all = (await readdir(copy, { recursive: true })).filter((file) => file.endsWith('.test.ts')).sort();
  for (let seed = settings.seed; seed < settings.seed + settings.runs; seed++)
    for (const files of patterns.map((pattern) => all.filter((file) => matchesGlob(file, pattern)))) {
      const failure = files.length === 0 ? undefined : await failureOf(copy, files, { ...settings, seed });
      if (failure !== undefined) return findingOf(failure, seed);
    }
  return undefined;
}

/** The title and the stack of the first test that fails. */
async function failureOf(copy: string, files: readonly string[], settings: Settings): Promise<string | undefined> {
  const report = join(copy, 'report.json');
  const mocha = ['node_modules/mocha/bin/mocha.js', '--import=tsx/esm', '--require', 'test/harness/seed.ts'];
  const child = spawn(process.execPath, [...mocha, '--bail', '--timeout', '60000', ...REPORTER, ...files], {
    cwd: copy,
    env: { ...process.env, SEED: `${settings.seed}`, TEST_COUNTS: report },
    stdio: settings.verbose ? 'inherit' : 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), settings.most * 1000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const written = await readFile(report, 'utf8').catch(() => undefined);
  await rm(report, { force: true });
  if (written === undefined) return `the run ends\nit ended with ${code}`;
  return (JSON.parse(written) as Report).failures[0];
}

const REPORTER = ['--reporter', 'hack/reporter.cjs', '--exit'];

function findingOf(failure: string, seed: number): Finding {
  const [title = '', ...stack] = failure.split('\n');
  return { by: [title], seed, message: stack.join('\n') };
}
