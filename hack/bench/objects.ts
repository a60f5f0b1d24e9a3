/**
 * Measures what objects in memory cost: how long a server with many folders takes to start, and how much memory it has,
 * also after all were listed and written again.
 *   npx tsx hack/bench/objects.ts [--store embedded|mongodb] [--count N] [--rewrites N] [--workers N] [--data DIR] [--uri URI] [--root CHECKOUT]
 * The folders are appended to the store while the server is stopped. Data that is already in DIR, or in the database of
 * URI, is used, and stays. Prints one line of JSON for each measurement, in milliseconds and MiB. With several workers,
 * it has the memory and the CPU time so far of each.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startReplicaSet } from '../mongod.js';
import type { Client } from './client.js';
import { childrenOf, cpuMs } from './cpu.js';
import { fillStore, type Made } from './fill-store.js';
import { administrator, FOLDERS } from './fixtures.js';
import { memoryOf } from './memory.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    count: { type: 'string', default: '100000' },
    rewrites: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1' },
    data: { type: 'string', default: '/tmp/objects-bench' },
    uri: { type: 'string' },
    root: { type: 'string', default: '.' },
  },
});
/** The clients that write at the same time, and the folders of a page of a list. */
const CLIENTS = 32;
const PAGE = 5000;
const isEmbedded = values.store === 'embedded';
const count = Number(values.count);
const root = resolve(values.root);

const set = isEmbedded || values.uri !== undefined ? undefined : await startReplicaSet({ members: 1 });
const uri = values.uri ?? set?.uri ?? '';
try {
  await mkdir(values.data, { recursive: true, mode: 0o700 });
  await build(root);
  const store = isEmbedded ? [] : ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`];
  const args = [...store, `--server.workers=${values.workers}`];
  const start = () => startBuilt({ root, args, data: values.data });
  await withServer(await start(), async ({ child }) => print('empty', memoryIn(child.pid ?? 0)));
  await fill();
  for (const what of ['start', 'restart']) {
    const began = performance.now();
    await withServer(await start(), async (server) => {
      const { pid = 0 } = server.child;
      print(what, { ms: Math.round(performance.now() - began), cpu: Math.round(cpuMs(pid)), ...memoryIn(pid) });
      if (what === 'start') await use(server);
    });
  }
} finally {
  await set?.stop();
}

async function withServer(server: BenchServer, work: (server: BenchServer) => Promise<void>): Promise<void> {
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

function memoryIn(pid: number): object {
  if (values.workers === '1') return memoryOf(pid);
  const workers = childrenOf(pid).map((worker) => ({ cpu: cpuMs(worker), ...memoryOf(worker) }));
  return { supervisor: memoryOf(pid), workers };
}

async function fill(): Promise<void> {
  const began = performance.now();
  const report = (done: number) => print('fill', { done, ms: Math.round(performance.now() - began) });
  const place = isEmbedded ? { path: values.data } : { uri };
  await fillStore(place, { kind: 'folder/Folder', owners: 'iam/Organization', count, make: folder, report });
}

function folder(i: number): Made {
  const spec = { title: `Folder ${i}`, description: 'What the folder is for. '.repeat(14) };
  return { name: nameOf(i), author: 'admin', at: Date.now(), annotations: {}, spec };
}

function nameOf(i: number): string {
  return `folder-${i.toString().padStart(7, '0')}`;
}

async function use(server: BenchServer): Promise<void> {
  const admin = administrator(server);
  const show = (what: string, began: number, cpu: number) => {
    const { pid = 0 } = server.child;
    const [ms, spent] = [performance.now() - began, cpuMs(pid) - cpu].map(Math.round);
    print(what, { ms, cpu: spent, ...memoryIn(pid) });
  };
  const steps = { list: () => list(admin), ...rewritesOf(admin) };
  for (const [what, step] of Object.entries(steps)) {
    const [began, cpu] = [performance.now(), cpuMs(server.child.pid ?? 0)];
    await step();
    show(what, began, cpu);
  }
  admin.close();
}

/** All folders, in pages. */
async function list({ send }: Client): Promise<void> {
  let token = '';
  do {
    const { text } = await send({ method: 'GET', path: `${FOLDERS}?limit=${PAGE}&continue=${token}` });
    token = encodeURIComponent(JSON.parse(text).metadata.continue ?? '');
  } while (token !== '');
}

function rewritesOf(admin: Client): Readonly<Record<string, () => Promise<void>>> {
  const rounds = Array.from({ length: Number(values.rewrites) }, (_, i) => i + 1);
  return Object.fromEntries(rounds.map((round) => [`rewrite ${round}`, () => rewrite(admin, round)]));
}

async function rewrite({ send }: Client, round: number): Promise<void> {
  const body = { metadata: { annotations: { 'example.test/round': `${round}` } } };
  let next = 0;
  const client = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++)
      await send({ method: 'PATCH', path: `${FOLDERS}/${nameOf(i)}`, type: 'application/merge-patch+json', body });
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

function print(what: string, measured: object): void {
  process.stdout.write(`${JSON.stringify({ what, ...measured })}\n`);
}
