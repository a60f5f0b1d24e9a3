/**
 * Measures reads of objects that only the disk has: how long they take, and for how long they keep the event loop.
 *   npx tsx hack/bench/cold.ts --data DIR [--count N] [--gets N] [--root CHECKOUT]
 * DIR is a data folder with folders, as hack/bench/objects.ts leaves it. The page cache of the machine is dropped before each case, which takes root.
 * Prints one line of JSON for each case, in milliseconds. `gap` is the longest time in which the event loop was not free.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from './client.js';
import { administrator, FOLDERS } from './fixtures.js';
import { loopOf, MONITORED } from './loop-monitor.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '/tmp/objects-bench' },
    count: { type: 'string', default: '1000000' },
    gets: { type: 'string', default: '200' },
    root: { type: 'string', default: '.' },
  },
});
const [count, gets] = [Number(values.count), Number(values.gets)];
const root = resolve(values.root);
await build(root);
const server = await startBuilt({ root, data: values.data, execArgv: MONITORED });
const admin = administrator(server);
try {
  const name = (i: number): string => `folder-${i.toString().padStart(7, '0')}`;
  const random = (): number => Math.floor(Math.random() * count);
  const path = (): string => `${FOLDERS}/${name(random())}`;
  const page = (): string => `${FOLDERS}?limit=500&continue=`;
  await measure('get', gets, ({ send }) => send({ method: 'GET', path: path() }));
  await measure('get, again', gets, ({ send }) => send({ method: 'GET', path: path() }), false);
  const type = 'application/merge-patch+json';
  const body = () => ({ metadata: { annotations: { 'example.test/cold': String(Math.random()) } } });
  await measure('patch', gets, ({ send }) => send({ method: 'PATCH', path: path(), type, body: body() }));
  await measure('first page', 1, ({ send }) => send({ method: 'GET', path: page() }));
  await measure('10,000 objects', 1, ({ send }) => send({ method: 'GET', path: `${FOLDERS}?limit=10000` }));
} finally {
  admin.close();
  await server.stop();
}

async function measure(what: string, times: number, work: (client: Client) => Promise<unknown>, isCold = true) {
  if (isCold) dropCaches();
  await work(admin);
  if (isCold) dropCaches();
  await loopOf(server);
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await work(admin);
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  const { gap, longest } = await loopOf(server);
  const rounded = (value: number | undefined): number => Math.round((value ?? 0) * 10) / 10;
  const report = {
    what,
    median: rounded(took[times >> 1]),
    most: rounded(took.at(-1)),
    gap: rounded(gap),
    cpu: rounded(longest),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

function dropCaches(): void {
  execFileSync('sync');
  writeFileSync('/proc/sys/vm/drop_caches', '3');
}
