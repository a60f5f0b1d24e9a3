import { expect } from 'chai';
import { key, write } from '../testing/backend/fixture.js';
import { using } from '../testing/transfer/fixture.js';
import { openLmdbSnapshot } from './snapshot.js';
import { eachFolder, withStore } from './testing/folder.js';

describe('lmdb: a snapshot', () => {
  const folder = eachFolder();

  it('has the largest value of each counter, also one that is newer than the log that is not in the objects yet', async () => {
    await withStore(folder(), async (backend) => {
      await write(backend, [{ key: key('a'), value: '1' }], { teams: 5, users: 7 });
      await write(backend, [], { teams: 6 });
      await using(openLmdbSnapshot(folder()), async ({ head }) => {
        expect(Object.fromEntries(head.counters)).to.deep.equal({ teams: 6, users: 7 });
        expect(head.counters).to.deep.equal(await backend.counters());
      });
    });
  });
});
