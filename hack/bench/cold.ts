/**
 * Measures reads of objects that only the disk has: how long they take, and for how long they block the event loop.
 *   npx tsx hack/bench/cold.ts --data DIR [--count N] [--gets N] [--pages N] [--only TEXT] [--root CHECKOUT]
 * DIR is a data folder with folders, as hack/bench/objects.ts leaves it. The page cache of the machine is dropped
 * before each case, which needs root. Prints one line of JSON for each case, in milliseconds. `gap` is the longest time
 * in which the event loop was not free, `own` the same without the time in which others had the processor, and `cpu`
 * the most CPU time of one of its steps. The files of objects are unmapped from the server's memory first, because what
 * a process has mapped is not dropped.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { administrator, FOLDERS } from './fixtures.js';
import { loopOf, MONITORED } from './loop-monitor.js';
import { build, startBuilt } from './server.js';
import { initialEvents } from './watch-list.js';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '/tmp/objects-bench' },
    count: { type: 'string', default: '1000000' },
    gets: { type: 'string', default: '200' },
    pages: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    root: { type: 'string', default: '.' },
  },
});
const [count, gets, pages] = [Number(values.count), Number(values.gets), Number(values.pages)];
const root = resolve(values.root);
await build(root);
const execArgv = [...MONITORED, '--import', `data:text/javascript,${encodeURIComponent(unmappingIn(root))}`];
const server = await startBuilt({ root, data: values.data, execArgv });
const admin = administrator(server);
/** Milliseconds for which the server assumes that what was in the page cache is still there, and a little more. */
const PERIOD = 10_500;
/** Tokens of the second page by query. */
const firstTokens = new Map<string, string>();

const random = (): number => Math.floor(Math.random() * count);
const name = (i = random()): string => `folder-${i.toString().padStart(7, '0')}`;
const get = (path: string) => admin.send({ method: 'GET', path });
const list = (query: string) => get(`${FOLDERS}?${query}`);
/** The objects have no labels of clients, so the server looks at all for each of these selectors. */
const [ALL, NONE] = ['labelSelector=!example.test/none', 'labelSelector=example.test/none'];

/** What is measured, and how often it is done. */
const CASES: Readonly<Record<string, readonly [times: number, work: (isFirst: boolean) => Promise<unknown>]>> = {
  get: [gets, () => get(`${FOLDERS}/${name()}`)],
  patch: [gets, patch],
  'page of 500': [5, () => somewhere('limit=500')],
  '10,000 objects': [3, () => somewhere('limit=10000')],
  'label selector, page of 500': [5, () => somewhere(`limit=500&${ALL}`)],
  'label selector, 10,000 looked at, none found': [3, () => somewhere(`limit=500&${NONE}`)],
  'field selector': [gets, () => list(`fieldSelector=metadata.name=${name()}`)],
  'index of ids': [gets, () => list(`labelSelector=svc.app/deprecatedInternalID=${1 + random()}`)],
  'walk, pages of 500': [1, walk],
  'watch that begins with a list': [1, (isFirst) => initialEvents(server, FOLDERS, isFirst ? 1000 : 50_000)],
  'legacy get': [gets, () => get(`/api/folders/${name()}`)],
  'legacy list': [5, () => get(`/api/folders?limit=1000&page=${1 + (random() % 20)}`)],
  'legacy search': [5, () => get(`/api/search?query=older&page=${1 + (random() % 20)}`)],
  'legacy list, first': [1, (isFirst) => get(isFirst ? `/api/folders/${name()}` : '/api/folders?limit=1000&page=7')],
  'legacy search for one': [gets / 10, () => get(`/api/search?query=${random()}`)],
};

try {
  for (const [what, [times, work]] of Object.entries(CASES))
    if (what.includes(values.only)) await measure(what, times, work);
} finally {
  admin.close();
  await server.stop();
}

function patch(): Promise<unknown> {
  const body = { metadata: { annotations: { 'example.test/cold': String(Math.random()) } } };
  return admin.send({ method: 'PATCH', path: `${FOLDERS}/${name()}`, type: 'application/merge-patch+json', body });
}

/** A page that begins at a random object. Its token is made of the first one. */
async function somewhere(query: string): Promise<string> {
  const token = firstTokens.get(query) ?? Buffer.from(await nextToken(query, ''), 'base64url').toString();
  firstTokens.set(query, token);
  const { after, ...first } = JSON.parse(token) as { readonly after: string };
  const key = after.replace(/[^/]*$/, name(Math.max(0, random() - 20_000)));
  return nextToken(query, Buffer.from(JSON.stringify({ ...first, rv: -1, after: key })).toString('base64url'));
}

async function nextToken(query: string, token: string): Promise<string> {
  const { text } = await list(`${query}&continue=${token}`);
  return /"continue":"([^"]*)"/.exec(text.slice(0, 1000))?.[1] ?? '';
}

async function walk(): Promise<void> {
  let token = await somewhere('limit=500');
  for (let i = 1; i < pages; i++) token = await nextToken('limit=500', token);
}

/** The work is done once before, so that its code is compiled. */
async function measure(what: string, times: number, work: (isFirst: boolean) => Promise<unknown>): Promise<void> {
  await work(true);
  await unmap();
  dropCaches();
  await setTimeout(PERIOD);
  await loopOf(server);
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await work(false);
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  const { gap, own, longest } = await loopOf(server);
  const rounded = (value: number | undefined): number => Math.round((value ?? 0) * 10) / 10;
  const report = {
    what,
    median: rounded(took[took.length >> 1]),
    most: rounded(took.at(-1)),
    gap: rounded(gap),
    own: rounded(own),
    cpu: rounded(longest),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Runs in the server: takes the files of objects out of its memory, but not out of its address space. */
function unmappingIn(checkout: string): string {
  return `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const MADV_DONTNEED = 4;
const koffi = createRequire(${JSON.stringify(`${checkout}/`)})('koffi');
const madvise = koffi.load(null).func('int madvise(intptr_t at, size_t length, int advice)');
process.on('SIGUSR2', () => {
  for (const [, from, to] of readFileSync('/proc/self/maps', 'utf8').matchAll(/^(\\w+)-(\\w+) .*[.]tables/gm)) {
    const [start, end] = [BigInt('0x' + from), BigInt('0x' + to)];
    madvise(start, end - start, MADV_DONTNEED);
  }
});
`;
}

async function unmap(): Promise<void> {
  server.child.kill('SIGUSR2');
  // It takes milliseconds.
  await setTimeout(500);
}

function dropCaches(): void {
  execFileSync('sync');
  writeFileSync('/proc/sys/vm/drop_caches', '3');
}
