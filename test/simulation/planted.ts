import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../e2e/process.js';
import { BUGS, type Bug } from './bugs.js';
import { type Finding, findByRuns } from './find-by-runs.js';
import { findByTests } from './find-by-tests.js';

/**
 * Plants each bug of `bugs.ts` in a copy of the sources, and runs the simulation on it until a check finds it, or with
 * --tests these tests, for which `beside` are those in the folder of the bug:
 *
 *     npx tsx test/simulation/planted.ts [--only TEXT]… [--runs 20] [--seconds 2]
 *     npx tsx test/simulation/planted.ts --tests beside,test/simulation/memory.test.ts [--runs 2]
 */
const { values } = parseArgs({
  options: {
    /** Texts in the names of the bugs. */
    only: { type: 'string', multiple: true, default: [''] },
    tests: { type: 'string' },
    runs: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '2' },
    /** The most seconds without the end of a run. All waits of one run together are shorter. */
    most: { type: 'string', default: '400' },
    verbose: { type: 'boolean', default: false },
  },
});
const SEED = Number(process.env['SEED'] ?? '1');
const SOURCES = ['apis', 'cmd', 'hack', 'pkg', 'registry', 'storage', 'test', 'package.json', 'tsconfig.json'];

const copy = await mkdtemp(join(tmpdir(), 'planted-'));
let missed = 0;
try {
  for (const source of SOURCES) await cp(join(ROOT, source), join(copy, source), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  process.stdout.write('| bug | caught by | operations | seed |\n| --- | --- | --- | --- |\n');
  for (const bug of BUGS.filter(({ name }) => values.only.some((text) => name.includes(text)))) {
    const found = await planted(bug);
    if (found === undefined) missed++;
    const row =
      found === undefined ? 'NOT CAUGHT | |' : `${found.by.join(', ')} | ${found.operations ?? ''} | ${found.seed}`;
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
    return await find(bug);
  } finally {
    await writeFile(path, source);
  }
}

function find(bug: Bug): Promise<Finding | undefined> {
  const [seconds, runs, most] = [values.seconds, values.runs, values.most].map(Number) as [number, number, number];
  const settings = { seed: SEED, seconds, runs, most, verbose: values.verbose };
  if (values.tests === undefined) return findByRuns(copy, bug, settings);
  return findByTests(copy, bug, { ...settings, tests: values.tests.split(',') });
}
