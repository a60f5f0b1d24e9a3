/**
 * What private folders cost: lists and searches of an administrator and of a viewer, and writes, with as many private folders as others.
 *   npx tsx hack/bench/private-folders.ts [folders of each sort] [rounds]
 * Prints the CPU time of one request, or of 20 writes, in milliseconds, of this process, which is server and client. Callers and places take turns.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/authn/user.js';
import { Client } from '../../registry/client.js';
import { kindNamed } from '../../registry/kind.js';
import type { ObjectClient } from '../../registry/objects.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { ADMIN, openServer } from '../../test/harness/server.js';

const total = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 100);
/** Rounds before those that count, until the compiler is done. */
const EARLY_ROUNDS = 100;
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const READS = [
  FOLDERS,
  `${FOLDERS}?limit=500`,
  '/api/search?query=folder&type=dash-folder&limit=100',
  '/api/search?query=latency&limit=100',
  '/api/search?limit=5000',
  '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards?limit=500',
];
const VIEWER: UserInfo = {
  name: 'vera',
  uid: 'vera',
  groups: [AUTHENTICATED_GROUP],
  extra: { 'svc.app/organization': ['default'] },
};

let written = 0;
const folder = await mkdtemp(join(tmpdir(), 'private-folders-'));
const server = await openServer(await openLmdb({ path: folder, domain: 'svc.app' }));
const { registry } = server.api;
const objects = (kind: string): ObjectClient<unknown> =>
  new Client(registry, { user: ADMIN }).objects(kindNamed(registry.kinds, kind), 'default');

await addViewer();
await addFolders('open', {});
const writes = await measured({ 'before private ones': () => write('open') });
await addFolders('shut', { 'svc.app/basic-roles': 'none' });
print({
  path: 'PATCH of a folder',
  ...writes,
  ...(await measured({ open: () => write('open'), private: () => write('shut') })),
});
for (const path of READS) {
  const cpu = await measured({ admin: () => read(path, ADMIN), viewer: () => read(path, VIEWER) });
  print({ path, ...cpu, ratio: Number(((cpu['viewer'] ?? 0) / (cpu['admin'] ?? 1)).toFixed(2)) });
}
await server.close();
await rm(folder, { recursive: true });

async function addViewer(): Promise<void> {
  const account = { login: 'vera', email: 'vera@example.com', name: '', disabled: false, grafanaAdmin: false };
  await new Client(registry, { user: ADMIN })
    .objects(kindNamed(registry.kinds, 'User'))
    .create({ metadata: { name: 'vera' }, spec: account });
  const spec = { userRef: { name: 'vera' }, role: 'Viewer' };
  await objects('OrganizationBinding').create({ metadata: { name: 'vera' }, spec });
}

/** Folders with a dashboard in each tenth. */
async function addFolders(prefix: string, annotations: Readonly<Record<string, string>>): Promise<void> {
  for (let from = 0; from < total; from += 500) {
    const some = Array.from({ length: Math.min(500, total - from) }, (_, i) => `${prefix}-${from + i}`);
    await Promise.all(
      some.map((name) =>
        objects('Folder').create({ metadata: { name, annotations }, spec: { title: `Folder ${name}` } }),
      ),
    );
    const tenth = some.filter((_, i) => i % 10 === 0);
    await Promise.all(
      tenth.map((name) =>
        objects('Dashboard').create({
          metadata: { name, annotations: { 'svc.app/folder': name } },
          spec: { title: `latency of ${name}` },
        }),
      ),
    );
  }
}

async function read(path: string, user: UserInfo): Promise<void> {
  const { status, text } = await server.call('GET', path, { user });
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
}

async function write(prefix: string): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  for (let i = 0; i < 20; i++) {
    const body = { spec: { description: String(++written) } };
    const { status, text } = await server.call('PATCH', `${FOLDERS}/${prefix}-${written % total}`, { body, headers });
    if (status !== 200) throw new Error(text);
  }
}

/** The CPU time of each, in milliseconds: the median of the rounds. */
async function measured(all: Readonly<Record<string, () => Promise<void>>>): Promise<Readonly<Record<string, number>>> {
  const taken = Object.entries(all).map(([name, run]) => ({ name, run, times: [] as number[] }));
  for (let round = -EARLY_ROUNDS; round < rounds; round++)
    for (const { run, times } of taken) {
      const used = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(used);
      if (round >= 0) times.push((user + system) / 1000);
    }
  return Object.fromEntries(taken.map(({ name, times }) => [name, times.sort((a, b) => a - b)[rounds >> 1] ?? 0]));
}

function print(row: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
