import type { Kind } from '../../kinds/kind.js';
import { create, HOUSE, LAMP, pathTo, ROOM, succeeded } from '../../testing/house.js';
import { type Sent, type Served, serve } from '../../testing/served.js';
import { type Watched, watched } from '../../testing/watched.js';

/** A house with the room `hall`, for each test or for the suite. */
export function useHall(each: 'test' | 'suite'): () => Served {
  let served: Served | undefined;
  const [begin, end] = each === 'test' ? [beforeEach, afterEach] : [before, after];
  begin(async () => {
    served = await serve(HOUSE);
    await create(served, ROOM, 'hall');
  });
  end(() => served?.close());
  return () => {
    if (served === undefined) throw new Error('the house is used before it was served');
    return served;
  };
}

/** A house for each test, with the rooms `hall` and `attic`, and the watches on it, which end with the test. */
export function useHouse() {
  let served: Served;
  const open: Watched[] = [];
  beforeEach(async () => {
    served = await serve(HOUSE);
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.close();
    await served.close();
  });

  const ask = (query: string, path: string, sent: Sent = {}) =>
    served.send('GET', path, { query: `watch=true&${query}`, ...sent });
  const watch = async (query = '', path = pathTo(LAMP), sent: Sent = {}): Promise<Watched> => {
    const one = watched(await ask(query, path, sent));
    open.push(one);
    return one;
  };
  const lamp = (name: string, spec: object = { watts: 1 }, namespace = 'hall', kind: Kind = LAMP) =>
    create(served, kind, name, spec, {}, namespace);
  const remove = async (name: string, kind = LAMP) => succeeded(await served.send('DELETE', pathTo(kind, name)));
  const change = async (name: string, spec: object, namespace = 'hall') =>
    succeeded(
      await served.send('PATCH', pathTo(LAMP, name, namespace), {
        body: { spec },
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    );
  const now = (): string => String(served.registry.cacher.state.revision);
  return { served: () => served, ask, watch, lamp, remove, change, now };
}
