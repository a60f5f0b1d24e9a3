import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Intent, Operation } from './history.js';
import { GROUP, objectFor, ownLabels, pathOf, revisionOf, type SimObject } from './objects.js';
import type { Random } from './random.js';

/** The object that all of them write, in each of two resources: one in memory, and one on disk. */
const HOT = 'hot';
const RESOURCES = ['dashboards', 'annotations'] as const;
type Raced = (typeof RESOURCES)[number];

/** Clients that write one object at the same time: two replace the same revision, and two patch it. Then it is read on every server. */
export async function racers(
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const callers = ['race0', 'race1', 'race2', 'race3'].map((name) => new Caller(name, history, doors));
  const [reader] = callers as [Caller];
  for (let round = 0; !signal.aborted; round++) {
    const resource = random.pick(RESOURCES);
    const known = await got(reader, random.below(doors.length), resource);
    if (known.object === undefined) await create(reader, random.below(doors.length), resource, round);
    else {
      const object = known.object;
      const writes = callers.map((caller, i) => {
        const server = random.below(doors.length);
        const write = { caller, server, resource, value: String(round) };
        return i < 2 ? replace(write, object) : patch(write);
      });
      await Promise.all(writes);
      await Promise.all(doors.map((_, server) => got(reader, server, resource)));
    }
    await random.pause(known.status === 0 || known.status >= 500 ? 100 : 20);
  }
}

function got(caller: Caller, server: number, resource: Raced): Promise<Operation> {
  const plan = { verb: 'get' as const, resource, name: HOT, asked: { mode: 'newest' as const } };
  return caller.one(plan, server, () => ({ method: 'GET', path: pathOf(resource, HOT) }));
}

function create(caller: Caller, server: number, resource: Raced, round: number): Promise<Operation> {
  const labels = { [GROUP]: 'g1', round: String(round) };
  const intent: Intent = { kind: 'replace', labels };
  return caller.one({ verb: 'create', resource, name: HOT, intent }, server, (op) => ({
    method: 'POST',
    path: pathOf(resource),
    body: objectFor(resource, { name: HOT, title: HOT, labels, op }),
  }));
}

interface Race {
  readonly caller: Caller;
  readonly server: number;
  readonly resource: Raced;
  readonly value: string;
}

function replace({ caller, server, resource, value }: Race, known: SimObject): Promise<Operation> {
  const labels = { ...ownLabels(known), [caller.name]: value };
  const resourceVersion = known.metadata.resourceVersion ?? '';
  const intent: Intent = { kind: 'replace', labels, on: revisionOf(known) };
  return caller.one({ verb: 'update', resource, name: HOT, intent }, server, (op) => {
    const object = objectFor(resource, { name: HOT, title: HOT, labels, op });
    const body = { ...object, metadata: { ...object.metadata, resourceVersion } };
    return { method: 'PUT', path: pathOf(resource, HOT), body };
  });
}

function patch({ caller, server, resource, value }: Race): Promise<Operation> {
  const intent: Intent = { kind: 'set', label: caller.name, value };
  return caller.one({ verb: 'patch', resource, name: HOT, intent }, server, (op) => ({
    method: 'PATCH',
    path: pathOf(resource, HOT),
    type: 'application/merge-patch+json',
    body: { metadata: { labels: { [caller.name]: value }, annotations: { 'sim/op': String(op) } } },
  }));
}
