import { expect } from 'chai';
import { key, RESOURCE, write } from '../testing/backend/fixture.js';
import { held, problemsOf, tagged, using } from '../testing/transfer/fixture.js';
import { wrongIndexes } from './indexes.js';
import { countKey, indexKey } from './objects.js';
import { openLmdbRepair } from './repair.js';
import { openLmdbSnapshot } from './snapshot.js';
import type { Tables } from './tables.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const OBJECTS = [held('a', 1, 'x'), held('b', 2, 'x', 'y'), held('c', 3)];
const NOTHING = Buffer.alloc(1);

const rowOf = (name: string, tag: string): Buffer => indexKey(RESOURCE, tagged(tag), key(name));
const counted = (tag: string): Buffer => countKey(RESOURCE, `byTag ${tagged(tag).counted}`);
const countOf = (tag: string): string => `the count of ${RESOURCE} byTag ${tagged(tag).counted}`;

describe('lmdb: indexes', () => {
  const folder = eachFolder();
  const problems = (): Promise<readonly string[]> => using(openLmdbSnapshot(folder()), problemsOf);
  beforeEach(() =>
    withStore(folder(), (backend) =>
      write(
        backend,
        OBJECTS.map(({ key, value, rows }) => ({ key, value, rows })),
      ),
    ),
  );

  /** Makes them wrong, expects that this is found, and that it is right after a repair. */
  const expectRepaired = async (
    spoil: (tables: Tables) => Promise<unknown>,
    found: readonly string[],
  ): Promise<void> => {
    await withTables(folder(), spoil);
    expect(await problems()).to.deep.equal(found);
    await using(openLmdbRepair(folder()), (repair) => repair.reindex());
    expect(await problems()).to.deep.equal([]);
  };

  it('are found to lack a row, and are repaired', () =>
    expectRepaired((tables) => tables.index.remove(rowOf('b', 'y')), [`${key('b')} is missing in the index byTag`]));

  it('are found to have rows that the object does not have, or whose object is not there, and are repaired', () =>
    expectRepaired(
      async (tables) => {
        await tables.index.put(rowOf('a', 'z'), NOTHING);
        await tables.index.put(rowOf('c', 'x'), NOTHING);
        await tables.index.put(rowOf('gone', 'a'), NOTHING);
      },
      ['gone', 'c', 'a'].map((name) => `the index byTag has a row of ${key(name)} that it does not have`),
    ));

  it('are found to have rows of an object that was lost, and are repaired', async () => {
    await withTables(folder(), (tables) => tables.objects.remove(Buffer.from(key('b'))));
    expect(await problems()).to.deep.equal([
      ...['x', 'y'].map(() => `the index byTag has a row of ${key('b')} that it does not have`),
      `${countOf('x')} is 2, not 1`,
      `${countOf('y')} is 1, not 0`,
    ]);
    await using(openLmdbRepair(folder()), (repair) => repair.reindex());
  });

  it('are found to count wrongly, too many tuples, or too few, and are repaired', () =>
    expectRepaired(
      async (tables) => {
        await tables.counts.put(counted('a'), 4);
        await tables.counts.put(counted('x'), 1);
        await tables.counts.remove(counted('y'));
      },
      [`${countOf('a')} is 4, not 0`, `${countOf('x')} is 1, not 2`, `${countOf('y')} is 0, not 1`],
    ));

  it('separate what other resources have', async () => {
    const other = `${RESOURCE}2`;
    await withStore(folder(), (backend) => write(backend, [{ key: key('a', other), value: 'a', rows: [tagged('x')] }]));
    expect(await problems()).to.deep.equal([]);
    await withTables(folder(), (tables) => tables.counts.put(countKey(other, `byTag ${tagged('x').counted}`), 3));
    expect(await problems()).to.deep.equal([`${countOf('x').replace(RESOURCE, other)} is 3, not 1`]);
  });

  it('are made anew from the objects, however many rows there are', async () => {
    const many = Array.from({ length: 2500 }, (_, i) => ({ key: key(`n${i}`), value: 'v', rows: [tagged('x')] }));
    await withStore(folder(), (backend) => write(backend, many));
    await withTables(folder(), async ({ index, counts }) => {
      await index.clearAsync();
      await counts.clearAsync();
    });
    expect(await problems()).to.have.length(2505);
    await using(openLmdbRepair(folder()), (repair) => repair.reindex());
  });

  it('are checked as they were when the snapshot was opened, whatever is written meanwhile', async () => {
    await withTables(folder(), (tables) => tables.index.remove(rowOf('a', 'x')));
    await withStore(folder(), async (backend) => {
      await using(openLmdbSnapshot(folder()), async (snapshot) => {
        const found: string[] = [];
        for await (const problem of snapshot.indexProblems()) {
          found.push(problem);
          await write(backend, [{ key: key('b') }, { key: key('d'), value: 'd', rows: [tagged('y')] }]);
        }
        expect(found).to.deep.equal([`${key('a')} is missing in the index byTag`]);
      });
    });
  });

  it('are read in parts, so that other work takes its turns', async () => {
    await withTables(folder(), async (tables) => {
      await Promise.all(Array.from({ length: 4500 }, (_, i) => tables.index.put(rowOf(`none${i}`, 'x'), NOTHING)));
      let [turns, found, isOver] = [0, 0, false];
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      for await (const _ of wrongIndexes(tables)) found++;
      isOver = true;
      expect(found).to.equal(4500);
      expect(turns).to.be.within(4, 20);
    });
  });
});
