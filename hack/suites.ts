/**
 * Runs the suites of `npm test` in parallel processes. With --deep, runs every suite: those of `npm test` first, and
 * then the rest. Each process has its own database. The output of the first process is printed as it comes, and that of
 * the others afterwards. The last lines are all failures again, what was left out, and "N passed, N failed" for all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { compiledPath, compileTests, sourcePath } from './compiled-tests.js';
import { buildGoPrograms } from './go-programs.js';
import { FAST, REST } from './groups.js';
import { MongodMissing, type ReplicaSet, startReplicaSet } from './mongod.js';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * In CI, every run tries the same random cases, because whether a commit passes must depend on the commit alone.
 * Elsewhere each run tries others, and prints their seed.
 */
const SEEDS = process.env['CI'] === undefined ? {} : { SEED: process.env['SEED'] ?? '1' };

/** The file that a run writes. */
interface Report extends Counts {
  /** The name and the error of each failed test. */
  readonly failures: readonly string[];
  /** The name and the error of each test that was tried again. */
  readonly retried: readonly string[];
  /** What each file took, in milliseconds: time, and time of processors. */
  readonly files: Readonly<Record<string, { readonly time: number; readonly processor: number }>>;
}

const isDeep = process.argv.includes('--deep');
const GROUPS = [...FAST, ...REST];

/**
 * What `npm test` chooses if nobody has chosen. The store is that of most servers, and the suites of the others are in
 * `storage`.
 */
const CHOSEN = isDeep
  ? {}
  : { STORAGE: process.env['STORAGE'] ?? 'lmdb', EFFORT: process.env['EFFORT'] ?? '0.25', PAIRS: 'representative' };

/** The memory that a group takes, with its browser or its database. */
const MEMORY = 2 * 1024 ** 3;
/**
 * So many groups run at a time: two for each processor, because they wait for disks and other programs, but no more
 * than have room in memory. With three, servers and browsers wait for a processor until the limits of tests are over.
 */
const atOnce = pLimit(Math.min(2 * availableParallelism(), Math.max(2, Math.floor(totalmem() / MEMORY))));

/** A run that ends without a report has failed. */
const LOST: Report = {
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: ['a run of mocha ended without a report'],
  retried: [],
  files: {},
};
/** Here, packages are found as from the sources, and no tool looks for sources. */
const COMPILED = 'node_modules/.cache/tests';
/** So many of the slowest files are printed. */
const SHOWN = Number(process.env['SLOWEST'] ?? 15);

const folder = await mkdtemp(join(tmpdir(), 'suites-'));
// On a machine that has compiled nothing before, this takes minutes. It begins first, so that few tests wait for it. No
// test of the fast groups needs it.
const building = isDeep ? buildGoPrograms(folder) : undefined;
const database = await sharedDatabase();
const MONGODB = database === undefined ? {} : { MONGODB_URI: database.uri };
const settings = await compileTests(COMPILED);
const runs = (isDeep ? GROUPS : FAST).map((group, index) =>
  atOnce(() =>
    run(
      GROUPS.filter((other) => other !== group),
      join(folder, `${index}.json`),
      index === 0,
    ),
  ),
);
const results = await Promise.all(runs);
await building;
await database?.stop();
await rm(folder, { recursive: true, force: true });
for (const { output } of results) process.stdout.write(output);
for (const { report } of results)
  for (const retried of report.retried) process.stdout.write(`TRIED AGAIN ${retried}\n\n`);
for (const { report } of results) for (const failure of report.failures) process.stdout.write(`FAILED ${failure}\n\n`);
process.stdout.write(slowest(results.map(({ report }) => report)));
if (!isDeep) process.stdout.write(leftOut());
const sum = (of: keyof Counts): number => results.reduce((total, { report }) => total + report[of], 0);
const skipped = sum('skipped');
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = results.every(({ code }) => code === 0) && sum('failed') === 0 ? 0 : 1;

/**
 * One MongoDB for all processes of the run: each of its own would start, wait and flush beside the others. Without a
 * mongod, the tests say so.
 */
async function sharedDatabase(): Promise<ReplicaSet | undefined> {
  const stores = process.env['STORAGE'] ?? (isDeep ? 'mongodb' : 'lmdb');
  if (process.env['MONGODB_URI'] || !stores.includes('mongodb')) return undefined;
  return startReplicaSet({ members: 1 }).catch((error: unknown) => {
    if (error instanceof MongodMissing) return undefined;
    throw error;
  });
}

/** What `npm test` has not run, so that nobody takes it for everything. */
function leftOut(): string {
  const how = `Suites of every store ran on ${CHOSEN.STORAGE}, and random cases with EFFORT=${CHOSEN.EFFORT}. Of the suite of all kinds, the parts about generic code ran for some kinds (test/kinds/kinds.test.ts).`;
  return `npm test leaves these out, and npm run test:deep runs them, too:\n${REST.map((group) => `  ${group}\n`).join('')}${how}\n`;
}

/** Where the time went, and that of processors: each group, and the files that took most. */
function slowest(reports: readonly Report[]): string {
  const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`.padStart(7);
  const both = ({ time, processor }: Report['files'][string]): string => `${seconds(time)} ${seconds(processor)}`;
  const groups = reports.map(({ files }, index) => {
    const whole = Object.values(files);
    const total = (of: 'time' | 'processor'): number => whole.reduce((sum, one) => sum + one[of], 0);
    return `${both({ time: total('time'), processor: total('processor') })} in group ${index + 1}\n`;
  });
  const files = reports
    .flatMap(({ files }) => Object.entries(files))
    .toSorted(([, a], [, b]) => b.processor - a.processor || b.time - a.time);
  const lines = files.slice(0, SHOWN).map(([file, taken]) => `${both(taken)} ${sourcePath(COMPILED, file)}\n`);
  return `${groups.join('')}${lines.join('')}`;
}

/** Prints the output at once, or returns it. */
async function run(ignored: readonly string[], file: string, isPrinted: boolean) {
  const args = [
    ...['--config', settings, '--reporter', 'hack/reporter.cjs'],
    ...ignored.flatMap((pattern) => ['--ignore', compiledPath(COMPILED, pattern)]),
  ];
  const child = spawn('node_modules/.bin/mocha', args, {
    stdio: ['ignore', isPrinted ? 'inherit' : 'pipe', 'inherit'],
    env: { ...process.env, ...MONGODB, ...SEEDS, ...CHOSEN, TEST_COUNTS: file, ...(isDeep && { GO_PROGRAMS: folder }) },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => LOST,
  );
  return { code, report, output: Buffer.concat(chunks) };
}
