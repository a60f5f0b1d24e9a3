import { Caller } from './caller.js';
import type { Door } from './door.js';
import type { History, Intent, Operation } from './history.js';
import { GROUP, objectFor, ownLabels, pathOf, revisionOf, type SimObject } from './objects.js';
import type { Random } from './random.js';

/** The object that all racers write. */
const HOT = 'hot';
/** Two compiled kinds, and a custom one. */
export const RACED = ['dashboards', 'annotations', 'reports'] as const;
type Raced = (typeof RACED)[number];

/**
 * Clients that write one object at the same time: two replace and one patches the same revision, and one patches any.
 * Then every server reads it.
 */
export async function racers(
  resource: Raced,
  history: History,
  doors: readonly Door[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const callers = [0, 1, 2, 3].map((i) => new Caller(`race${i}-${resource}`, history, doors));
  const [reader] = callers as [Caller];
  for (let round = 0; !signal.aborted; round++) {
    const known = await got(reader, random.below(doors.length), resource);
    if (known.object === undefined) await create(reader, random.below(doors.length), resource, round);
    else {
      const object = known.object;
      const writes = callers.map(async (caller, i) => {
        // Different pauses, so that one write may be committed while another server still reads for its commit.
        await random.pause(15);
        const server = random.below(doors.length);
        const write = { caller, server, resource, value: String(round) };
        return i < 2 ? replace(write, object) : patch(write, i === 2 ? object : undefined);
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

function patch({ caller, server, resource, value }: Race, known: SimObject | undefined): Promise<Operation> {
  const on = known === undefined ? {} : { on: revisionOf(known) };
  const resourceVersion = known?.metadata.resourceVersion;
  const intent: Intent = { kind: 'set', label: caller.name, value, ...on };
  return caller.one({ verb: 'patch', resource, name: HOT, intent }, server, (op) => ({
    method: 'PATCH',
    path: pathOf(resource, HOT),
    type: 'application/merge-patch+json',
    body: { metadata: { resourceVersion, labels: { [caller.name]: value }, annotations: { 'sim/op': String(op) } } },
  }));
}
