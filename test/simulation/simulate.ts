import { setMaxListeners } from 'node:events';
import { SimClient } from './client.js';
import type { Door } from './door.js';
import { finish } from './finish.js';
import { History } from './history.js';
import { pathOf, RESOURCES, type Resource, revisionOf, type SimObject } from './objects.js';
import { RACED, racers } from './racers.js';
import { Random } from './random.js';
import { relay } from './relay.js';
import { defineReports, granting, prepareRobot, robot } from './robot.js';
import { visitor } from './visitor.js';
import { follow } from './watcher.js';

export interface SimulationOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly clients?: number;
  readonly doors: readonly Door[];
  /** Disturbs the servers. The run lasts until this ends, but at least `seconds`. */
  readonly disturb?: (signal: AbortSignal, history: History) => Promise<void>;
}

/** Runs random clients on the servers, and returns everything that they saw. */
export async function simulate({ seed, seconds, clients = 6, doors, disturb }: SimulationOptions): Promise<History> {
  const history = new History();
  let seeds = seed * 1000;
  const random = (): Random => new Random(seeds++);
  await defineReports(doors[0] as Door);
  await prepareRobot(doors[0] as Door);
  for (const resource of RESOURCES) history.bases.set(resource, await baseOf(doors[0] as Door, resource));
  const ends = new Map<Resource, number>();
  const stop = new AbortController();
  const over = new AbortController();
  const { signal } = stop;
  setMaxListeners(100, signal, over.signal);
  const followers = RESOURCES.flatMap((resource) =>
    [false, true, false].map((isSelective, i) => {
      const wish = { client: `follower${i}`, resource, isSelective, from: history.bases.get(resource)?.revision ?? 0 };
      const end = (): number => ends.get(resource) ?? Number.POSITIVE_INFINITY;
      return follow(history, doors, wish, { random: random(), signal: over.signal, end });
    }),
  );
  const workers = [
    ...Array.from({ length: clients }, (_, i) => new SimClient(`c${i}`, history, doors, random()).run(signal)),
    ...['robot0', 'robot1'].map((name) => robot(name, history, doors, random(), signal)),
    granting(history, doors, random(), signal),
    relay(history, doors, random(), signal),
    ...RACED.map((resource) => racers(resource, history, doors, random(), signal)),
    visitor(history, doors, random(), signal),
  ];
  const time = new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  await Promise.all([time, disturb?.(signal, history)]).finally(() => stop.abort());
  await Promise.all(workers);
  await finish({ history, doors, ends, followers, over });
  return history;
}

async function baseOf(door: Door, resource: Resource): Promise<{ revision: number; items: readonly SimObject[] }> {
  const { status, text } = await door.send({ method: 'GET', path: pathOf(resource) });
  if (status !== 200) throw new Error(`the run cannot begin: ${resource} cannot be listed: ${status} ${text}`);
  const body = JSON.parse(text) as { readonly metadata: SimObject['metadata']; readonly items: readonly SimObject[] };
  return { revision: revisionOf(body), items: body.items };
}
