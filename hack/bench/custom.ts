/**
 * What custom kinds cost.
 *   npx tsx hack/bench/custom.ts [--count 5000] [--rounds 5] [--definitions 500]
 * First, the CPU time of the server for operations on a custom kind, of what the same take on built-in folders: both by turns, median of the rounds. Then so many
 * definitions at once: seconds until all are served, memory, and the first answers of discovery and OpenAPI.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Client, clientOf } from './client.js';
import { cpuMs } from './cpu.js';
import { FOLDERS } from './fixtures.js';
import { type BenchServer, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '5' },
    definitions: { type: 'string', default: '500' },
  },
});
const COUNT = Number(values.count);
const CLIENTS = 16;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = 'application/merge-patch+json';

interface Sort {
  readonly name: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

const FOLDER: Sort = { name: 'folder', path: FOLDERS, apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder' };
const CUSTOM: Sort = {
  name: 'custom',
  path: '/apis/example.com/v1/namespaces/default/plots',
  apiVersion: 'example.com/v1',
  kind: 'Plot',
};

const RULE = { rule: "self.title != '' || !has(self.description)", message: 'a plot needs a title' };

function definition(plural: string, kind: string, more: object = {}): object {
  const text = { type: 'string', maxLength: 1000 };
  const members = { title: text, description: text, ...more };
  const spec = { type: 'object', required: ['title'], properties: members, 'x-kubernetes-validations': [RULE] };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

const objectOf = ({ apiVersion, kind }: Sort, name: string): object => {
  return { apiVersion, kind, metadata: { name }, spec: { title: `Title of ${name}`, description: 'measured' } };
};

/** Calls so many times, by some clients. */
async function load(count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

type Operation = (client: Client, sort: Sort, round: number) => Promise<number>;

/** Each returns how many operations it did. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  get: async ({ send }, { path }) => {
    await load(8000, (i) => send({ method: 'GET', path: `${path}/f${i % COUNT}` }));
    return 8000;
  },
  'page of 500': async ({ send }, { path }) => {
    await load(200, () => send({ method: 'GET', path: `${path}?limit=500` }));
    return 200;
  },
  list: async ({ send }, { path }) => {
    await load(20, () => send({ method: 'GET', path }));
    return 20;
  },
  patch: async ({ send }, { path }, round) => {
    const body = (i: number) => ({ spec: { title: `Round ${round}, ${i}` } });
    await load(3000, (i) => send({ method: 'PATCH', path: `${path}/f${i % COUNT}`, body: body(i), type: MERGE }));
    return 3000;
  },
  create: async ({ send }, sort, round) => {
    await load(3000, (i) => send({ method: 'POST', path: sort.path, body: objectOf(sort, `r${round}-${i}`) }));
    return 3000;
  },
};

async function compare(server: BenchServer, client: Client): Promise<void> {
  await client.send({ method: 'POST', path: DEFINITIONS, body: definition('plots', 'Plot') });
  for (const sort of [FOLDER, CUSTOM])
    await load(COUNT, (i) => client.send({ method: 'POST', path: sort.path, body: objectOf(sort, `f${i}`) }));
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const ratios: number[] = [];
    const costs: Record<string, number> = {};
    for (let round = 0; round < Number(values.rounds); round++) {
      const cost = async (sort: Sort): Promise<number> => {
        const before = cpuMs(server.child.pid ?? 0);
        const count = await operation(client, sort, round);
        costs[sort.name] = (1000 * (cpuMs(server.child.pid ?? 0) - before)) / count;
        return costs[sort.name] ?? 0;
      };
      const folder = await cost(FOLDER);
      ratios.push((await cost(CUSTOM)) / folder);
    }
    const shown = Object.entries(costs).map(([sort, cost]) => `${sort} ${cost.toFixed(0)} us`);
    console.log(
      `${name.padEnd(14)} ${shown.join(', ')}, custom/folder ${median(ratios).toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(' ')})`,
    );
  }
}

async function define(server: BenchServer, client: Client): Promise<void> {
  const count = Number(values.definitions);
  const parts = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `field${i}`,
      { type: 'string', description: `Field ${i} of a definition of usual size.` },
    ]),
  );
  const before = anonymous(server);
  const began = performance.now();
  await load(count, (i) =>
    client.send({ method: 'POST', path: DEFINITIONS, body: definition(`kind${i}s`, `Kind${i}`, parts) }),
  );
  await client.send({ method: 'GET', path: `/apis/example.com/v1/namespaces/default/kind${count - 1}s` });
  console.log(
    `${count} definitions served after ${((performance.now() - began) / 1000).toFixed(1)} s, ${anonymous(server) - before} MiB more`,
  );
  for (const path of [
    '/apis',
    '/apis/example.com/v1',
    '/openapi/v3',
    '/openapi/v3/apis/example.com/v1',
    '/openapi/v2',
  ]) {
    const start = performance.now();
    const { text } = await client.send({ method: 'GET', path });
    console.log(`${path}: ${(performance.now() - start).toFixed(0)} ms, ${Math.round(text.length / 1024)} KiB`);
  }
  console.log(`${anonymous(server) - before} MiB more after these`);
}

/** MiB of memory that is not in files. */
function anonymous({ child }: BenchServer): number {
  const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Anonymous:\s+(\d+)/m.exec(rollup)?.[1]) / 1024);
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}

const server = await startBuilt({ root: process.cwd() });
const client = clientOf(server.http, { authorization: `Bearer ${server.token}` });
try {
  await compare(server, client);
  await define(server, client);
} finally {
  client.close();
  await server.stop();
}
