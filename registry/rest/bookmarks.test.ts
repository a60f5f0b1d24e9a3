import { expect } from 'chai';
import type { Kind } from '../kinds/kind.js';
import { create, HOUSE, LAMP, LEAF, pathTo, ROOM, succeeded } from '../testing/house.js';
import { type Sent, type Served, serve } from '../testing/served.js';
import { type Watched, watched } from '../testing/watched.js';

describe('a watch with bookmarks', () => {
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

  /** The number of frames that a change makes at a time after the start, in seconds. */
  const framesAt = async (one: Watched, seconds: number): Promise<readonly string[]> => {
    served.time = start + seconds * 1000;
    await change('a', { watts: ++watts });
    const types: string[] = [(await one.next())?.type ?? 'end'];
    const { body } = await change('a', { watts: ++watts });
    for (let frame = await one.next(); ; frame = await one.next()) {
      types.push(frame?.type ?? 'end');
      if (
        frame === undefined ||
        (frame.type === 'MODIFIED' && frame.object.metadata.resourceVersion === body.metadata.resourceVersion)
      )
        return types;
    }
  };
  const [PLAIN, MARKED] = [
    ['MODIFIED', 'MODIFIED'],
    ['MODIFIED', 'BOOKMARK', 'MODIFIED'],
  ];
  let start: number;
  let watts: number;
  const begin = async (query: string): Promise<Watched> => {
    await lamp('a');
    const one = await watch(`resourceVersion=${now()}&${query}`);
    [start, watts] = [served.time, 2];
    // From here on the watch waits.
    await change('a', { watts });
    expect(await one.take(1)).to.deep.equal(['MODIFIED a']);
    return one;
  };

  it('sends one a minute, and the last one two seconds before its end', async () => {
    const one = await begin('allowWatchBookmarks=true&timeoutSeconds=100');
    expect(await framesAt(one, 59.999)).to.deep.equal(PLAIN);
    expect(await framesAt(one, 60)).to.deep.equal(MARKED);
    expect(await framesAt(one, 97.999)).to.deep.equal(PLAIN);
    expect(await framesAt(one, 98)).to.deep.equal(MARKED);
    expect(await framesAt(one, 99)).to.deep.equal(PLAIN);
  });

  it('sends none if the client did not ask for them', async () => {
    const one = await begin('timeoutSeconds=100');
    expect(await framesAt(one, 61)).to.deep.equal(PLAIN);
  });

  it('lasts at least half an hour if the client does not say how long, and at most a day', async () => {
    for (const query of ['allowWatchBookmarks=true', 'allowWatchBookmarks=true&timeoutSeconds=0']) {
      const one = await begin(query);
      expect(await framesAt(one, 1790)).to.deep.equal(MARKED);
      expect(await framesAt(one, 1797)).to.deep.equal(PLAIN);
      one.close();
      await remove('a');
    }
    const long = await begin('allowWatchBookmarks=true&timeoutSeconds=1000000');
    expect(await framesAt(long, 86_390)).to.deep.equal(MARKED);
    expect(await framesAt(long, 86_397.9)).to.deep.equal(PLAIN);
    expect(await framesAt(long, 86_398)).to.deep.equal(MARKED);
  });

  it('has the revision up to which the client knows everything', async () => {
    const one = await begin('allowWatchBookmarks=true');
    served.time += 60_000;
    await lamp('x', { tree: 'oak', size: 1 }, 'hall', LEAF);
    expect(await one.take(1)).to.deep.equal([`BOOKMARK ${now()}`]);
  });
});
