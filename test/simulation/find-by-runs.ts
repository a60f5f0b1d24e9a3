import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bug } from './bugs.js';

export interface Finding {
  /** The checks or the test that found the bug. */
  readonly by: readonly string[];
  readonly operations?: number;
  readonly seed: number;
  readonly message: string;
}

export interface Settings {
  readonly seed: number;
  readonly seconds: number;
  /** The most runs, each with the next seed. */
  readonly runs: number;
  /** The most seconds without the end of a run. */
  readonly most: number;
  /** Whether to print what the servers print. */
  readonly verbose: boolean;
}

interface Verdict {
  readonly seed: number;
  readonly operations: number;
  readonly violations: readonly { readonly check: string; readonly message: string }[];
}

/** Runs the simulation in a copy of the sources, in the world that suits the bug. */
export async function findByRuns(copy: string, bug: Bug, settings: Settings): Promise<Finding | undefined> {
  const args = ['--import=tsx/esm', join(copy, 'test/simulation/run.ts'), ...worldOf(bug), ...lengthOf(settings)];
  const { seed, most, verbose } = settings;
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, SEED: `${seed}` },
    stdio: ['ignore', 'pipe', verbose ? 'inherit' : 'ignore'],
  });
  // A bug may make a server hang, which counts as found. A slow machine does not, because each line of output restarts
  // the timer.
  const timer = setTimeout(() => child.kill('SIGKILL'), most * 1000);
  child.stdout.on('data', () => timer.refresh());
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  clearTimeout(timer);
  const lines = output.split('\n').filter((one) => one !== '');
  const verdicts = lines.map((line) => JSON.parse(line) as Verdict);
  const found = verdicts.findIndex(({ violations }) => violations.length > 0);
  const operations = sumOf(found < 0 ? verdicts : verdicts.slice(0, found + 1));
  const verdict = verdicts[found];
  if (verdict !== undefined) return { ...findingOf(verdict), operations };
  return code === 0 ? undefined : { by: ['the run ends'], operations, seed, message: `it ended with ${code}` };
}

function worldOf({ store = 'memory', servers = 1, clients = 6, delay = 3, ...bug }: Bug): readonly string[] {
  const numbers = ['--servers', `${servers}`, '--clients', `${clients}`, '--delay', `${delay}`];
  const flags = [...(bug.definitions ? ['--definitions'] : []), ...(bug.setsBack ? ['--set-back'] : [])];
  return ['--store', store, ...numbers, ...flags];
}

const lengthOf = ({ seconds, runs }: Settings): readonly string[] => [
  ...['--seconds', `${seconds}`, '--runs', `${runs}`],
  ...['--json', '--first'],
];

const sumOf = (verdicts: readonly Verdict[]): number => verdicts.reduce((sum, { operations }) => sum + operations, 0);

function findingOf({ seed, violations }: Verdict): Finding {
  const by = [...new Set(violations.map(({ check }) => check))];
  return { by, seed, message: violations[0]?.message ?? '' };
}
