/**
 * Measures the atomic apply of many folders: the first apply, a repetition that changes nothing, a dry run, an apply that changes one of a hundred, a
 * change of one member by somebody else, and a prune of everything. It prints wall time, CPU time of the server, and the longest time that another
 * request waited.
 *   npx tsx hack/bench/apply-set.ts [--root DIR] [--objects N] [-- SETTINGS OF THE SERVER]
 * For MongoDB: `-- --storage.backend=mongodb --storage.mongodb_uri=URI`.
 */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMs } from './cpu.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values, positionals } = parseArgs({
  options: { root: { type: 'string', default: '.' }, objects: { type: 'string', default: '1000' } },
  allowPositionals: true,
});
const root = resolve(values.root);
/** A multiple of ten. */
const count = Number(values.objects);
const SET = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets/bench';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

await build(root);
const server = await startBuilt({ root, args: positionals });
try {
  const objects = folders(count);
  await step('first apply', () => apply(objects));
  await step('the same again', () => apply(objects));
  await step('the same again', () => apply(objects));
  await step('dry run', () => apply(objects, '?dryRun=All'));
  await step('one of 100 changed', () => apply(folders(count, (i) => (i % 100 === 0 ? ' changed' : ''))));
  await step('a member changed by hand', () => call('PATCH', `${FOLDERS}/f-1`, { spec: { title: 'drifted' } }));
  await step('prune all', () => apply([], '', { enabled: true }));
} finally {
  await server.stop();
}

/** A tree, children before their parents. */
function folders(n: number, more: (i: number) => string = () => ''): readonly object[] {
  return Array.from({ length: n }, (_, i) => ({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name: `f-${i}`, annotations: { 'svc.app/folder': i % 10 === 9 ? '' : `f-${i - (i % 10) + 9}` } },
    spec: {
      title: `Folder ${i}${more(i)}`,
      description: 'A folder of the benchmark, with a description as people write it',
    },
  }));
}

function apply(objects: readonly object[], query = '', prune?: object): Promise<unknown> {
  const spec = { objects, ...(prune && { prune }) };
  return call('POST', `${SET}/apply${query}`, { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest', spec });
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const { http, token }: BenchServer = server;
  const answer = await fetch(new URL(path, http), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 1000)}`);
  return JSON.parse(text);
}

/** Others go on reading meanwhile. */
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const pid = server.child.pid ?? 0;
  let isOver = false;
  let longest = 0;
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now();
      await call('GET', '/version');
      longest = Math.max(longest, performance.now() - began);
      await sleep(5);
    }
  })();
  const [cpu, began] = [cpuMs(pid), performance.now()];
  const answer = (await work()) as { readonly status?: { readonly summary?: object } };
  const [took, used] = [performance.now() - began, cpuMs(pid) - cpu];
  isOver = true;
  await reading;
  const summary = JSON.stringify(answer.status?.summary ?? {});
  process.stdout.write(
    `${name}: ${took.toFixed(0)} ms, CPU ${used} ms, others waited ${longest.toFixed(0)} ms ${summary}\n`,
  );
}
