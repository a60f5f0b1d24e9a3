/**
 * Measures a server with many definitions, and the end of a definition with many objects.
 *   npx tsx hack/bench/definitions.ts [--definitions 500] [--objects 100000] [--root CHECKOUT]
 * Prints one line of JSON for each step, in milliseconds and MB: how long it took, the longest step of the event loop
 * in CPU time and by the clock, and the memory.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFINITIONS, definitionOf } from '../../test/custom/definition.js';
import { type Client, clientOf } from './client.js';
import { loopOf, MONITORED } from './loop-monitor.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    definitions: { type: 'string', default: '500' },
    objects: { type: 'string', default: '100000' },
    root: { type: 'string', default: '.' },
  },
});
const [definitions, objects] = [Number(values.definitions), Number(values.objects)];
const root = resolve(values.root);
const OBJECTS = '/apis/example.com/v1/namespaces/default/reports';

await build(root);
const server = await startBuilt({ root, execArgv: MONITORED });
const client = clientOf(server.http, { authorization: `Bearer ${server.token}` });
try {
  await measured(server, `${definitions} definitions at once`, async () => {
    await byMany(definitions, (i) => {
      const options = { plural: `kinds${i}`, kind: `Kind${i}`, group: `g${i}.example.com`, words: {} };
      return client.send({ method: 'POST', path: DEFINITIONS, body: definitionOf(options) });
    });
  });
  for (const path of ['/apis', '/openapi/v3', '/openapi/v3', '/openapi/v2', '/openapi/v2'])
    await measured(server, `GET ${path}`, () => client.send({ method: 'GET', path }));
  await measured(server, 'one more definition', () => define(client));
  await measured(server, 'GET /openapi/v3 after it', () => client.send({ method: 'GET', path: '/openapi/v3' }));
  await measured(server, `${objects} objects`, () => fill(client));
  await measured(server, `the deletion of the definition with ${objects} objects`, () => end(client));
} finally {
  client.close();
  await server.stop();
}

async function measured(of: BenchServer, what: string, work: () => Promise<unknown>): Promise<void> {
  await loopOf(of);
  const begin = performance.now();
  const more = await work();
  const time = Math.round(performance.now() - begin);
  const { longest, gap, rss } = await loopOf(of);
  const report = { what, time, longestStep: Math.round(longest), gap: Math.round(gap), rss: Math.round(rss / 1e6) };
  process.stdout.write(`${JSON.stringify({ ...report, ...(typeof more === 'number' && { slowestRead: more }) })}\n`);
}

function define(of: Client): Promise<unknown> {
  return of.send({ method: 'POST', path: DEFINITIONS, body: definitionOf({ words: {} }) });
}

function fill(of: Client): Promise<void> {
  return byMany(objects, (i) => {
    const body = { apiVersion: 'example.com/v1', kind: 'Report', metadata: { name: `r${i}` }, spec: { title: `${i}` } };
    return of.send({ method: 'POST', path: OBJECTS, body });
  });
}

/** Some clients work at the same time, but not more than the server admits. */
async function byMany(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: 32 }, one));
}

/** Reads a folder list meanwhile. Returns the milliseconds of the slowest read. */
async function end(of: Client): Promise<number> {
  await of.send({ method: 'DELETE', path: `${DEFINITIONS}/reports.example.com` });
  let slowest = 0;
  for (let isThere = true; isThere; ) {
    const begin = performance.now();
    await of.send({ method: 'GET', path: '/apis/folder.svc.app/v1beta1/namespaces/default/folders' });
    slowest = Math.max(slowest, performance.now() - begin);
    isThere = await of.send({ method: 'GET', path: `${DEFINITIONS}/reports.example.com` }).then(
      () => true,
      () => false,
    );
    await new Promise((done) => setTimeout(done, 20));
  }
  return Math.round(slowest);
}
