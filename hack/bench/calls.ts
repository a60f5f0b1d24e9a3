/**
 * Counts the function calls of the server's own code between the socket and the answer of one request, and the files that they are in.
 *   npx tsx hack/bench/calls.ts [--root DIR] [--as admin|password|user|account] [--only TEXT] [--rounds N] [--files] [--functions] [--top N]
 * DIR is any checkout. It is built, and started on an embedded store with ten folders and a team. V8 counts the calls: each function that
 * is entered is one, callbacks and getters too; libraries and Node itself do not count. Each request is sent alone, many times, to a warm
 * server. The round with the median number of calls is printed, so that timers do not count. `--files` and `--functions` print where the
 * calls are, and `--top` how many of these lines.
 */
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Client, clientOf } from './client.js';
import { administrator, CALLERS, type Caller, credentialsOf, fill, REQUESTS } from './fixtures.js';
import { type BenchServer, build, startBuilt } from './server.js';
import { type Called, sourcesOf } from './sources.js';

const COUNTER = fileURLToPath(new URL('coverage.cjs', import.meta.url));
const WARM_UP = 100;
/** Milliseconds for the work of the server after the response. */
const PAUSE_MS = 20;

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    as: { type: 'string', default: 'admin' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    files: { type: 'boolean', default: false },
    functions: { type: 'boolean', default: false },
    top: { type: 'string', default: '1000' },
  },
});
const root = resolve(values.root);
const caller = CALLERS.find((name) => name === values.as);
if (caller === undefined) throw new Error(`--as is one of ${CALLERS.join(', ')}`);

await build(root);
const { pathOf, placeOf } = sourcesOf(root);
for (const name of Object.keys(REQUESTS)) if (name.includes(values.only)) print(name, await measure(caller, name));

/** Uses a new server, so that the effects of one request do not count for the next. */
async function measure(as: Caller, name: string): Promise<readonly Called[]> {
  const server = await startBuilt({ root, execArgv: ['--require', COUNTER] });
  const admin = administrator(server);
  try {
    await fill(admin);
    const client = clientOf(server.http, await credentialsOf(as, server, admin));
    const called = await medianRound(server, client, name);
    client.close();
    return called;
  } finally {
    admin.close();
    await server.stop();
  }
}

async function medianRound(server: BenchServer, client: Client, name: string): Promise<readonly Called[]> {
  const call = REQUESTS[name];
  if (call === undefined) throw new Error(`there is no request ${name}`);
  for (let i = 0; i < WARM_UP; i++) await client.send(call(i));
  const rounds: (readonly Called[])[] = [];
  for (let i = 0; i < Number(values.rounds); i++) {
    await sleep(PAUSE_MS);
    await taken(server);
    await client.send(call(WARM_UP + i));
    rounds.push((await taken(server)).filter((called) => pathOf(called) !== undefined));
  }
  rounds.sort((a, b) => total(a) - total(b));
  return rounds[Math.floor(rounds.length / 2)] ?? [];
}

/** The calls since the last time. */
async function taken({ child }: BenchServer): Promise<readonly Called[]> {
  const answer = once(child, 'message');
  child.send('take');
  return (await answer)[0] as readonly Called[];
}

function total(called: readonly Called[]): number {
  return called.reduce((sum, { count }) => sum + count, 0);
}

function print(name: string, called: readonly Called[]): void {
  const files = sumBy(called, (one) => pathOf(one) ?? '');
  process.stdout.write(`${name.padEnd(20)} ${total(called)} calls in ${files.size} files\n`);
  if (values.files) printSums(files);
  if (values.functions) printSums(sumBy(called, placeOf));
}

function sumBy(called: readonly Called[], keyOf: (one: Called) => string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const one of called) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.count);
  return sums;
}

function printSums(sums: ReadonlyMap<string, number>): void {
  const largest = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, Number(values.top));
  for (const [key, count] of largest) process.stdout.write(`${String(count).padStart(6)}  ${key}\n`);
}
