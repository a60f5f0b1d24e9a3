/**
 * Measures reads of many dashboards, before and after each of them has earlier versions.
 *   npx tsx hack/bench/histories.ts [--count 100000] [--versions 20] [--rounds 200] [--data DIR]
 * The objects are appended to the embedded store while the server is stopped. Data that is already in DIR is used, and stays.
 * Prints one line of JSON for each measurement, in milliseconds and MiB.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fillStore, type Made } from './fill-store.js';
import { administrator } from './fixtures.js';
import { latencyOf } from './latency.js';
import { memoryOf } from './memory.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    versions: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '200' },
    data: { type: 'string', default: '/tmp/histories-bench' },
  },
});
const [count, versions, rounds] = [values.count, values.versions, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const DASHBOARDS = '/apis/dashboard.svc.app/v1beta1/namespaces/default/dashboards';
const BEGAN = Date.now() - 86_400_000;

const READS: Readonly<Record<string, (i: number) => string>> = {
  get: (i) => `${DASHBOARDS}/${nameOf((i * 7919) % count)}`,
  'page of 500': () => `${DASHBOARDS}?limit=500`,
  'history of one': (i) => `${DASHBOARDS}/${nameOf((i * 7919) % count)}/history`,
  'versions of one, legacy': (i) => `/api/dashboards/uid/${nameOf((i * 7919) % count)}/versions`,
  'search, legacy': (i) => `/api/search?query=number+${(i * 7919) % count}&limit=100`,
};

const place = { path: values.data };
await mkdir(values.data, { recursive: true, mode: 0o700 });
await build(resolve('.'));
await (await startBuilt({ root: resolve('.'), data: values.data })).stop();
await fillStore(place, {
  kind: 'dashboard/Dashboard',
  owners: 'iam/Organization',
  count,
  make: dashboard,
  report: () => undefined,
});
await measure('without versions');
const report = (done: number): void => print({ what: 'fill', done });
const filling = { kind: 'internal/RetainedVersion', owners: 'dashboard/Dashboard', count: count * versions } as const;
await fillStore(place, { ...filling, make: version, report });
await measure(`with ${versions} versions each`);

async function measure(what: string): Promise<void> {
  const began = performance.now();
  const server = await startBuilt({ root: resolve('.'), data: values.data });
  const pid = server.child.pid ?? 0;
  print({ what, read: 'start', ms: Math.round(performance.now() - began), ...memoryOf(pid) });
  const admin = administrator(server);
  for (const [read, path] of Object.entries(READS)) {
    await latencyOf(admin, pid, 20, path);
    print({ what, read, ...(await latencyOf(admin, pid, rounds, path)) });
  }
  print({ what, read: 'end', ...memoryOf(pid) });
  admin.close();
  await server.stop();
}

function nameOf(i: number): string {
  return `board-${String(i).padStart(7, '0')}`;
}

function specOf(i: number, generation: number): object {
  const panels = Array.from({ length: 3 }, (_, at) => ({ id: at + 1, type: 'graph', title: `Panel ${at}` }));
  return { title: `Dashboard number ${i}`, tags: ['measured'], schemaVersion: 39, generation, panels };
}

function dashboard(i: number): Made {
  const generation = versions + 1;
  return { name: nameOf(i), author: 'admin', at: BEGAN, annotations: {}, spec: specOf(i, generation), generation };
}

/** All dashboards get their next version at the same time. */
function version(i: number, uids: ReadonlyMap<string, string>): Made {
  const [board, generation] = [i % count, Math.floor(i / count) + 1];
  const name = nameOf(board);
  const uid = uids.get(name) ?? '';
  const at = BEGAN + generation * 60_000;
  const metadata = { name, namespace: 'default', uid, generation, creationTimestamp: new Date(BEGAN).toISOString() };
  const object = {
    apiVersion: 'dashboard.svc.app/v1beta1',
    kind: 'Dashboard',
    metadata,
    spec: specOf(board, generation),
  };
  const spec = { resource: 'dashboards.dashboard.svc.app', name, origin: uid, generation, at, object };
  return { name: `${at}.${uid}.${generation}`, author: 'admin', at, annotations: {}, spec };
}

function print(measured: object): void {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
