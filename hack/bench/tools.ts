/**
 * Measures backup, restore, copy and check of a store with many objects: 80 % folders, which are cached, and 20 % annotations, which have index rows.
 *   npx tsx hack/bench/tools.ts [--count N] [--data DIR] [--uri URI]
 * Prints one line of JSON for each command: wall time and CPU time in milliseconds, and the most memory in MiB.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startReplicaSet } from '../mongod.js';
import { madeAnnotation } from './annotations/data.js';
import { cpuMs } from './cpu.js';
import { fillStore } from './fill-store.js';
import { memoryOf } from './memory.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    data: { type: 'string', default: '/tmp/tools-bench' },
    uri: { type: 'string' },
  },
});
const count = Number(values.count);
const root = resolve('.');
const source = join(values.data, 'source');
const restored = join(values.data, 'restored');
const file = join(values.data, 'backup.gz');
const set = values.uri === undefined ? await startReplicaSet({ members: 1 }) : undefined;
const uri = new URL(values.uri ?? set?.uri ?? '');

try {
  await build(root);
  await fill();
  rmSync(restored, { recursive: true, force: true });
  const onMongodb = ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri.href}`];
  await run('backup', ['backup', file, `--paths.data=${source}`]);
  await run('restore', ['restore', file, `--paths.data=${restored}`]);
  await run('copy to MongoDB', ['copy', `--from=${source}`, `--to=${place('copied')}`, '--force']);
  await run('copy again', ['copy', `--from=${source}`, `--to=${place('copied')}`]);
  await run('backup of MongoDB', ['backup', file, ...onMongodb, '--storage.mongodb_database=copied']);
  await run('restore to MongoDB', ['restore', file, '--force', ...onMongodb, '--storage.mongodb_database=restored']);
  await run('copy back', ['copy', `--from=${place('copied')}`, `--to=${restored}`, '--force']);
  await run('check', ['check', `--paths.data=${source}`]);
  await run('check on MongoDB', ['check', ...onMongodb, '--storage.mongodb_database=copied']);
} finally {
  await set?.stop();
}

function place(database: string): string {
  const named = new URL(uri);
  named.pathname = database;
  return named.href;
}

async function fill(): Promise<void> {
  await mkdir(source, { recursive: true, mode: 0o700 });
  const server = await startBuilt({ root, args: [], data: source });
  await server.stop();
  const data = { count: count * 0.2, dashboards: 100, tags: 1000, seed: 1 };
  const [owners, report] = ['iam/Organization', (): void => undefined] as const;
  await fillStore(
    { path: source },
    {
      kind: 'folder/Folder',
      owners,
      count: count * 0.8,
      report,
      make: (i) => ({
        name: `folder-${i}`,
        author: 'admin',
        at: Date.now(),
        annotations: {},
        spec: { title: `Folder ${i}`, description: 'What the folder is for. '.repeat(14) },
      }),
    },
  );
  const make = (i: number, uids: ReadonlyMap<string, string>) => madeAnnotation(i, data, uids);
  await fillStore({ path: source }, { kind: 'annotation/Annotation', owners, count: data.count, report, make });
}

async function run(what: string, args: readonly string[]): Promise<void> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/cmd/adminctl/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  let [cpu, rss, anonymous] = [0, 0, 0];
  const timer = setInterval(() => {
    try {
      const memory = memoryOf(child.pid);
      [rss, anonymous] = [Math.max(rss, memory.rss), Math.max(anonymous, memory.anonymous)];
      cpu = cpuMs(child.pid ?? 0);
    } catch {
      // The process has just ended.
    }
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  const ms = Math.round(performance.now() - began);
  process.stdout.write(`${JSON.stringify({ what, code, ms, cpu, rss, anonymous, text: text.split('\n')[0] })}\n`);
}
