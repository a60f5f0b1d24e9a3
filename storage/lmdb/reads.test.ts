import { expect } from 'chai';
import { isStorageError } from '../errors.js';
import { key, loadAll, plainCommit, plainStored, RESOURCE, read, write } from '../testing/backend/fixture.js';
import { thrownBy } from '../testing/transfer/fixture.js';
import { openLmdbReads } from './reads.js';
import { DOMAIN, eachFolder, withStore } from './testing/folder.js';

describe('lmdb: reads beside the process that writes', () => {
  const folder = eachFolder();
  const open = (domain: string = DOMAIN) => openLmdbReads({ path: folder(), domain });

  it('show the same as those of the writer, at once', async () => {
    await withStore(folder(), async (backend) => {
      const reads = open();
      expect([reads.end(), reads.commits(0), reads.compacted(), reads.revisionBefore(0)]).to.deep.equal([0, [], 0, 0]);
      for (let i = 1; i < 5; i++) {
        await write(backend, [{ key: key(`n${i}`), value: `${i}` }], { teams: i });
        expect([reads.end(), reads.counters().get('teams')]).to.deep.equal([i, i]);
        expect([...reads.get([key(`n${i}`), key('none')]).keys()]).to.deep.equal([key(`n${i}`)]);
        expect(reads.commits(i - 1).map(plainCommit)).to.deep.equal((await read(backend, i - 1, i)).map(plainCommit));
        expect(reads.commits(i)).to.deep.equal([]);
      }
      expect(reads.commits(0).map(({ end }) => end)).to.deep.equal([1, 2, 3, 4]);
      await reads.close();
    });
  });

  it('load all objects of a resource, in chunks', async () => {
    const wishes = Array.from({ length: 1100 }, (_, i) => ({ key: key(`n${1000 + i}`), value: `${i}` }));
    await withStore(folder(), async (backend) => {
      await write(backend, [...wishes, { key: key('other', `${RESOURCE}2`), value: 'x' }]);
      const reads = open();
      const sizes: number[] = [];
      const found: unknown[] = [];
      for await (const chunk of reads.load(RESOURCE)) {
        sizes.push(chunk.length);
        found.push(...chunk.map(plainStored));
      }
      expect(sizes).to.deep.equal([500, 500, 100]);
      expect(found).to.deep.equal((await loadAll(backend)).map(plainStored));
      await reads.close();
    });
  });

  it('know where the log begins, and refuse to read what was removed', async () => {
    await withStore(folder(), async (backend) => {
      const reads = open();
      for (const value of ['1', '2', '3']) await write(backend, [{ key: key('a'), value }]);
      await backend.compact(2);
      expect(reads.compacted()).to.equal(2);
      expect(reads.commits(2).map(({ end }) => end)).to.deep.equal([3]);
      for (const after of [0, 1])
        expect(
          isStorageError(
            thrownBy(() => reads.commits(after)),
            'compacted',
          ),
        ).to.equal(true);
      await reads.close();
    });
  });

  it('find the last commit before a moment by the clock', async () => {
    await withStore(folder(), async (backend) => {
      await write(backend, [{ key: key('a'), value: '1' }]);
      const reads = open();
      expect(reads.revisionBefore(3_600_000)).to.equal(0);
      expect(reads.revisionBefore(-3_600_000)).to.equal(1);
      await reads.close();
    });
  });

  it('are refused when they are closed', async () => {
    await withStore(folder(), async () => {
      const reads = open();
      await Promise.all([reads.close(), reads.close()]);
      await reads.close();
      const calls = [() => reads.end(), () => reads.commits(0), () => reads.get([]), () => reads.compacted()];
      for (const call of calls) expect(isStorageError(thrownBy(call), 'closed')).to.equal(true);
    });
  });

  it('are refused if there is no store, or one of another domain', async () => {
    expect(String(thrownBy(() => open()))).to.include(`There is no embedded store in ${folder()}`);
    await withStore(folder(), async () => {
      const failure = thrownBy(() => open('other.example'));
      expect(isStorageError(failure, 'refused')).to.equal(true);
      expect(String(failure)).to.include('"svc.app"').and.include('"other.example"');
    });
  });
});
