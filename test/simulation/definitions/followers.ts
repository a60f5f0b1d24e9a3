import type { TestVersion } from '../../custom/definition.js';
import { DEFINITIONS } from '../../custom/definition.js';
import type { Door } from '../door.js';
import type { World } from './clients.js';
import { asked, pathOf } from './clients.js';
import type { Gadget } from './history.js';
import { MARK, shapeOf, VERSIONS } from './shape.js';

interface Definition {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly group: string; readonly versions: readonly TestVersion[] };
}

/** Records all states of the definition, from a revision on. */
export async function recorder({ history, doors }: World, from: number, signal: AbortSignal): Promise<void> {
  const path = `${DEFINITIONS}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name=gadgets.sim.example.com`;
  const { frames } = await (doors[0] as Door).send({ method: 'GET', path });
  signal.addEventListener('abort', () => void frames.close().catch(() => undefined), { once: true });
  for (;;) {
    const frame = await frames.next().catch(() => undefined);
    if (frame === undefined) return;
    if (frame.type === 'ERROR') {
      history.complain('watches end cleanly', `the watch of definitions: ${JSON.stringify(frame.object)}`);
      return;
    }
    const { metadata, spec } = frame.object as unknown as Definition;
    const isTerminating = metadata.deletionTimestamp !== undefined;
    const change = Number(metadata.annotations?.[MARK]);
    const began = isTerminating ? history.deleting : (history.changes.get(change) ?? 0);
    const shape = frame.type === 'DELETED' ? undefined : shapeOf({ spec });
    history.states.push({ revision: Number(metadata.resourceVersion), began, shape, isTerminating });
  }
}

/** The content of an informer: the revision of each object by its name. */
export type Held = Map<string, string>;

/** Lists and watches like an informer. After the end of a watch it continues, or lists again if it cannot. */
export async function follower(world: World, server: number, held: Held, signal: AbortSignal): Promise<void> {
  const { random } = world;
  let from: string | undefined;
  while (!signal.aborted) {
    const version = random.pick(VERSIONS);
    from =
      from === undefined
        ? await listed(world, server, version, held)
        : await watched(world, { server, version, from }, held, signal);
    await random.pause(30);
  }
}

async function listed(world: World, server: number, version: 'v1' | 'v2', held: Held): Promise<string | undefined> {
  const { status, text } = await asked(world, server, { method: 'GET', path: pathOf(version) });
  if (status !== 200) return undefined;
  const { metadata, items } = JSON.parse(text) as { metadata: { resourceVersion: string }; items: readonly Gadget[] };
  held.clear();
  for (const { metadata: one } of items) held.set(one.name, one.resourceVersion);
  world.history.sights.push({
    where: `a follower's list of server ${server}`,
    revision: Number(metadata.resourceVersion),
    items,
  });
  return metadata.resourceVersion;
}

interface Wish {
  readonly server: number;
  readonly version: 'v1' | 'v2';
  readonly from: string;
}

/** Returns the revision to continue from. */
async function watched(
  { history, doors }: World,
  { server, version, from }: Wish,
  held: Held,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = `${pathOf(version)}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`;
  const answer = await (doors[server] as Door).send({ method: 'GET', path });
  const { status, text } = answer;
  if (status !== 200) {
    if (status !== 404 && status !== 410) history.complain('watches end cleanly', `${status} ${text}`);
    return undefined;
  }
  const { frames } = answer;
  const stop = (): void => void frames.close().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  let last = from;
  try {
    for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) {
      const { metadata } = frame.object;
      if (frame.type === 'ERROR') return undefined;
      last = metadata.resourceVersion ?? last;
      if (frame.type === 'DELETED') held.delete(metadata.name);
      else if (frame.type !== 'BOOKMARK') held.set(metadata.name, last);
    }
  } catch (error) {
    if (!signal.aborted) history.complain('watches end cleanly', `a watch of server ${server} broke: ${error}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return last;
}
