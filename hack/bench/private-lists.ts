/**
 * What private folders cost a list of a viewer over HTTP, against the same list of an administrator: 30,000 folders, of
 * which 10,000 are private, at all levels. The callers take turns with the whole list, pages of 500, and the whole list
 * after a change of a folder.
 *   npx tsx hack/bench/private-lists.ts [--rounds N] [--root CHECKOUT] [--node ARGUMENTS]
 * Prints CPU milliseconds of the server for a request, and microseconds for an object of the answer, in the mean of all
 * rounds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, clientOf } from './client.js';
import { cpuMs } from './cpu.js';
import { fillStore, type Made } from './fill-store.js';
import { administrator, FOLDERS } from './fixtures.js';
import { type BenchServer, build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    root: { type: 'string', default: '.' },
    node: { type: 'string' },
  },
});
const [OPEN, CHILDREN, INNER, LEVELS, GRANTS, PAGE] = [10_000, 9, 20_000, 4, 200, 500];
/** How often a caller sends a list in one turn. */
const LISTS = 4;
const PASSWORD = 'measured once';
const BINDINGS = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';

/**
 * Every tenth of the open folders is at the root and holds the nine that follow it. The others are in chains of four,
 * in which two are private.
 */
function folder(i: number): Made {
  const made = (name: string, annotations: Made['annotations']): Made => ({
    name,
    author: 'admin',
    at: Date.now(),
    annotations,
    spec: { title: `Folder ${i}`, description: 'x'.repeat(100) },
  });
  if (i < OPEN) return made(open(i), i % (CHILDREN + 1) === 0 ? {} : { folder: open(i - (i % (CHILDREN + 1))) });
  const [level, chain] = [(i - OPEN) % LEVELS, Math.floor((i - OPEN) / LEVELS)];
  const isPrivate = level === chain % LEVELS || level === (chain + 1) % LEVELS;
  return made(inner(i - OPEN), {
    ...(level > 0 && { folder: inner(i - OPEN - 1) }),
    ...(isPrivate && { 'basic-roles': 'none' }),
  });
}

function open(i: number): string {
  return `folder-${String(i).padStart(5, '0')}`;
}

function inner(i: number): string {
  return `inner-${i}`;
}

/** Everybody signs in by password, so that all requests are authenticated in the same way. */
async function signIn(url: URL, user: string, password: string): Promise<Client> {
  const client = clientOf(url, {});
  const { headers } = await client.send({ method: 'POST', path: '/login', body: { user, password } });
  client.close();
  return clientOf(url, { cookie: (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ') });
}

/** Makes a viewer. Returns the uid. */
async function addViewer(admin: Client, login: string): Promise<string> {
  const body = { login, email: `${login}@example.com`, password: PASSWORD };
  return JSON.parse((await admin.send({ method: 'POST', path: '/api/admin/users', body })).text).uid;
}

async function bind(admin: Client, uid: string, at: number): Promise<void> {
  const spec = {
    subject: { kind: 'User', name: uid },
    roleRef: { kind: 'BuiltIn', name: 'View' },
    scope: { folder: open(at) },
  };
  const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name: `b-${at}` }, spec };
  await admin.send({ method: 'POST', path: BINDINGS, body });
}

async function callersOf(server: BenchServer): Promise<Readonly<Record<string, Client>>> {
  const admin = administrator(server);
  await addViewer(admin, 'vera');
  const bound = await addViewer(admin, 'vic');
  for (let i = 0; i < GRANTS; i++) await bind(admin, bound, i * (OPEN / GRANTS));
  admin.close();
  return {
    administrator: await signIn(server.http, 'admin', 'admin'),
    viewer: await signIn(server.http, 'vera', PASSWORD),
    [`viewer with ${GRANTS} bindings`]: await signIn(server.http, 'vic', PASSWORD),
  };
}

interface Reading {
  readonly limit: number;
  readonly pid: number;
  readonly change: () => Promise<void>;
}

interface Sum {
  /** Milliseconds. */
  cpu: number;
  requests: number;
  objects: number;
}

/** Reads all pages of the list, several times. `change` comes before each time, and is not measured. */
async function read({ send }: Client, { limit, change, pid }: Reading, sum: Sum): Promise<void> {
  for (let i = 0; i < LISTS; i++) {
    await change();
    const before = cpuMs(pid);
    let token = '';
    do {
      const { text } = await send({ method: 'GET', path: `${FOLDERS}?limit=${limit}&continue=${token}` });
      token = /"continue":"([^"]+)"/.exec(text.slice(0, 1000))?.[1] ?? '';
      // To parse it would take longer than to answer it. The list has a version of its own.
      sum.objects += text.split('"apiVersion":').length - 2;
      sum.requests++;
    } while (token !== '');
    sum.cpu += cpuMs(pid) - before;
  }
}

async function measure(server: BenchServer): Promise<void> {
  const callers = Object.entries(await callersOf(server));
  const pid = server.child.pid ?? 0;
  const admin = administrator(server);
  const patch = async (body: object): Promise<void> => {
    await admin.send({ method: 'PATCH', path: `${FOLDERS}/${open(0)}`, type: 'application/merge-patch+json', body });
  };
  const rename = (): Promise<void> => patch({ spec: { title: `Renamed ${Math.random()}` } });
  let isPrivate = false;
  const restrict = (): Promise<void> => {
    isPrivate = !isPrivate;
    return patch({ metadata: { annotations: { 'svc.app/basic-roles': isPrivate ? 'none' : null } } });
  };
  const cases: Readonly<Record<string, Reading>> = {
    whole: { limit: 0, pid, change: async () => undefined },
    [`pages of ${PAGE}`]: { limit: PAGE, pid, change: async () => undefined },
    'whole, a folder renamed before': { limit: 0, pid, change: rename },
    'whole, a folder restricted before': { limit: 0, pid, change: restrict },
  };
  for (const [what, reading] of Object.entries(cases)) {
    const sums = callers.map(([name, client]) => ({ name, client, sum: { cpu: 0, requests: 0, objects: 0 } }));
    for (const { client } of sums) await read(client, reading, { cpu: 0, requests: 0, objects: 0 });
    for (let round = 0; round < Number(values.rounds); round++)
      for (const { client, sum } of sums) await read(client, reading, sum);
    for (const { name, sum } of sums) print(what, name, sum);
  }
  admin.close();
  for (const [, client] of callers) client.close();
}

function print(what: string, name: string, { cpu, requests, objects }: Sum): void {
  const [ofRequest, ofObject] = [(cpu / requests).toFixed(3), ((1000 * cpu) / objects).toFixed(3)];
  process.stdout.write(
    `${what.padEnd(33)} ${name.padEnd(26)} ${ofRequest} ms a request, ${ofObject} µs an object (${Math.round(objects / requests)} in each)\n`,
  );
}

const data = await mkdtemp(join(tmpdir(), 'private-lists-'));
const root = resolve(values.root);
try {
  await build(root);
  await (await startBuilt({ root, data })).stop();
  const count = OPEN + INNER;
  const filling = { kind: 'folder/Folder', count, make: folder, owners: 'iam/Organization' } as const;
  await fillStore({ path: data }, { ...filling, report: () => undefined });
  const server = await startBuilt({ root, data, execArgv: values.node === undefined ? [] : values.node.split(' ') });
  await measure(server).finally(() => server.stop());
} finally {
  await rm(data, { recursive: true, force: true });
}
