import { DEFINITIONS } from '../../custom/definition.js';
import type { Door, DoorAnswer, Sent } from '../door.js';
import type { Random } from '../random.js';
import type { DefinitionHistory, Gadget, Write } from './history.js';
import { changed, definitionFor, FIRST, NAMES, VERSIONS, type VersionName } from './shape.js';

export const DEFINITION = `${DEFINITIONS}/${NAMES.plural}.${NAMES.group}`;
const OBJECTS = ['g0', 'g1', 'g2', 'g3', 'g4', 'g5'];
const MERGE = 'application/merge-patch+json';

export const pathOf = (version: VersionName, name?: string): string =>
  `/apis/${NAMES.group}/${version}/namespaces/default/${NAMES.plural}${name === undefined ? '' : `/${name}`}`;

export interface World {
  readonly history: DefinitionHistory;
  readonly doors: readonly Door[];
  readonly random: Random;
}

/** Sends a request. An unexpected status is a violation, because the stores of these runs do not fail. */
export async function asked({ history, doors }: World, server: number, sent: Sent): Promise<DoorAnswer> {
  history.operations++;
  const answer = await (doors[server] as Door).send(sent);
  if (answer.status >= 500) history.complain('failures have a cause', `${sent.method} ${sent.path}: ${answer.text}`);
  return answer;
}

/** Changes the definition, deletes it, and makes it again, until the signal aborts. */
export async function changer(world: World, signal: AbortSignal): Promise<void> {
  const { history, doors, random } = world;
  let shape = FIRST;
  for (let change = 2; !signal.aborted; change++) {
    const server = random.below(doors.length);
    history.changes.set(change, history.tick());
    if (random.chance(0.15)) {
      history.deleting = history.tick();
      await asked(world, server, { method: 'DELETE', path: DEFINITION });
      while ((await asked(world, server, { method: 'GET', path: DEFINITION })).status !== 404) await random.pause(20);
      history.changes.set(change, history.tick());
      await define(world, server, change);
      shape = FIRST;
    } else {
      const next = changed(shape, random);
      const { metadata, spec } = definitionFor(next, change);
      const body = { metadata: { annotations: metadata['annotations'] }, spec: { versions: spec.versions } };
      const { status, text } = await asked(world, server, { method: 'PATCH', path: DEFINITION, type: MERGE, body });
      if (status === 200) shape = next;
      else history.complain('definitions change', `${JSON.stringify(next)} was refused: ${text}`);
    }
    await random.pause(80);
  }
}

export async function define(world: World, server: number, change: number): Promise<void> {
  world.history.changes.set(change, world.history.tick());
  const body = definitionFor(FIRST, change);
  const { status, text } = await asked(world, server, { method: 'POST', path: DEFINITIONS, body });
  if (status !== 201) world.history.complain('definitions change', `the definition could not be made: ${text}`);
}

/** Writes and reads objects at random. Each level is another number, so that each write changes it. */
export async function writer(world: World, signal: AbortSignal): Promise<void> {
  const { random } = world;
  while (!signal.aborted) {
    const what = random.weighted([
      ['create', 4],
      ['update', 2],
      ['patch', 3],
      ['delete', 1],
      ['select', 3],
    ] as const);
    if (what === 'select') await select(world);
    else await write(world, what);
    await random.pause(5);
  }
}

async function write(world: World, verb: Write['verb']): Promise<void> {
  const { history, doors, random } = world;
  const [name, version, server] = [random.pick(OBJECTS), random.pick(VERSIONS), random.below(doors.length)];
  const level = random.below(10) + history.tick() / 1e7;
  const [size, isExtra] = [random.chance(0.3) ? 7 : undefined, random.chance(0.5)];
  const spec = { level, color: random.pick(['red', 'blue']), ...(size && { size }), ...(isExtra && { extra: 'x' }) };
  const body = { apiVersion: `${NAMES.group}/${version}`, kind: NAMES.kind, metadata: { name }, spec };
  const sent: Readonly<Record<Write['verb'], Sent>> = {
    create: { method: 'POST', path: pathOf(version), body },
    update: { method: 'PUT', path: pathOf(version, name), body },
    patch: { method: 'PATCH', path: pathOf(version, name), type: MERGE, body: { spec: { level } } },
    delete: { method: 'DELETE', path: pathOf(version, name) },
  };
  const [begin, low] = [history.tick(), history.newest];
  const { status, text } = await asked(world, server, sent[verb]);
  const set = verb === 'create' || verb === 'update' ? { level, size, isExtra } : verb === 'patch' ? { level } : {};
  history.writes.push({ verb, version, name, begin, end: history.tick(), low, status, text, ...set });
  if (status < 300 && verb !== 'delete') history.saw(Number((JSON.parse(text) as Gadget).metadata.resourceVersion));
}

interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Gadget[];
}

/** Compares a list by a field selector with the whole list at the same revision. */
async function select(world: World): Promise<void> {
  const { history, doors, random } = world;
  const [version, server, other] = [random.pick(VERSIONS), random.below(doors.length), random.below(doors.length)];
  const whole = await asked(world, server, { method: 'GET', path: pathOf(version) });
  if (whole.status !== 200) return;
  const { items, metadata } = JSON.parse(whole.text) as List;
  const revision = Number(metadata.resourceVersion);
  history.saw(revision);
  history.sights.push({ where: `a list of server ${server}`, revision, items });
  const query = `fieldSelector=spec.color=red&resourceVersion=${revision}&resourceVersionMatch=Exact`;
  const part = await asked(world, other, { method: 'GET', path: `${pathOf(version)}?${query}` });
  if (part.status !== 200) return;
  const want = items.filter(({ spec }) => spec.color === 'red').map(({ metadata: { name } }) => name);
  const got = (JSON.parse(part.text) as List).items.map(({ metadata: { name } }) => name);
  if (String(want) !== String(got))
    history.complain('selections are complete', `at ${revision} ${want} are red, but server ${other} showed ${got}`);
}
