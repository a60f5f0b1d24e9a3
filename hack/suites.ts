/**
 * Runs every suite, in two processes side by side, and closes with the line "N passed, N failed, N skipped" about both. Each of them has
 * a database of its own; the output of the second follows that of the first.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What starts servers and programs and mostly waits for them, and what keeps a processor busy. A folder that neither names runs in both. */
const IGNORED: readonly (readonly string[])[] = [
  ['test/{access,authn,identity,kinds,layers,legacy-api,permissions,resource-api}/**'],
  ['{cmd,pkg,apis,registry,storage}/**', 'test/{crash,e2e,faults,servers}/**'],
];
/** Where a run ended without telling, it failed. */
const LOST: Counts = { passed: 0, failed: 1, skipped: 0 };

const folder = await mkdtemp(join(tmpdir(), 'counts-'));
const runs = IGNORED.map((patterns, index) => run(patterns, join(folder, `${index}.json`), index === 0));
const results = await Promise.all(runs);
await rm(folder, { recursive: true, force: true });
for (const { output } of results) process.stdout.write(output);
const sum = (of: keyof Counts): number => results.reduce((total, { counts }) => total + counts[of], 0);
const skipped = sum('skipped');
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = results.every(({ code }) => code === 0) && sum('failed') === 0 ? 0 : 1;

/** The output is printed as it comes, or else given back. */
async function run(ignored: readonly string[], file: string, isPrinted: boolean) {
  const args = ['--reporter', 'hack/reporter.cjs', ...ignored.flatMap((pattern) => ['--ignore', pattern])];
  const child = spawn('node_modules/.bin/mocha', args, {
    stdio: ['ignore', isPrinted ? 'inherit' : 'pipe', 'inherit'],
    env: { ...process.env, TEST_COUNTS: file },
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  const counts = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Counts,
    () => LOST,
  );
  return { code, counts, output: Buffer.concat(chunks) };
}
