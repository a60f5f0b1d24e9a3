/**
 * Measures searches and lists of many dashboards, and the deletion of a folder with many of them.
 *   npx tsx hack/bench/search.ts [lmdb|mongodb|memory] [dashboards] [rounds]
 * Prints one line of JSON for each request and caller, with p50 and p99 in milliseconds, and the CPU
 * time of one. `after a write` is the first search after a change of
 * a dashboard, when nothing is remembered.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import { Client } from '../../registry/client/client.js';
import type { ObjectClient } from '../../registry/client/objects.js';
import type { KindName } from '../../registry/kinds/compiled.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMemory } from '../../storage/memory/backend.js';
import { openMongodb } from '../../storage/mongodb/open.js';
import { ADMIN, openServer, type Server } from '../../test/harness/server.js';
import { startReplicaSet } from '../mongod/replica-set.js';

const store = process.argv[2] ?? 'lmdb';
const total = Number(process.argv[3] ?? 100_000);
const rounds = Number(process.argv[4] ?? 50);
const FOLDERS = 200;
const GRANTED = 20;
const LARGE = 'large';
const FOLDER = 'svc.app/folder';
const WORDS = ['latency', 'errors', 'requests', 'traffic', 'memory', 'disk', 'queue', 'cache', 'kernel', 'network'];
const ZONES = ['north', 'south', 'east', 'west', 'central', 'edge', 'core'];

const VIEWER: UserInfo = person('vera');
const RESTRICTED: UserInfo = person('norm');
const CALLERS = { admin: ADMIN, viewer: VIEWER, 'member with 20 folders': RESTRICTED };

const SEARCHES = [
  '/api/search?query=latency+north&type=dash-db&limit=100',
  '/api/search?query=number+4242',
  '/api/search?query=nobody-has-this',
  '/api/search?query=dashboard&limit=100&page=50',
  '/api/search?tag=rare-42',
  '/api/search?tag=common&limit=100',
  '/api/search?tag=common&tag=zone-edge&query=cache',
  '/api/search?folderUIDs=large&limit=100',
  '/api/search?folderUIDs=folder-7&query=disk',
  '/api/search?folderUIDs=general',
  '/api/search?limit=100',
  '/api/search',
  '/api/search?limit=5000&page=10',
  '/api/search?sort=alpha-desc&permission=Edit&limit=100',
  '/api/dashboards/tags',
];
const LISTS = ['/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards?limit=500'];

const { backend, close } = await open(store);
const server = await openServer(backend);
const begun = performance.now();
await fill(server);
print({ store, total, filled: `${Math.round((performance.now() - begun) / 1000)} s`, rss: memory() });
for (const [caller, user] of Object.entries(CALLERS)) {
  for (const path of [...SEARCHES, ...LISTS]) print({ store, caller, path, ...(await measure(path, user)) });
  const path = SEARCHES[0] ?? '';
  print({ store, caller, path: `${path} after a write`, ...(await measure(path, user, touch)) });
}
await deleteLarge();
await server.close();
await close();

function person(uid: string): UserInfo {
  return { name: uid, uid, groups: [AUTHENTICATED_GROUP], extra: { 'svc.app/organization': ['default'] } };
}

function print(row: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

function memory(): string {
  globalThis.gc?.();
  return `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`;
}

/** Sends a request after the response of the one before. */
async function measure(
  path: string,
  user: UserInfo,
  before: (round: number) => Promise<void> = async () => undefined,
): Promise<Readonly<Record<string, number>>> {
  const taken: number[] = [];
  let size = 0;
  let cpu = 0;
  for (let round = 0; round < rounds; round++) {
    await before(round);
    const start = performance.now();
    const used = process.cpuUsage();
    const { status, text } = await server.call('GET', path, { user });
    taken.push(performance.now() - start);
    const { user: own, system } = process.cpuUsage(used);
    cpu += (own + system) / 1000 / rounds;
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
    size = text.length;
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => Number((taken[Math.floor(share * (taken.length - 1))] ?? 0).toFixed(2));
  return { p50: at(0.5), p99: at(0.99), cpu: Number(cpu.toFixed(2)), bytes: size };
}

async function touch(round: number): Promise<void> {
  await objects('dashboard/Dashboard').update('d-1', (old) => ({
    ...old,
    spec: { ...(old.spec as object), touched: round },
  }));
}

function objects(kind: KindName): ObjectClient<unknown> {
  const { registry } = server.api;
  return new Client(registry, { user: ADMIN }).objects(registry.compiled.get(kind), 'default');
}

async function fill({ api }: Server): Promise<void> {
  const cluster = (kind: KindName) =>
    new Client(api.registry, { user: ADMIN }).objects(api.registry.compiled.get(kind));
  for (const [uid, role] of [
    ['vera', 'Viewer'],
    ['norm', 'None'],
  ] as const) {
    const account = { login: uid, email: `${uid}@example.com`, name: '', disabled: false, grafanaAdmin: false };
    await cluster('iam/User').create({ metadata: { name: uid }, spec: account });
    await objects('iam/OrganizationBinding').create({
      metadata: { name: uid },
      spec: { userRef: { name: uid }, role },
    });
  }
  for (const name of [LARGE, ...Array.from({ length: FOLDERS }, (_, i) => `folder-${i}`)])
    await objects('folder/Folder').create({ metadata: { name }, spec: { title: `Folder ${name}` } });
  for (let i = 0; i < GRANTED; i++) {
    const subject = { kind: 'User', name: 'norm' };
    const spec = { subject, roleRef: { kind: 'BuiltIn', name: 'View' }, scope: { folder: `folder-${i}` } };
    await objects('iam/RoleBinding').create({ metadata: { name: `norm-${i}` }, spec });
  }
  for (let from = 0; from < total; from += 1000) {
    const some = Array.from({ length: Math.min(1000, total - from) }, (_, i) => from + i);
    await Promise.all(some.map((number) => objects('dashboard/Dashboard').create(dashboard(number))));
  }
}

/** A tenth of the dashboards is in one folder, a tenth at the root, and the others are in the other folders. */
function dashboard(number: number): { readonly metadata: object; readonly spec: unknown } {
  const tenth = number % 10;
  const folder = tenth === 0 ? LARGE : tenth === 1 ? undefined : `folder-${number % FOLDERS}`;
  const zone = ZONES[number % ZONES.length] ?? '';
  const panels = Array.from({ length: 4 }, (_, id) => ({
    id,
    type: 'timeseries',
    title: `Panel ${id}`,
    gridPos: { x: 0, y: id * 8, w: 12, h: 8 },
    targets: [{ refId: 'A', expr: `sum(rate(requests_total{zone="${zone}"}[5m])) by (code)` }],
  }));
  return {
    metadata: { name: `d-${number}`, ...(folder && { annotations: { [FOLDER]: folder } }) },
    spec: {
      title: `${WORDS[number % WORDS.length]} ${zone} Dashboard number ${number}`,
      tags: [`zone-${zone}`, ...(number % 2 === 0 ? ['common'] : []), ...(number % 1000 === 42 ? ['rare-42'] : [])],
      panels,
      schemaVersion: 39,
    },
  };
}

/** Deletes the folder with a tenth of the dashboards, and measures how long other requests wait meanwhile. */
async function deleteLarge(): Promise<void> {
  print({ store, path: '/api/folders/large/counts', ...(await measure('/api/folders/large/counts', ADMIN)) });
  let longest = 0;
  let last = performance.now();
  const ticks = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const start = performance.now();
  const { status, text } = await server.call('DELETE', `/api/folders/${LARGE}`, { user: ADMIN });
  const milliseconds = Math.round(performance.now() - start);
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(ticks);
  const left = JSON.parse((await server.call('GET', '/api/search?folderUIDs=large', { user: ADMIN })).text).length;
  const answer = status === 200 ? status : `${status} ${text.slice(0, 300)}`;
  print({
    store,
    path: 'DELETE /api/folders/large',
    status: answer,
    milliseconds,
    pause: Math.round(longest),
    left,
    rss: memory(),
  });
}

async function open(name: string): Promise<{ readonly backend: Backend; close(): Promise<void> }> {
  if (name === 'memory') return { backend: openMemory(), close: async () => undefined };
  if (name === 'mongodb') {
    const set = await startReplicaSet({ members: 1 });
    const opened = await openMongodb({ uri: set.uri, database: 'bench', domain: 'svc.app' });
    return { backend: opened, close: () => set.stop() };
  }
  const path = await mkdtemp(join(tmpdir(), 'apiserver-bench-'));
  return {
    backend: await openLmdb({ path, domain: 'svc.app' }),
    close: () => rm(path, { recursive: true, force: true }),
  };
}
