import { expect } from 'chai';
import type { Put } from '../backend.js';
import { batchOf, key } from '../testing/backend/fixture.js';
import { bulkAfter, pendingBytesAfter } from './bulk.js';
import { roomForObjects } from './room.js';
import { META } from './tables.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

describe('lmdb: a bulk', () => {
  const folder = eachFolder();

  /** A log of which nothing is in the objects. */
  async function logOf(commits: readonly (readonly Put[])[]): Promise<void> {
    await withStore(folder(), async (backend) => {
      for (const changes of commits) await backend.append(await backend.end(), batchOf(changes));
    });
    await withTables(folder(), ({ meta }) => meta.put(META.stored, 0, 1));
  }

  const removals = (after: number, count: number): readonly Put[] =>
    Array.from({ length: count }, (_, i) => ({ key: key(`n${after + i}`), revision: after + i + 1 }));

  it('has a bound for deletions and small objects, too, and at least one commit', async () => {
    await logOf([0, 1000, 2000, 3000, 4000].map((after) => removals(after, 1000)));
    await withTables(folder(), async (tables) => {
      expect((await bulkAfter(tables, 0, 5000)).through).to.equal(3000);
      expect((await bulkAfter(tables, 0, 5000, 0)).through).to.equal(1000);
      expect((await bulkAfter(tables, 3000, 5000)).through).to.equal(5000);
    });
  });

  it('tells the room that was pending for its changes, as it was counted when they were appended and is counted again at a start', async () => {
    const changes: readonly Put[] = [
      { key: key('a'), revision: 1, value: Buffer.alloc(10_000) },
      { key: key('a'), revision: 2, value: Buffer.alloc(0) },
      { key: key('b'), revision: 3, value: Buffer.alloc(100_000) },
      { key: key('a'), revision: 4 },
    ];
    const [first, second] = [changes.slice(0, 3), changes.slice(3)];
    await logOf([first, second]);
    await withTables(folder(), async (tables) => {
      const both = await bulkAfter(tables, 0, 4);
      expect(both.pendingBytes).to.equal(roomForObjects(first) + roomForObjects(second));
      expect([pendingBytesAfter(tables, 0), pendingBytesAfter(tables, 3), pendingBytesAfter(tables, 4)]).to.deep.equal([
        both.pendingBytes,
        roomForObjects(second),
        0,
      ]);
    });
  });
});
