import { expect } from 'chai';
import type { Revision } from '../backend.js';
import { isStorageError } from '../errors.js';
import { expectGapFree, key, write } from '../testing/backend/fixture.js';
import { thrownBy, using } from '../testing/transfer/fixture.js';
import { endOf, keysThrough, lastBefore, lastBeforeSteps, logKey, readCommits } from './log.js';
import { openLmdb } from './open.js';
import { openLmdbSnapshot } from './snapshot.js';
import { type LmdbTables, META } from './tables.js';
import { DOMAIN, eachFolder, withStore, withTables } from './testing/folder.js';

describe('lmdb: log', () => {
  const folder = eachFolder();

  it('is refused as damaged, and names the change, if a record in it is missing', async () => {
    await withStore(folder(), async (backend) => {
      for (const name of ['a', 'b', 'c']) await write(backend, [{ key: key(name), value: name }]);
    });
    await withTables(folder(), async (tables) => {
      await tables.log.remove(logKey(2, 0));
      expect(readCommits(tables, 0, 3).map(({ end }) => end)).to.deep.equal([1]);
      const failure = thrownBy(() => readCommits(tables, 1, 3));
      expect(isStorageError(failure, 'unavailable'), String(failure)).to.equal(true);
      expect(String(failure)).to.include('change 2 is missing');
    });
    await using(openLmdbSnapshot(folder()), async (snapshot) => {
      const ends: Revision[] = [];
      const reading = async (): Promise<void> => {
        for await (const chunk of snapshot.commits(0)) ends.push(...chunk.map(({ end }) => end));
      };
      const failure = await reading().catch((error: unknown) => error);
      expect(isStorageError(failure, 'refused'), String(failure)).to.equal(true);
      expect([ends, String(failure)].join()).to.match(/^1,.*change 2 is missing/);
    });
  });

  it('is read in chunks of whole commits, which have about 256 KiB', async () => {
    const wish = (i: number) => ({ key: key(`n${i}`), value: 'v'.repeat(100_000) });
    await withStore(folder(), async (backend) => {
      for (let i = 0; i < 5; i++) await write(backend, [wish(i)]);
      await write(backend, [5, 6, 7, 8].map(wish));
      await write(backend, [wish(9)]);
    });
    await withTables(folder(), async (tables) => {
      const endsAfter = (after: Revision): readonly Revision[] => readCommits(tables, after, 10).map(({ end }) => end);
      expect([0, 3, 5, 7, 9].map(endsAfter)).to.deep.equal([[1, 2, 3], [4, 5, 9], [9], [9], [10]]);
      for (const after of [0, 3, 5, 7, 9]) expectGapFree(readCommits(tables, after, 10), after);
      expect(readCommits(tables, 0, 2).map(({ end }) => end)).to.deep.equal([1, 2]);
    });
    await using(openLmdbSnapshot(folder()), async (snapshot) => {
      const chunks: (readonly Revision[])[] = [];
      for await (const chunk of snapshot.commits(0)) chunks.push(chunk.map(({ end }) => end));
      expect(chunks, 'twice as much for a backup').to.deep.equal([[1, 2, 3, 4, 5, 9], [10]]);
    });
  });

  it('has keys that keep the order of the commits and their segments', () => {
    const keys = [logKey(1, 0), logKey(1, 1), logKey(2, 0), logKey(256, 0), logKey(2 ** 40, 300)];
    expect([...keys].reverse().sort(Buffer.compare)).to.deep.equal(keys);
    expect(keys.map(endOf)).to.deep.equal([1, 1, 2, 256, 2 ** 40]);
  });

  it('gives the keys up to a revision, in chunks', async () => {
    await withStore(folder(), async (backend) => {
      for (let i = 0; i < 130; i++) await write(backend, [{ key: key('a'), value: `${i}` }]);
    });
    await withTables(folder(), async (tables) => {
      expect(keysThrough(tables, 5).map(endOf)).to.deep.equal([1, 2, 3, 4, 5]);
      expect([keysThrough(tables, 0), keysThrough(tables, 130)].map((keys) => keys.length)).to.deep.equal([0, 128]);
    });
  });
});

describe('lmdb: the last commit before a moment', () => {
  const folder = eachFolder();
  /** The times of the commits, and how many changes each has. */
  const COMMITS = [
    [10, 1],
    [20, 3],
    [20, 1],
    [20, 2],
    [31, 1],
    [45, 5],
    [46, 1],
  ] as const;

  /** Writes the commits, and returns their ends with their times. */
  async function fill(): Promise<readonly (readonly [end: Revision, at: number])[]> {
    let clock = 0;
    const ends: (readonly [Revision, number])[] = [];
    await using(openLmdb({ path: folder(), domain: DOMAIN, now: () => clock }), async (backend) => {
      for (const [at, count] of COMMITS) {
        clock = at;
        const wishes = Array.from({ length: count }, (_, i) => ({ key: key(`n${i}`), value: `${at}` }));
        ends.push([await write(backend, wishes), at]);
      }
    });
    return ends;
  }

  it('is found for every moment and every compaction, also among commits of the same time', async () => {
    const ends = await fill();
    await withTables(folder(), async (tables) => {
      const last = ends.at(-1)?.[0] ?? 0;
      for (const compacted of [0, ...ends.map(([end]) => end)]) {
        const after = ends.filter(([end]) => end > compacted);
        for (let moment = 8; moment < 50; moment++) {
          const wanted = after.findLast(([, at]) => at < moment)?.[0] ?? 0;
          expect(lastBefore(tables, moment, compacted, last), `${moment} ${compacted}`).to.equal(wanted);
        }
      }
    });
  });

  it('is never behind what is missing', async () => {
    await fill();
    await withTables(folder(), async (tables: LmdbTables) => {
      for (const end of [13, 14]) await tables.log.remove(logKey(end, 0));
      expect(lastBefore(tables, 100, 0, 14)).to.equal(8);
    });
  });

  it('is found in as many steps as records are read, because a record may be large', async () => {
    await fill();
    await withTables(folder(), async (tables: LmdbTables) => {
      expect([...lastBeforeSteps(() => tables, 100, 0, 14)].length).to.be.within(2, 4);
    });
  });

  it('is told by the clock of the server', async () => {
    let clock = 1000;
    await using(openLmdb({ path: folder(), domain: DOMAIN, now: () => clock }), async (backend) => {
      await write(backend, [{ key: key('a'), value: '1' }]);
      clock = 2000;
      await write(backend, [{ key: key('a'), value: '2' }]);
      const found = [0, 1, 999, 1000, 1001].map((age) => backend.revisionBefore(age));
      expect(await Promise.all(found)).to.deep.equal([1, 1, 1, 0, 0]);
      clock = 2001;
      expect(await backend.revisionBefore(0)).to.equal(2);
    });
  });

  it('has a time that never decreases, though the clock does, also after a restart', async () => {
    const clocks = [500, 400, 600];
    for (const clock of clocks) {
      await using(openLmdb({ path: folder(), domain: DOMAIN, now: () => clock }), (backend) =>
        write(backend, [{ key: key('a'), value: `${clock}` }]),
      );
    }
    await using(openLmdbSnapshot(folder()), async (snapshot) => {
      const times: number[] = [];
      for await (const chunk of snapshot.commits(0)) times.push(...chunk.map(({ at }) => at));
      expect([times, snapshot.head.at]).to.deep.equal([[500, 500, 600], 600]);
    });
    await withTables(folder(), async ({ meta }) => {
      const { commit, ...end } = meta.get(META.end) as { commit: string };
      expect(end).to.deep.equal({ end: 3, at: 600 });
      expect(commit).to.be.a('string').that.is.not.empty;
    });
  });
});
