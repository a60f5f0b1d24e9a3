import { expect } from 'chai';
import { batchOf, key, RESOURCE, write } from '../testing/backend/fixture.js';
import { failureOf } from '../testing/transfer/fixture.js';
import { memoryStore, openMemory } from './backend.js';

describe('the store in memory', () => {
  it('belongs to one server, if nothing else is said', () => {
    expect([openMemory().shared, openMemory(memoryStore(), Date.now, true).shared]).to.deep.equal([false, true]);
  });

  it('refuses changes whose revisions do not follow the end of the log', async () => {
    const store = memoryStore();
    const backend = openMemory(store);
    await write(backend, [{ key: key('a'), value: '1' }]);
    const put = (revision: number) => ({ key: key('b'), revision, value: Buffer.from('2') });
    for (const [revisions, wanted] of [
      [[1], 2],
      [[2, 2], 3],
      [[2, 3, 5], 4],
    ] as const) {
      const message = await failureOf(backend.append(1, batchOf(revisions.map(put))));
      expect(message).to.include(`${key('b')} has the revision ${revisions.at(-1)}, not ${wanted}`);
    }
    expect([store.end, store.objects.size]).to.deep.equal([1, 1]);
  });

  it('loads chunks that are not empty', async () => {
    const backend = openMemory();
    await write(
      backend,
      Array.from({ length: 200 }, (_, i) => ({ key: key(`n${i}`), value: '1' })),
    );
    const sizes: number[] = [];
    for await (const chunk of backend.load(RESOURCE)) sizes.push(chunk.length);
    expect(sizes).to.deep.equal([100, 100]);
  });

  it('finds the last commit that is older than an age', async () => {
    let clock = 10;
    const backend = openMemory(memoryStore(), () => clock);
    await write(backend, [{ key: key('a'), value: '1' }]);
    clock = 15;
    expect([await backend.revisionBefore(5), await backend.revisionBefore(4)]).to.deep.equal([0, 1]);
  });

  it('keeps no commit of a batch without changes, and none that is compacted', async () => {
    const store = memoryStore();
    const backend = openMemory(store);
    await backend.append(0, batchOf([], { teams: 4 }));
    expect([store.log.length, store.counters.get('teams')]).to.deep.equal([0, 4]);
    for (const value of ['1', '2', '3']) await write(backend, [{ key: key('a'), value }]);
    await backend.compact(2);
    expect(store.log.map(({ commit }) => commit.end)).to.deep.equal([3]);
  });
});
