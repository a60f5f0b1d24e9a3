import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer, type Server } from '../../harness/server.js';
import { chaotic } from '../chaos.js';
import type { Verdict } from '../check.js';
import { doorOf } from '../door.js';
import { Random } from '../random.js';
import type { Stores } from '../stores.js';
import { checkDefinitions } from './check.js';
import { asked, changer, DEFINITION, define, pathOf, type World, writer } from './clients.js';
import { follower, type Held, recorder } from './followers.js';
import { DefinitionHistory, type Gadget } from './history.js';
import { definitionFor, FIRST } from './shape.js';

export interface DefinitionRun {
  readonly seed: number;
  readonly seconds: number;
  readonly servers: number;
  readonly clients?: number;
  readonly delay?: number;
}

/** Runs clients of a definition that is changed, deleted and made again meanwhile. */
export async function runDefinitions(stores: Stores, options: DefinitionRun): Promise<Verdict> {
  const { seed, servers: count, delay = 3 } = options;
  const { backends, clean } = await stores.open(count);
  const servers: Server[] = [];
  try {
    for (const [i, backend] of backends.entries()) {
      const calm = { isOver: false };
      const slow = chaotic(backend, new Random(seed * 31 + i), { delay, failures: 0 }, () => calm.isOver);
      servers.push(await openServer(slow));
      calm.isOver = true;
    }
    const history = new DefinitionHistory();
    const doors = servers.map(doorOf);
    await simulated({ history, doors, random: new Random(seed) }, options);
    checkDefinitions(history);
    return verdictOf(history);
  } finally {
    for (const server of servers) await server.close();
    await clean();
  }
}

async function simulated(world: World, { seed, seconds, clients = 6 }: DefinitionRun): Promise<void> {
  const { doors } = world;
  let seeds = seed * 1000;
  const other = (): World => ({ ...world, random: new Random(seeds++) });
  const [working, following] = [new AbortController(), new AbortController()];
  setMaxListeners(100, working.signal, following.signal);
  const { text } = await asked(world, 0, { method: 'GET', path: DEFINITION.slice(0, DEFINITION.lastIndexOf('/')) });
  const { metadata } = JSON.parse(text) as { readonly metadata: { readonly resourceVersion: string } };
  const recording = recorder(world, Number(metadata.resourceVersion), following.signal);
  await define(world, 0, 1);
  const held = doors.map((): Held => new Map());
  const followers = held.map((one, server) => follower(other(), server, one, following.signal));
  const workers = Array.from({ length: clients }, () => writer(other(), working.signal));
  await Promise.all([
    changer(other(), working.signal),
    ...workers,
    over(world.history, seconds).then(() => working.abort()),
  ]);
  await settled(world, held);
  following.abort();
  await Promise.all([recording, ...followers]);
}

/** Milliseconds in which followers must have the last state, and the definition some states. */
const PATIENCE = 20_000;
/** So many states show a change, a deletion and a new definition. */
const STATES = 4;

/** Resolves after the time of the run, and when there are some states: a busy machine makes few of them in seconds. */
async function over(history: DefinitionHistory, seconds: number): Promise<void> {
  await sleep(seconds * 1000);
  for (const until = Date.now() + PATIENCE; history.states.length < STATES && Date.now() < until; ) await sleep(50);
}

/** Waits until each follower has what its server lists, and the recorder has the last state. */
async function settled(world: World, held: readonly Held[]): Promise<void> {
  const { history } = world;
  const { metadata, spec } = definitionFor(FIRST, 0);
  const body = { metadata: { annotations: metadata['annotations'] }, spec: { versions: spec.versions } };
  history.changes.set(0, history.tick());
  await asked(world, 0, { method: 'PATCH', path: DEFINITION, type: 'application/merge-patch+json', body });
  const object = { apiVersion: 'sim.example.com/v1', kind: 'Gadget', metadata: { name: 'last' }, spec: { level: 0 } };
  await asked(world, 0, { method: 'POST', path: pathOf('v1'), body: object });
  for (const [server, one] of held.entries()) {
    const { text } = await asked(world, server, { method: 'GET', path: pathOf('v1') });
    const { items } = JSON.parse(text) as { readonly items: readonly Gadget[] };
    const want = items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort();
    const got = (): readonly string[] => [...one].map(([name, revision]) => `${name} ${revision}`).sort();
    for (const until = Date.now() + PATIENCE; String(got()) !== String(want) && Date.now() < until; )
      await world.random.pause(50);
    if (String(got()) !== String(want))
      history.complain('watch = history', `a follower of server ${server} has ${got()}, but there is ${want}`);
  }
  const isRecorded = (): boolean => history.states.some(({ began }) => began === history.changes.get(0));
  for (const until = Date.now() + PATIENCE; !isRecorded() && Date.now() < until; ) await world.random.pause(50);
}

function verdictOf({ complaints, operations, states, sights, writes }: DefinitionHistory): Verdict {
  const statuses = new Map<string, number>();
  for (const { verb, status } of writes)
    statuses.set(`${verb} ${status}`, (statuses.get(`${verb} ${status}`) ?? 0) + 1);
  return { violations: complaints, operations, events: states.length, streams: sights.length, setBacks: 0, statuses };
}
