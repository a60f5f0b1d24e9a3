import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { ROOT } from '../e2e/process.js';
import { BUGS, type Bug } from './bugs.js';

/**
 * Plants each bug of `bugs.ts` in a copy of the sources, and runs the simulation on it until a check finds it:
 *
 *     npx tsx test/simulation/planted.ts [--only TEXT] [--runs 20] [--seconds 2]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    /** The most seconds without the end of a run. All waits of one run together are shorter. */
    most: { type: 'string', default: '400' },
    verbose: { type: 'boolean', default: false },
  },
});
const SOURCES = ['apis', 'cmd', 'hack', 'pkg', 'registry', 'storage', 'test', 'package.json', 'tsconfig.json'];

interface Finding {
  readonly checks: readonly string[];
  readonly operations: number;
  readonly seed: number;
  readonly message: string;
}

const copy = await mkdtemp(join(tmpdir(), 'planted-'));
let missed = 0;
try {
  for (const source of SOURCES) await cp(join(ROOT, source), join(copy, source), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  process.stdout.write('| bug | caught by | operations | seed |\n| --- | --- | --- | --- |\n');
  for (const bug of BUGS.filter(({ name }) => name.includes(values.only))) {
    const found = await planted(bug);
    if (found === undefined) missed++;
    const row =
      found === undefined ? 'NOT CAUGHT | |' : `${found.checks.join(', ')} | ${found.operations} | ${found.seed}`;
    process.stdout.write(`| ${bug.name} | ${row} |\n`);
    if (values.verbose && found !== undefined) process.stdout.write(`    ${found.message}\n`);
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;

async function planted(bug: Bug): Promise<Finding | undefined> {
  const path = join(copy, bug.file);
  const source = await readFile(path, 'utf8');
  if (source.split(bug.find).length !== 2) {
    process.stderr.write(`${bug.file} has changed, so this bug cannot be planted: ${bug.name}\n`);
    return undefined;
  }
  await writeFile(
    path,
    source.replace(bug.find, () => bug.replace),
  );
  try {
    return await run(bug);
  } finally {
    await writeFile(path, source);
  }
}

async function run({
  store = 'memory',
  servers = 1,
  clients = 6,
  delay = 3,
  definitions = false,
  setsBack = false,
}: Bug): Promise<Finding | undefined> {
  const world = ['--store', store, '--servers', `${servers}`, '--clients', `${clients}`, '--delay', `${delay}`];
  const options = [
    ...world,
    '--seconds',
    values.seconds,
    '--runs',
    values.runs,
    '--json',
    '--first',
    ...(definitions ? ['--definitions'] : []),
    ...(setsBack ? ['--set-back'] : []),
  ];
  const args = ['--import=tsx/esm', join(copy, 'test/simulation/run.ts'), ...options];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, SEED: process.env['SEED'] ?? '1' },
    stdio: ['ignore', 'pipe', values.verbose ? 'inherit' : 'ignore'],
  });
  // A bug may make a server hang, which counts as found. A slow machine does not, because each line of output restarts
  // the timer.
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(values.most) * 1000);
  child.stdout.on('data', () => timer.refresh());
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  clearTimeout(timer);
  let operations = 0;
  for (const line of output.split('\n').filter((one) => one !== '')) {
    const verdict = JSON.parse(line) as {
      readonly seed: number;
      readonly operations: number;
      readonly violations: readonly { readonly check: string; readonly message: string }[];
    };
    operations += verdict.operations;
    const [first] = verdict.violations;
    if (first === undefined) continue;
    const checks = [...new Set(verdict.violations.map(({ check }) => check))];
    return { checks, operations, seed: verdict.seed, message: first.message };
  }
  if (code === 0) return undefined;
  return {
    checks: ['the run ends'],
    operations,
    seed: Number(process.env['SEED'] ?? '1'),
    message: `it ended with ${code}`,
  };
}
