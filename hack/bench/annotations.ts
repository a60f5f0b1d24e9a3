/**
 * Measures a server with very many annotations: its memory, its start, queries, tag counts and writes.
 *   npx tsx hack/bench/annotations.ts [--store embedded|mongodb] [--count N] [--dashboards N] [--tags N] [--rounds N] [--seconds N] [--clients N] [--data DIR] [--uri URI] [--only TEXT] [--profile DIR]
 * The server is built, and runs in its own process. The dashboards are created through it. The annotations are appended
 * to its store while it is stopped, in large batches, because that is faster. Data that is already in DIR, or in the
 * database of URI, is used, and stays. Prints one line of JSON for each measurement, in milliseconds and MiB.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startReplicaSet } from '../mongod.js';
import {
  annotationBody,
  annotationNow,
  DASHBOARDS,
  type Data,
  dashboardBody,
  madeAnnotation,
  QUERIES,
} from './annotations/data.js';
import { type Client, clientOf } from './client.js';
import { cpuMs } from './cpu.js';
import { fillStore } from './fill-store.js';
import { latencyOf, rounded } from './latency.js';
import { memoryOf } from './memory.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    count: { type: 'string', default: '1000000' },
    dashboards: { type: 'string', default: '1000' },
    tags: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '15' },
    clients: { type: 'string', default: '16' },
    data: { type: 'string', default: '/tmp/annotations-bench' },
    uri: { type: 'string' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
  },
});
/** Index rows of the past are written all over the index, rows of now mostly at the ends of its ranges. */
const WRITES = [
  ['writes of the past', annotationBody],
  ['writes of now', annotationNow],
] as const;
const root = resolve('.');
const data: Data = {
  count: Number(values.count),
  dashboards: Number(values.dashboards),
  tags: Number(values.tags),
  seed: Date.now(),
};
const isEmbedded = values.store === 'embedded';
const set = isEmbedded || values.uri !== undefined ? undefined : await startReplicaSet({ members: 1 });
const uri = values.uri ?? set?.uri ?? '';
const args = isEmbedded ? [] : ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`];

try {
  await mkdir(values.data, { recursive: true, mode: 0o700 });
  await build(root);
  await fill();
  const began = performance.now();
  const server = await start(values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]);
  try {
    print('start', { ms: Math.round(performance.now() - began), ...memoryOf(server.child.pid) });
    await measure(server);
  } finally {
    await server.stop();
  }
} finally {
  await set?.stop();
}

function start(execArgv: readonly string[] = []): Promise<BenchServer> {
  return startBuilt({ root, args, execArgv, data: values.data });
}

function adminOf(server: BenchServer): Client {
  return clientOf(server.http, { authorization: `Bearer ${server.token}` });
}

async function fill(): Promise<void> {
  const server = await start();
  const admin = adminOf(server);
  try {
    const { text } = await admin.send({ method: 'GET', path: `${DASHBOARDS}?limit=1` });
    for (let i = JSON.parse(text).items.length > 0 ? data.dashboards : 0; i < data.dashboards; i++)
      await admin.send({ method: 'POST', path: DASHBOARDS, body: dashboardBody(i) });
  } finally {
    admin.close();
    await server.stop();
  }
  const began = performance.now();
  await fillStore(isEmbedded ? { path: values.data } : { uri }, {
    kind: 'annotation/Annotation',
    owners: 'dashboard/Dashboard',
    count: data.count,
    make: (i, uids) => madeAnnotation(i, data, uids),
    report: (done) => print('fill', { done, ms: Math.round(performance.now() - began) }),
  });
}

async function measure(server: BenchServer): Promise<void> {
  const admin = adminOf(server);
  const pid = server.child.pid ?? 0;
  for (const [name, path] of QUERIES)
    if (name.includes(values.only))
      print(name, await latencyOf(admin, pid, Number(values.rounds), (i) => path(i, data)));
  print('after queries', memoryOf(pid));
  for (const [name, body] of WRITES) if (name.includes(values.only)) print(name, await measureWrites(admin, pid, body));
  print('after writes', memoryOf(pid));
  admin.close();
}

/** The CPU time of a database that this program has started. */
function databaseMs(): number {
  const member = set?.members[0]?.pid;
  return member === undefined ? 0 : cpuMs(member);
}

async function measureWrites(
  admin: Client,
  pid: number,
  bodyOf: (i: number, data: Data) => object,
): Promise<Readonly<Record<string, number>>> {
  let [sent, isOver] = [0, false];
  const taken: number[] = [];
  const client = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      await admin.send({ method: 'POST', path: '/api/annotations', body: bodyOf(sent++, data) });
      taken.push(performance.now() - began);
    }
  };
  const [began, cpu, database] = [performance.now(), cpuMs(pid), databaseMs()];
  const clients = Array.from({ length: Number(values.clients) }, client);
  await sleep(Number(values.seconds) * 1000);
  isOver = true;
  await Promise.all(clients);
  const seconds = (performance.now() - began) / 1000;
  taken.sort((a, b) => a - b);
  return {
    perSecond: Math.round(taken.length / seconds),
    p50: rounded(taken[taken.length >> 1] ?? 0),
    p99: rounded(taken[Math.floor(taken.length * 0.99)] ?? 0),
    cpu: rounded((cpuMs(pid) - cpu) / taken.length),
    database: rounded((databaseMs() - database) / taken.length),
  };
}

function print(what: string, measured: object): void {
  process.stdout.write(`${JSON.stringify({ store: values.store, count: data.count, what, ...measured })}\n`);
}
