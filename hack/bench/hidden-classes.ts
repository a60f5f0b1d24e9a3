/**
 * Shows where the server makes hidden classes while it answers requests, which it should not (docs/adr/0044).
 *   npx tsx hack/bench/hidden-classes.ts [--only TEXT] [--least 500]
 * Runs each operation on the embedded store and prints the places of the code in `dist/lib` that made at least `--least` classes (500) in a second,
 * with the member that was added, and the lines of the code that may be meant: the log of V8 has the number of the line, but not the file.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATIONS, prepare, type Target } from './operations.js';
import { APILOAD, preparePeer } from './peer.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, least: { type: 'string', default: '500' } },
});
const SECONDS = 1;
const root = resolve('.');

await preparePeer();
await build(root);
const folder = await mkdtemp(join(tmpdir(), 'hidden-classes-'));
const log = join(folder, 'v8.log');
const flags = ['--log-maps', '--no-log-maps-details', '--no-logfile-per-isolate', `--logfile=${log}`];
const server = await startBuilt({ root, execArgv: flags });
try {
  const sources = await sourcesOf(join(root, 'dist', 'lib'));
  const target: Target = { server, databasePid: undefined, apiload: APILOAD, folders: 2000, seconds: SECONDS };
  await prepare(target);
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    if (!name.includes(values.only)) continue;
    // The first round makes the classes that stay.
    await operation(target, 0);
    const from = (await stat(log)).size;
    await operation(target, 1);
    print(name, countsOf((await readFile(log)).subarray(from).toString('latin1')), sources);
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

async function sourcesOf(path: string): Promise<readonly (readonly string[])[]> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.js'));
  return Promise.all(names.map(async (name) => (await readFile(join(path, name), 'utf8')).split('\n')));
}

/** How many classes were made, by `line:column member`. A line of the log is `map,Transition,time,from,to,pc,line,column,reason,member`. */
function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [what, , , , , , row, column, , member = ''] = line.split(',');
    if (what !== 'map' || row === undefined || row === '-1') continue;
    const place = `${row}:${column} ${member}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return counts;
}

function print(
  name: string,
  counts: ReadonlyMap<string, number>,
  sources: Awaited<ReturnType<typeof sourcesOf>>,
): void {
  process.stdout.write(`${name}\n`);
  const most = [...counts].filter(([, count]) => count >= Number(values.least)).toSorted(([, a], [, b]) => b - a);
  for (const [place, count] of most) {
    process.stdout.write(`  ${count} × ${place}\n`);
    const row = Number.parseInt(place, 10) - 1;
    for (const lines of sources) if (lines[row]?.includes('...')) process.stdout.write(`      ${lines[row].trim()}\n`);
  }
}
