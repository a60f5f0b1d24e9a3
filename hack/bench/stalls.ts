/**
 * Measures the longest time for which the event loop of a server is not free, while others use the server in ways that
 * take it much work.
 *   npx tsx hack/bench/stalls.ts [--store embedded|mongodb] [--folders N] [--dashboards N] [--rounds N] [--only PART] [--data DIR] [--root CHECKOUT] [--profile DIR]
 * The objects are appended to the store while the server is stopped. Folders that are already in DIR are used, and
 * stay. Prints one line of JSON for each case, in milliseconds and the least of the rounds: the CPU time of the longest
 * step of the event loop, the longest gap by the clock, which is longer if others use the machine, and the CPU time of
 * the whole case.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startReplicaSet } from '../mongod.js';
import { fillStore } from './fill-store.js';
import { administrator } from './fixtures.js';
import { loopOf, MONITORED } from './loop-monitor.js';
import { type BenchServer, build, startBuilt } from './server.js';
import { BIG_FOLDER, casesOf, dashboardIn, folder } from './stall-cases.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    folders: { type: 'string', default: '100000' },
    dashboards: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: '/tmp/stalls-bench' },
    root: { type: 'string', default: '.' },
    profile: { type: 'string' },
  },
});
const isEmbedded = values.store === 'embedded';
const [folders, dashboards, rounds] = [values.folders, values.dashboards, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const root = resolve(values.root);

const set = isEmbedded ? undefined : await startReplicaSet({ members: 1 });
const uri = set?.uri ?? '';
try {
  await mkdir(values.data, { recursive: true, mode: 0o700 });
  await build(root);
  const own = isEmbedded ? [] : ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`];
  const args = [...own, `--history.max_trash_objects=${dashboards * 2}`];
  const profiled = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
  const start = () => startBuilt({ root, args, data: values.data, execArgv: [...MONITORED, ...profiled] });
  await (await start()).stop();
  await fill();
  const server = await start();
  try {
    await measureAll(server);
  } finally {
    await server.stop();
  }
} finally {
  await set?.stop();
}

async function fill(): Promise<void> {
  const place = isEmbedded ? { path: values.data } : { uri };
  const report = () => undefined;
  const owners = 'iam/Organization';
  await fillStore(place, { kind: 'folder/Folder', owners, count: folders, make: folder, report });
  await fillStore(place, {
    kind: 'dashboard/Dashboard',
    owners,
    count: dashboards,
    make: dashboardIn(BIG_FOLDER),
    report,
  });
}

async function measureAll(server: BenchServer): Promise<void> {
  const admin = administrator(server);
  for (const { name, prepare, run } of casesOf(admin)) {
    if (!name.includes(values.only)) continue;
    const [gaps, steps]: [number[], number[]] = [[], []];
    let cpu = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      await prepare?.();
      await loopOf(server);
      await run();
      const report = await loopOf(server);
      gaps.push(Math.round(report.gap));
      steps.push(Math.round(report.longest * 10) / 10);
      cpu = Math.min(cpu, Math.round(report.cpu));
    }
    process.stdout.write(`${JSON.stringify({ name, step: Math.min(...steps), gap: Math.min(...gaps), cpu })}\n`);
  }
  admin.close();
}
