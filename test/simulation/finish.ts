import { isDoneWithin } from './bounds.js';
import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Stream } from './history.js';
import { GROUP, grantFor, objectFor, pathOf, RESOURCES, type Resource, type SimObject } from './objects.js';
import { BOX } from './robot.js';
import { reached, watchOnce } from './watcher.js';

export interface Finishing {
  readonly history: History;
  readonly doors: readonly Door[];
  /** `finish` sets the last revision of each resource. Watches end when they have it. */
  readonly ends: Map<Resource, number>;
  readonly followers: readonly Promise<void>[];
  /** Ends the followers that did not reach the end. */
  readonly over: AbortController;
}

/** Milliseconds in which watches must get the last writes. */
const PATIENCE = 20_000;
/**
 * Milliseconds in which a server must accept a write after the last fault. A request may take 60 s, and the first one
 * may fail.
 */
const RECOVERY = 100_000;

/**
 * Waits until every server accepts writes. Writes a last object of each resource, waits until all watches have it, and
 * reads all on every server.
 */
export async function finish({ history, doors, ends, followers, over }: Finishing): Promise<void> {
  const recovered = doors.map(async (_, server) => {
    if ((await writeLast(history, doors, 'folders', `end-${server}`, server)) !== undefined) return;
    history.complaints.push(`server ${server} takes no writes after the last fault`);
  });
  await Promise.all(recovered);
  for (const resource of RESOURCES) ends.set(resource, await mustWrite(history, doors, resource, 'end'));
  // A follower compares with `ends` only when an event arrives, so there is one more write after the end.
  const last = new Map<Resource, number>();
  for (const resource of RESOURCES) last.set(resource, await mustWrite(history, doors, resource, 'past-end'));
  if (!(await isDoneWithin(PATIENCE, Promise.all(followers)))) {
    history.complaints.push(`a watch did not get the last events within ${PATIENCE} ms`);
    over.abort();
    await Promise.all(followers);
    return;
  }
  for (let server = 0; server < doors.length; server++) {
    for (const resource of RESOURCES)
      await audit(history, doors, { resource, server, last: last.get(resource) ?? 0, ending: ends.get(resource) ?? 0 });
  }
}

async function mustWrite(history: History, doors: readonly Door[], resource: Resource, name: string): Promise<number> {
  const revision = await writeLast(history, doors, resource, name);
  if (revision === undefined) throw new Error(`${resource} ${name} could not be written within ${RECOVERY} ms`);
  return revision;
}

/**
 * Tries until a write succeeds, on one server or on any, because servers may still recover. Returns the revision, or
 * undefined after `RECOVERY`.
 */
async function writeLast(
  history: History,
  doors: readonly Door[],
  resource: Resource,
  name: string,
  only?: number,
): Promise<number | undefined> {
  const caller = new Caller('finisher', history, doors);
  const labels = { [GROUP]: 'g1' };
  const bodyOf = (op: number): SimObject => {
    if (resource !== 'rolebindings') return objectFor(resource, { name, title: name, labels, op });
    const grant = grantFor(name, BOX, op);
    return { ...grant, metadata: { ...grant.metadata, labels } };
  };
  const latest = Date.now() + RECOVERY;
  for (let tries = 0; Date.now() < latest; tries++) {
    const server = only ?? tries % doors.length;
    const sent = (op: number) => ({ method: 'POST', path: pathOf(resource), body: bodyOf(op) });
    const { status, revision, reason } = await caller.one({ verb: 'create', resource, name }, server, sent);
    if (status === 201 && revision !== undefined) return revision;
    if (reason === 'AlreadyExists') return revisionOfStored(doors[server] as Door, resource, name);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

/** The revision of an earlier try that was stored, although it was not answered. */
async function revisionOfStored(door: Door, resource: Resource, name: string): Promise<number> {
  const { text } = await door.send({ method: 'GET', path: pathOf(resource, name) });
  return Number((JSON.parse(text) as SimObject).metadata.resourceVersion);
}

interface Audit {
  readonly resource: Resource;
  readonly server: number;
  /** The revisions of the two last writes. */
  readonly ending: number;
  readonly last: number;
}

/** Reads the changes in the log by a watch, and the last state by a list. */
async function audit(
  history: History,
  doors: readonly Door[],
  { resource, server, ending, last }: Audit,
): Promise<void> {
  const caller = new Caller('auditor', history, doors);
  const isEnough = (stream: Stream): boolean => reached(stream) >= last;
  const wish = { client: 'auditor', resource, server };
  const watch = (from: number): Promise<Stream> =>
    watchOnce(history, doors, { ...wish, from }, { signal: AbortSignal.timeout(PATIENCE), isEnough });
  let stream = await watch(history.bases.get(resource)?.revision ?? 0);
  if (stream.ended === 410) stream = await watch(ending - 1);
  if (!isEnough(stream)) {
    history.complaints.push(`a watch of ${resource} on server ${server} did not get its last event: ${stream.ended}`);
  }
  const asked = { mode: 'newest' as const };
  const turn = async (): Promise<number> => server;
  await caller.list({ verb: 'list', resource, name: '', asked }, server, pathOf(resource), 0, turn);
}
