/**
 * Measures a server with very many items in the query history: its memory, its start, and the pages and searches of one user.
 *   npx tsx hack/bench/query-history.ts [--store embedded|mongodb] [--count N] [--owners N] [--rounds N] [--data DIR] [--uri URI]
 * The items are appended to the store while the server is stopped. Data that is already in DIR, or in the database of URI, is used, and stays.
 * Prints one line of JSON for each measurement, in milliseconds and MiB.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ulidGenerator } from '../../pkg/meta/ulid.js';
import { startReplicaSet } from '../mongod.js';
import { type Client, clientOf } from './client.js';
import { fillStore, type Made } from './fill-store.js';
import { administrator } from './fixtures.js';
import { latencyOf } from './latency.js';
import { memoryOf } from './memory.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    count: { type: 'string', default: '1000000' },
    owners: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '100' },
    data: { type: 'string', default: '/tmp/query-history-bench' },
    uri: { type: 'string' },
  },
});
const isEmbedded = values.store === 'embedded';
const owners = Number(values.owners);
const DAY = 86_400_000;
/** The owner who sends the requests. */
const LOGIN = 'historian';
const PASSWORD = 'measured more than once';
const newName = ulidGenerator();

const set = isEmbedded || values.uri !== undefined ? undefined : await startReplicaSet({ members: 1 });
const uri = values.uri ?? set?.uri ?? '';
try {
  await mkdir(values.data, { recursive: true, mode: 0o700 });
  const root = resolve('.');
  await build(root);
  const args = isEmbedded ? [] : ['--storage.backend=mongodb', `--storage.mongodb_uri=${uri}`];
  const start = () => startBuilt({ root, args, data: values.data });
  const uid = await withServer(await start(), async (server) => userOf(administrator(server)));
  await fill(uid);
  const began = performance.now();
  await withServer(await start(), async (server) => {
    print('start', { ms: Math.round(performance.now() - began), ...memoryOf(server.child.pid) });
    await measure(server);
  });
} finally {
  await set?.stop();
}

async function withServer<T>(server: BenchServer, work: (server: BenchServer) => Promise<T>): Promise<T> {
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** The uid of the user who sends the requests. */
async function userOf(admin: Client): Promise<string> {
  const { text } = await admin.send({ method: 'GET', path: `/api/users?query=${LOGIN}` });
  const [found] = JSON.parse(text);
  if (found !== undefined) return found.uid;
  const body = { login: LOGIN, email: `${LOGIN}@example.com`, password: PASSWORD };
  return JSON.parse((await admin.send({ method: 'POST', path: '/api/admin/users', body })).text).uid;
}

async function fill(uid: string): Promise<void> {
  const [began, newest] = [performance.now(), Date.now()];
  const count = Number(values.count);
  const make = (i: number, memberships: ReadonlyMap<string, string>): Made => {
    const owner = i % owners;
    const membership = owner === 0 ? memberships.get(uid) : undefined;
    const annotations = membership === undefined ? {} : { membership };
    // Within the time for which items are kept.
    const at = newest - Math.floor((1 - i / count) * 13 * DAY);
    return { name: newName(), author: owner === 0 ? uid : `nobody-${owner}`, at, annotations, spec: itemOf(i) };
  };
  const report = (done: number) => print('fill', { done, ms: Math.round(performance.now() - began) });
  const place = isEmbedded ? { path: values.data } : { uri };
  await fillStore(place, { kind: 'queryhistory/QueryHistory', owners: 'iam/OrganizationBinding', count, make, report });
}

function itemOf(i: number): object {
  const of = Math.floor(i / owners);
  const datasource = { type: 'prometheus', uid: `source-${of % 20}` };
  const expr = `sum(rate(http_requests_total{job="service-${of % 300}",code=~"5.."}[5m])) by (instance, handler) > ${of}`;
  const query = { refId: 'A', key: `Q-${i}`, datasource, expr, legendFormat: '{{instance}}', interval: '30s' };
  const comment = of % 25 === 0 ? `Which of the services are slow, number ${of}?` : '';
  return { datasourceUid: datasource.uid, queries: [query], comment, starred: of % 50 === 0 };
}

async function measure(server: BenchServer): Promise<void> {
  const token = Buffer.from(`${LOGIN}:${PASSWORD}`).toString('base64');
  const owner = clientOf(server.http, { authorization: `Basic ${token}` });
  const queries: Readonly<Record<string, (i: number) => string>> = {
    'newest page': () => '',
    'page 5': () => '?page=5',
    starred: () => '?onlyStarred=true',
    'data source': (i) => `?datasourceUid=source-${i % 20}`,
    'last 3 days': () => '?from=now-3d&to=now',
    'search in queries': (i) => `?searchString=service-${i % 300}%5C%22`,
    'search in comments': (i) => `?searchString=number%20${i * 25}%3F`,
    'search that finds nothing': (i) => `?searchString=nothing-${i}`,
    'search in 3 days of a data source': (i) => `?searchString=rate&datasourceUid=source-${i % 20}&from=now-3d&to=now`,
  };
  const pid = server.child.pid ?? 0;
  const path = (query: string): string => `/api/query-history${query}`;
  for (const [name, query] of Object.entries(queries))
    print(name, { ...(await latencyOf(owner, pid, Number(values.rounds), (i) => path(query(i)))) });
  print('after queries', memoryOf(pid));
  owner.close();
}

function print(what: string, measured: object): void {
  process.stdout.write(`${JSON.stringify({ store: values.store, count: Number(values.count), what, ...measured })}\n`);
}
