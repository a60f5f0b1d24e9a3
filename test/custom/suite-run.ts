import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { moduleFolder, SUITE } from '../../hack/go-programs.js';

const run = promisify(execFile);

/** A test of the suite waits for what may take seconds on a busy machine. All together take one to three minutes. */
const PATIENCE_MS = 5 * 60_000;

/**
 * What `go test` calls a program of this folder. A client names itself after its program, and the suite expects this
 * name in `managedFields`.
 */
const NAME = 'integration.test';

export interface SuiteRun {
  /** The folder of the tests in their module. */
  readonly folder: string;
  /** Patterns of the names of tests, and of those in them: `TestA`, `TestB/one/two`. */
  readonly only?: readonly string[];
  readonly without: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Results {
  readonly output: string;
  /** The tests with a result, without those in them. */
  named(result: 'PASS' | 'FAIL' | 'SKIP'): readonly string[];
}

/** Runs tests of Kubernetes, which a program of Go has. */
export async function runSuite(program: string, { folder, only = [], without, env }: SuiteRun): Promise<Results> {
  const cwd = join(await moduleFolder(SUITE.module), folder);
  const options = ['-test.v', `-test.timeout=${PATIENCE_MS}ms`];
  if (only.length > 0) options.push(`-test.run=${only.map(whole).join('|')}`);
  if (without.length > 0) options.push(`-test.skip=${without.map(whole).join('|')}`);
  const { stdout, stderr } = await run('bash', ['-c', 'exec -a "$0" "$@"', NAME, program, ...options], {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => error);
  const output = `${stdout}${stderr}`;
  const named: Results['named'] = (result) =>
    [...output.matchAll(new RegExp(`^--- ${result}: (\\w+)`, 'gm'))].map(([, name = '']) => name);
  return { output, named };
}

const whole = (pattern: string): string =>
  pattern
    .split('/')
    .map((part) => `^(${part})$`)
    .join('/');

/** What the tests print when one fails is long: the lines about failures, and the end. */
export function expectPassed({ output, named }: Results, atLeast: number): void {
  const failures = output.match(/^.*(--- FAIL|_test\.go:\d+: ).*$/gm) ?? [];
  const end = output.slice(-4000);
  expect(named('FAIL'), `${failures.slice(-50).join('\n').slice(0, 8000)}\n${end}`).to.deep.equal([]);
  expect(named('PASS'), end).to.have.lengthOf.at.least(atLeast);
}
