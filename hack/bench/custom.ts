/**
 * Measures what operations on a custom kind cost.
 *   npx tsx hack/bench/custom.ts [--count 5000] [--rounds 5]
 * Prints the CPU time of the server for operations on a custom kind, and for the same operations on built-in folders. The two take turns. The ratio is the median of
 * the rounds.
 */
import { parseArgs } from 'node:util';
import { type Client, clientOf } from './client.js';
import { cpuMs } from './cpu.js';
import { FOLDERS } from './fixtures.js';
import { median } from './median.js';
import { type BenchServer, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '5' },
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

function definition(plural: string, kind: string): object {
  const text = { type: 'string', maxLength: 1000 };
  const members = { title: text, description: text };
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

const server = await startBuilt({ root: process.cwd() });
const client = clientOf(server.http, { authorization: `Bearer ${server.token}` });
try {
  await compare(server, client);
} finally {
  client.close();
  await server.stop();
}
