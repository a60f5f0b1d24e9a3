import { mock } from 'node:test';
import { expect } from 'chai';
import { LEAF } from '../../testing/house.js';
import type { Watched } from '../../testing/watched.js';
import { useHouse } from '../testing/house.js';

describe('a watch with bookmarks', () => {
  // The cache looks every second whether a bookmark is due. On a busy machine, that came between a change of the time
  // and the write after it.
  before(() => mock.timers.enable({ apis: ['setInterval'] }));
  after(() => mock.timers.reset());
  const { served, watch, lamp, remove, change, now } = useHouse();

  /** The number of frames that a change makes at a time after the start, in seconds. */
  const framesAt = async (one: Watched, seconds: number): Promise<readonly string[]> => {
    served().time = start + seconds * 1000;
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
    [start, watts] = [served().time, 2];
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
    served().time += 60_000;
    await lamp('x', { tree: 'oak', size: 1 }, 'hall', LEAF);
    mock.timers.tick(1000);
    expect(await one.take(1)).to.deep.equal([`BOOKMARK ${now()}`]);
  });
});
