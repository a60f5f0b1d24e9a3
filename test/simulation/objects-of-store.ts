import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Revision } from '../../storage/backend.js';
import type { Key } from '../../storage/key.js';
import type { State } from '../../storage/state/state.js';
import type { Random } from './random.js';

/**
 * Carries the log of a store into its objects at random times, beside the clients and the server itself. Resolves when
 * the signal aborts.
 */
export async function materializing(backend: Backend, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await backend.materialize?.();
    await random.pause(random.pick([10, 400]));
  }
}

/**
 * Compares what a store gives with the state of its server, at random times beside the clients, as a server that starts
 * reads it: partly from the objects and partly from the log. Resolves with what differs when the signal aborts.
 */
export async function comparing(
  backend: Backend,
  stateOf: () => State,
  random: Random,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Other stores have no such log, and one of them is set back.
  if (backend.materialize === undefined) return [];
  const complaints: string[] = [];
  while (!signal.aborted && complaints.length === 0) {
    await random.pause(random.pick([20, 200]));
    complaints.push(...(await countersThatDiffer(backend, stateOf())));
    for (const resource of stateOf().resources)
      complaints.push(...(await readsThatDiffer(backend, resource, stateOf, signal)));
  }
  return complaints;
}

/** They never decrease. */
async function countersThatDiffer(backend: Backend, { counters }: State): Promise<readonly string[]> {
  const given = await backend.counters();
  return [...counters]
    .filter(([resource, value]) => (given.get(resource) ?? 0) < value)
    .map(([resource, value]) => `the store gives ${given.get(resource)} as the counter of ${resource} after ${value}`);
}

/** Objects that did not change meanwhile must be given as they are, and those that were deleted before not at all. */
async function readsThatDiffer(
  backend: Backend,
  resource: string,
  stateOf: () => State,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const before = stateOf();
  const given = await loaded(backend, resource);
  const end = await backend.end();
  while (stateOf().revision < end && !signal.aborted) await sleep(1);
  if (signal.aborted) return [];
  const [known, now] = [before.resource(resource), stateOf().resource(resource)];
  const lost = [...known.entries('', '\uffff')].filter(
    ({ key, revision }) => now.get(key)?.revision === revision && given.get(key) !== revision,
  );
  const gone = [...given].filter(([key, revision]) => revision <= before.revision && known.get(key) === undefined);
  return [
    ...lost.map(({ key, revision }) => `the store gives ${key} of ${given.get(key)}, and the server of ${revision}`),
    ...gone.map(([key, revision]) => `the store gives ${key} of ${revision}, which was deleted before`),
  ];
}

async function loaded(backend: Backend, resource: string): Promise<ReadonlyMap<Key, Revision>> {
  const found = new Map<Key, Revision>();
  for await (const chunk of backend.load(resource)) for (const { key, revision } of chunk) found.set(key, revision);
  return found;
}

/** How the objects of a store differ from a state at the end of its log, after they have followed it. */
export async function objectsThatDiffer(backend: Backend, stateOf: () => State): Promise<readonly string[]> {
  await backend.materialize?.();
  const state = await atEnd(backend, stateOf);
  const complaints: string[] = [];
  for (const resource of state.resources) {
    const expected = state.resource(resource);
    let count = 0;
    for await (const chunk of backend.load(resource)) {
      count += chunk.length;
      for (const { key, revision } of chunk) {
        const known = expected.get(key)?.revision;
        if (known !== revision) complaints.push(`the store has ${key} of ${revision}, and the server of ${known}`);
      }
    }
    if (count !== expected.size)
      complaints.push(`the store has ${count} objects of ${resource}, and the server ${expected.size}`);
  }
  return complaints;
}

async function atEnd(backend: Backend, stateOf: () => State): Promise<State> {
  for (;;) {
    const end = await backend.end();
    if (stateOf().revision === end) return stateOf();
    await sleep(5);
  }
}
