/**
 * Measures SCIM with the requests of a first synchronization: for each of 10,000 users a search and a POST, for each of
 * 500 groups a search, a POST and PATCHes of at most 100 members, by 8 connections. Then a PATCH that adds or removes
 * one member of a group with 5,000 members, and a search that an index answers.
 *   npx tsx hack/bench/scim.ts [--users 10000] [--groups 500] [--members 20] [--store embedded|mongodb] [--node FLAGS]
 * Flags of Node such as `--node=--max-old-space-size=128` tell what the server needs, and not only what it takes.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { startReplicaSet } from '../mongod.js';
import { call } from './call.js';
import { cpuMs } from './cpu.js';
import { median } from './median.js';
import { memoryOf } from './memory.js';
import { build, startBuilt } from './server.js';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    groups: { type: 'string', default: '500' },
    members: { type: 'string', default: '20' },
    large: { type: 'string', default: '5000' },
    store: { type: 'string', default: 'embedded' },
    node: { type: 'string', default: '' },
  },
});
const [users, groups, members, large] = [values.users, values.groups, values.members, values.large].map(Number) as [
  number,
  number,
  number,
  number,
];
const CONNECTIONS = 8;
const CHUNK = 100;
const BASE = '/apis/scim.svc.app/v0alpha1/namespaces/default';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

if (process.env['BUILT'] !== 'true') await build(process.cwd());
const database = values.store === 'mongodb' ? await startReplicaSet({ members: 1 }) : undefined;
const args = database === undefined ? [] : ['--storage.backend=mongodb', `--storage.mongodb_uri=${database.uri}`];
const execArgv = values.node.split(' ').filter((one) => one !== '');
const server = await startBuilt({ root: process.cwd(), args, execArgv });
const limit = pLimit(CONNECTIONS);
try {
  await measure();
} finally {
  await server.stop();
  await database?.stop();
}

async function measure(): Promise<void> {
  const before = memoryOf(server.child.pid).anonymous;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server.child.pid).anonymous);
  }, 250);
  const cpu = cpuMs(server.child.pid ?? 0);
  const began = performance.now();
  const ids = await each(users, makeUser);
  const usersMade = performance.now();
  await each(groups, (i) =>
    makeGroup(
      `Group ${i}`,
      Array.from({ length: members }, (_, n) => ids[(i * 31 + n * 7) % users] ?? ''),
    ),
  );
  const end = performance.now();
  clearInterval(timer);
  const used = ((cpuMs(server.child.pid ?? 0) - cpu) / 1000).toFixed(1);
  console.log(
    `${users} users: ${seconds(began, usersMade)} s, ${groups} groups: ${seconds(usersMade, end)} s, CPU ${used} s`,
  );
  console.log(`anonymous memory: ${before} MiB before, at most ${most} MiB, load ${load()}`);
  const group = await makeGroup('Large', ids.slice(0, large));
  const outsider = ids[large] ?? (await makeUser(users));
  const add = { op: 'add', path: 'members', value: [{ value: outsider }] };
  const remove = { op: 'remove', path: `members[value eq "${outsider}"]` };
  const times: number[] = [];
  for (let i = 0; i < 40; i++) times.push(await timed(() => patch(group, i % 2 === 0 ? add : remove)));
  console.log(`PATCH of one of ${Math.min(large, users)} members: ${shown(times)}`);
  const found: number[] = [];
  for (let i = 0; i < 40; i++) found.push(await timed(() => find('Users', `userName eq "user${i * 37}@example.com"`)));
  console.log(`userName eq: ${shown(found)}`);
  const walked = await timed(() => find('Users', 'userName ew "9@example.com"'));
  console.log(`userName ew, which walks all: ${walked.toFixed(0)} ms, load ${load()}`);
}

function each<Result>(count: number, work: (i: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => limit(() => work(i))));
}

async function makeUser(i: number): Promise<string> {
  const userName = `user${i}@example.com`;
  await find('Users', `userName eq "${userName}"`);
  const name = { givenName: 'User', familyName: String(i) };
  const emails = [{ value: userName, type: 'work', primary: true }];
  const { id } = await send('POST', '/Users', {
    schemas: [`${CORE}:User`],
    externalId: `e${i}`,
    userName,
    name,
    emails,
    active: true,
  });
  return id;
}

async function makeGroup(displayName: string, all: readonly string[]): Promise<string> {
  await find('Groups', `displayName eq "${displayName}"`, '&excludedAttributes=members');
  const { id } = await send('POST', '/Groups', { schemas: [`${CORE}:Group`], displayName });
  for (let i = 0; i < all.length; i += CHUNK)
    await patch(id, { op: 'add', path: 'members', value: all.slice(i, i + CHUNK).map((value) => ({ value })) });
  return id;
}

function patch(group: string, operation: object): Promise<unknown> {
  return send('PATCH', `/Groups/${group}`, { schemas: [PATCH], Operations: [operation] });
}

function find(type: string, filter: string, more = ''): Promise<unknown> {
  return send('GET', `/${type}?filter=${encodeURIComponent(filter)}${more}`);
}

function send(method: string, path: string, body?: object): Promise<{ readonly id: string }> {
  return call(server, method, `${BASE}${path}`, body, 'application/scim+json');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function seconds(from: number, to: number): string {
  return ((to - from) / 1000).toFixed(1);
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`;
}

function load(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? '';
}
