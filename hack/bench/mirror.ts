/**
 * Measures a mirror between two servers of this checkout: the time in which all dashboards arrive, the memory that it
 * takes here, what a restart sends again, and the time from the commit of a change until it is there.
 *   npx tsx hack/bench/mirror.ts [dashboards] [bytes of each]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { call } from './call.js';
import { cpuMs } from './cpu.js';
import { memoryOf } from './memory.js';
import { type BenchServer, build, startBuilt } from './server.js';

const [count = 10_000, bytes = 10_000] = process.argv.slice(2).map(Number);
const root = process.cwd();
const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const MIRROR = '/apis/mirror.svc.app/v1beta1/namespaces/default/mirrors';

if (process.env['BUILT'] !== 'true') await build(root);
const there = await startBuilt({ root, args: ['--legacy.compatibility=clients'] });
const here = await startBuilt({ root, args: ['--webhooks.networks=127.0.0.0/8'] });
try {
  await measure();
} finally {
  await here.stop();
  await there.stop();
}

async function measure(): Promise<void> {
  const panels = [{ id: 1, type: 'text', options: { content: 'x'.repeat(bytes) } }];
  const limit = pLimit(32);
  const folders = Math.ceil(count / 100);
  for (let i = 0; i < folders; i++)
    await create(FOLDERS, 'folder.svc.app/v1beta1', 'Folder', `f${i}`, { title: `F${i}` });
  const dashboard = (i: number) =>
    create(
      DASHBOARDS,
      'dashboard.svc.app/v1beta1',
      'Dashboard',
      `d${i}`,
      { title: `D${i}`, panels },
      `f${i % folders}`,
    );
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => dashboard(i))));
  await sleep(5000);
  const before = memoryOf(here.child.pid).rss;
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'm' }, stringData: { token: there.token } };
  await call(here, 'POST', '/api/v1/namespaces/default/secrets', secret);
  const began = performance.now();
  await create(MIRROR, 'mirror.svc.app/v1beta1', 'Mirror', 'm', {
    address: there.http.origin,
    credential: { secret: 'm' },
    delete: true,
  });
  let most = before;
  for (; ; await sleep(250)) {
    most = Math.max(most, memoryOf(here.child.pid).rss);
    const { status } = (await call(here, 'GET', `${MIRROR}/m`)) as {
      status?: { conditions: { status: string; message: string }[] };
    };
    if (process.env['TELL']) console.log(JSON.stringify(status));
    if (status?.conditions[0]?.status === 'True') break;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${count} dashboards of ${bytes} bytes: ${seconds.toFixed(1)} s, ${most - before} MiB more (${before} before), CPU since the start: ${cpuOf(here)} s here, ${cpuOf(there)} s there`,
  );
  const times: number[] = [];
  for (let i = 0; i < 20; i++) times.push(await arrival(i));
  times.sort((a, b) => a - b);
  console.log(`a change: ${times[10]?.toFixed(0)} ms, at most ${times.at(-1)?.toFixed(0)} ms`);
}

async function arrival(i: number): Promise<number> {
  const title = `Changed ${i}`;
  const patch = { spec: { title } };
  await call(here, 'PATCH', `${DASHBOARDS}/d${i * 7}`, patch, 'application/merge-patch+json');
  const began = performance.now();
  for (; ; await sleep(2)) {
    const { dashboard } = (await call(there, 'GET', `/api/dashboards/uid/d${i * 7}`)) as {
      dashboard: { title: string };
    };
    if (dashboard.title === title) return performance.now() - began;
  }
}

function create(path: string, apiVersion: string, kind: string, name: string, spec: object, folder?: string) {
  const annotations = folder === undefined ? {} : { 'svc.app/folder': folder };
  return call(here, 'POST', path, { apiVersion, kind, metadata: { name, annotations }, spec });
}

function cpuOf({ child }: BenchServer): number {
  return Math.round(cpuMs(child.pid ?? 0) / 1000);
}
