import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { keyOf, resourceOf } from '../../storage/key.js';
import { copyOf, type MemoryStore, openMemory, setBack } from '../../storage/memory/backend.js';
import type { State } from '../../storage/state/state.js';
import { openServer, type Server } from '../harness/server.js';
import { doorOf } from './door.js';
import { AUDITOR, type Base, History } from './history.js';
import { MARK, pathOf, RESOURCES, type Resource, type SimObject } from './objects.js';
import { Random } from './random.js';
import { watchOnce } from './watcher.js';

/**
 * The most milliseconds until a server looks at the end of the log without being asked. MongoDB is asked once a second.
 */
const LOOK_WITHIN = 150;
/** Looks whether a server has noticed it, a millisecond apart. */
const TRIES = 10_000;
/** Objects that are changed in the copy, so that it has other commits than the store. */
const CHANGED: readonly (readonly [Resource, string])[] = [
  ...['f0', 'f1', 'f2', 'hot'].map((name) => ['folders', name] as const),
  ...['d0', 'd1', 'd2', 'hot', 'r0', 'r1'].map((name) => ['dashboards', name] as const),
  ...['a0', 'a1', 'hot'].map((name) => ['annotations', name] as const),
  ...['p0', 'p1', 'hot'].map((name) => ['reports', name] as const),
];

/** What is known of a server. */
export interface Following {
  readonly state: State;
  /** `Backend.logId`: it changes when the server notices that the log is another one. */
  readonly logId: number | undefined;
}

/**
 * Sets the store back to an earlier copy, again and again. In the copy, another server has written since: less than
 * what is lost, up to the same revision, or more.
 */
export function setBacks(store: MemoryStore, servers: readonly Following[], seed: number, seconds: number) {
  return async (signal: AbortSignal, history: History): Promise<void> => {
    const random = new Random(seed * 17);
    const until = Date.now() + seconds * 1000;
    while (!signal.aborted && Date.now() < until) {
      await random.pause(200);
      await setBackOnce(store, servers, history, random);
      await random.pause(400);
    }
  };
}

async function setBackOnce(
  store: MemoryStore,
  servers: readonly Following[],
  history: History,
  random: Random,
): Promise<void> {
  const copy = copyOf(store);
  const other = await openServer(openMemory(copy));
  try {
    for (let i = random.below(20); i > 0; i--) await writeElsewhere(other, random);
    const now = new Map<Resource, readonly SimObject[]>();
    for (const resource of RESOURCES) now.set(resource, await itemsOf(other, resource));
    // From here to the end of the log, nothing else runs.
    lengthen(copy, random.pick([0, store.end, store.end + 1 + random.below(4)]));
    const former = copyOf(store);
    const bases = new Map(history.bases);
    const unaffected = unaffectedBy(copy, servers);
    const { noticed } = history.setBack(former.end, unaffected);
    setBack(store, copy);
    for (const [i, server] of servers.entries())
      void notice(server, unaffected.has(i)).then(() => noticed.set(i, history.tick()));
    for (const [resource, items] of now) history.bases.set(resource, { revision: copy.end, items });
    setTimeout(() => store.appended.notify(), random.next() * LOOK_WITHIN);
    await audit(former, history, bases);
  } finally {
    await other.close();
  }
}

/** The servers whose state is one of this store, too. */
function unaffectedBy({ log }: MemoryStore, servers: readonly Following[]): ReadonlySet<number> {
  const ids = new Set(log.map(({ commit }) => commit.id));
  return new Set(
    servers.flatMap(({ state: { commitId } }, i) => (commitId !== undefined && ids.has(commitId) ? [i] : [])),
  );
}

/** Resolves when the server has noticed that the log is another one, or at once if its state is one of it. */
async function notice(server: Following, isUnaffected: boolean): Promise<void> {
  const { logId } = server;
  for (let tries = 0; !isUnaffected && server.logId === logId && tries < TRIES; tries++) await sleep(1);
}

/** Adds commits of objects that no server here knows, up to a revision. */
function lengthen(store: MemoryStore, revision: number): void {
  while (store.end < revision) {
    store.end++;
    store.commit = randomUUID();
    const change = { key: keyOf('unknown.newer', '', 'x'), revision: store.end, value: Buffer.from('{}') };
    const commit = { end: store.end, id: store.commit, changes: [change], counters: new Map<string, number>() };
    store.log.push({ commit, at: Date.now() });
  }
}

async function writeElsewhere(server: Server, random: Random): Promise<void> {
  const [resource, name] = random.pick(CHANGED);
  const metadata = { labels: { elsewhere: String(random.below(1e6)) }, annotations: { [MARK]: '0' } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await server.call('PATCH', pathOf(resource, name), { body: { metadata }, headers });
}

async function itemsOf(server: Server, resource: Resource): Promise<readonly SimObject[]> {
  const { status, text } = await server.call('GET', pathOf(resource));
  if (status !== 200) throw new Error(`the copy cannot be read: ${text}`);
  return (JSON.parse(text) as { readonly items: readonly SimObject[] }).items;
}

/** Reads all changes of a log that is gone, because the servers had no time to send them. */
async function audit(store: MemoryStore, history: History, bases: ReadonlyMap<Resource, Base>): Promise<void> {
  const begin = (history.setBacks.at(-1)?.at ?? 0) - 1;
  const server = await openServer(openMemory(store));
  try {
    for (const resource of RESOURCES) {
      const revisions = store.log.flatMap(({ commit }) =>
        commit.changes.filter(({ key }) => resourceOf(key).startsWith(`${resource}.`)),
      );
      const last = revisions.at(-1)?.revision ?? 0;
      const { revision: from = 0 } = bases.get(resource) ?? {};
      if (last <= from) continue;
      const isEnough = ({ events }: { readonly events: readonly { readonly revision: number }[] }): boolean =>
        (events.at(-1)?.revision ?? 0) >= last;
      const wish = { client: AUDITOR, server: 0, resource, from };
      // What it sees is not seen in the present log.
      const stream = await watchOnce(new History(), [doorOf(server)], wish, {
        signal: AbortSignal.timeout(20_000),
        isEnough,
      });
      // It belongs to the log that is gone.
      history.streams.push(Object.assign(stream, { id: history.id(), begin, opened: begin }));
      if (!isEnough(stream)) history.complaints.push(`the log of ${resource} that is gone could not be read`);
    }
  } finally {
    await server.close();
  }
}

/** Each server has noticed that the store was set back. */
export function noticed({ setBacks: { length }, complaints }: History, servers: readonly Server[]): void {
  if (length === 0) return;
  for (const [i, { api }] of servers.entries())
    if (api.registry.cacher.logId === 0) complaints.push(`server ${i} has not noticed that the store was set back`);
}
