/**
 * Measures what history and trash cost: updates of dashboards with and without history, and the deletion and the return of a folder.
 *   npx tsx hack/bench/past.ts [--mongodb URI] [--dashboards 1000] [--kilobytes 5] [--only TEXT]
 * The server runs in this process, without HTTP, on a new store. CPU time is that of this process, without MongoDB. A stall is the longest
 * time for which the event loop did nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { environmentOf } from '../../cmd/apiserver/environment.js';
import { openResourceApi } from '../../cmd/apiserver/resource-api.js';
import { MASTERS_GROUP } from '../../pkg/authn/user.js';
import { loadConfig } from '../../pkg/config/load.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import { Client } from '../../registry/client/client.js';
import { restore } from '../../registry/history/restore.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { DEFAULT_RETENTION, type Retention } from '../../registry/kinds/retention.js';
import type { Backend } from '../../storage/backend.js';
import { openLmdb } from '../../storage/lmdb/open.js';
import { openMongodb } from '../../storage/mongodb/open.js';

const { values } = parseArgs({
  options: {
    mongodb: { type: 'string', default: '' },
    dashboards: { type: 'string', default: '1000' },
    kilobytes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});
const [COUNT, KILOBYTES] = [Number(values.dashboards), Number(values.kilobytes)];
const NAMESPACE = 'default';
const FOLDER = 'folder';
/** The number of concurrent writes. */
const AT_ONCE = 20;
const ROUNDS = 5;
const ADMIN = { name: 'bench', uid: 'bench', groups: [MASTERS_GROUP], extra: {} };

interface Bench {
  readonly client: Client;
  readonly dashboards: Kind;
  readonly folders: Kind;
}

const path = await mkdtemp(join(tmpdir(), 'apiserver-past.'));
for (const versions of [0, DEFAULT_RETENTION.versions])
  if ('update'.includes(values.only)) await withServer({ versions }, (bench) => updates(bench, `${versions} versions`));
for (const trash of [0, DEFAULT_RETENTION.trash])
  if ('tree'.includes(values.only)) await withServer({ trash }, (bench) => tree(bench, trash > 0));
await rm(path, { recursive: true });

async function updates(bench: Bench, label: string): Promise<void> {
  const { client, dashboards } = bench;
  await fill(bench, undefined);
  let round = 0;
  const change = (old: KubeObject): KubeObject => ({ ...old, spec: { ...(old.spec as object), tags: [`${round}`] } });
  await measured(`update, ${label}`, COUNT * ROUNDS, async () => {
    for (; round < ROUNDS; round++) await each((name) => client.update(dashboards, NAMESPACE, name, change));
  });
}

async function tree(bench: Bench, hasTrash: boolean): Promise<void> {
  const { client, folders } = bench;
  await client.create(folders, NAMESPACE, objectOf(folders, FOLDER, { title: FOLDER }));
  await fill(bench, FOLDER);
  const label = `delete a folder, ${hasTrash ? 'with' : 'without'} trash`;
  await measured(label, 1, () => client.delete(folders, NAMESPACE, FOLDER));
  if (!hasTrash) return;
  await measured('restore it', 1, () => restore(client, { kind: folders, namespace: NAMESPACE, name: FOLDER }));
}

async function fill({ client, dashboards }: Bench, folder: string | undefined): Promise<void> {
  const panel = { gridPos: { x: 0, y: 0, w: 12, h: 8 }, options: { text: 'x'.repeat(900) } };
  const panels = Array.from({ length: KILOBYTES }, (_, id) => ({ id, ...panel }));
  await each((name) =>
    client.create(dashboards, NAMESPACE, objectOf(dashboards, name, { title: name, panels }, folder)),
  );
}

function objectOf({ apiVersion, kind, domain }: Kind, name: string, spec: object, folder?: string): KubeObject {
  const annotations = folder === undefined ? {} : { annotations: { [`${domain}/folder`]: folder } };
  return { apiVersion, kind, metadata: { name, ...annotations }, spec };
}

async function each(work: (name: string) => Promise<unknown>): Promise<void> {
  const names = Array.from({ length: COUNT }, (_, i) => `dashboard-${i}`);
  for (let from = 0; from < COUNT; from += AT_ONCE) await Promise.all(names.slice(from, from + AT_ONCE).map(work));
}

async function measured(label: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await work();
  const [elapsed, { user, system }] = [performance.now() - began, process.cpuUsage(cpu)];
  delay.disable();
  const [cpuMs, wallMs, stall] = [(user + system) / 1000 / count, elapsed / count, delay.max / 1e6];
  process.stdout.write(
    `${label.padEnd(36)} ${cpuMs.toFixed(2)} CPU-ms, ${wallMs.toFixed(2)} ms, longest stall ${stall.toFixed(0)} ms\n`,
  );
}

async function withServer(retention: Partial<Retention>, work: (bench: Bench) => Promise<void>): Promise<void> {
  const backend = await openStore();
  const environment = environmentOf(loadConfig({ argv: [], env: {}, readFile: () => '' }).settings);
  const api = await openResourceApi({
    backend,
    environment,
    retention: { ...DEFAULT_RETENTION, ...retention },
    alone: true,
    version: '0',
    history: 300_000,
    onError: (error, what) => void process.stderr.write(`${what}: ${String(error)}\n`),
  });
  const { compiled } = api.registry;
  const client = new Client(api.registry, { user: ADMIN });
  await work({ client, dashboards: compiled.get('dashboard/Dashboard'), folders: compiled.get('folder/Folder') });
  await api.close();
  await backend.close();
}

async function openStore(): Promise<Backend> {
  const name = ulid().toLowerCase();
  if (values.mongodb === '') return openLmdb({ path: join(path, name), domain: 'svc.app' });
  return openMongodb({ uri: values.mongodb, database: `b${name}`, domain: 'svc.app' });
}
