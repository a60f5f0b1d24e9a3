import { expect } from 'chai';
import { key, plainCommit, plainStored, read, write } from '../backend/fixture.js';
import { all, type Current, DOMAIN, failureOf, held, using } from './fixture.js';

/** More than a chunk has. */
const MANY = 1100;

export function snapshotSuite(current: Current): void {
  describe('snapshot', () => {
    it('has the domain, the end, the counters, where the log begins, and the time of the last commit', async () => {
      await using(current().open(), async (backend) => {
        await write(backend, [{ key: key('a'), value: '1' }], { teams: 1, 'users.iam.svc.app': 4 });
        await write(backend, [{ key: key('b'), value: '2' }], { teams: 2 });
        await write(backend, [{ key: key('a') }]);
        await backend.compact(1);
      });
      await using(current().snapshot(), async ({ head, size }) => {
        const { counters, at, ...rest } = head;
        expect(rest).to.deep.equal({ domain: DOMAIN, end: 3, compacted: 1 });
        expect(Object.fromEntries(counters)).to.deep.equal({ teams: 2, 'users.iam.svc.app': 4 });
        expect(size).to.equal(1);
        expect(at).to.be.greaterThan(Date.now() - 3_600_000);
      });
    });

    it('has every object, in the order of the keys', async () => {
      const objects = Array.from({ length: MANY }, (_, i) => held(`n${20_000 - i}`, i + 1));
      await using(current().open(), (backend) =>
        write(
          backend,
          objects.map(({ key, value }) => ({ key, value })),
        ),
      );
      await using(current().snapshot(), async (snapshot) => {
        expect((await all(snapshot.objects())).map(plainStored)).to.deep.equal(objects.reverse().map(plainStored));
      });
    });

    it('has large objects', async () => {
      const names = ['a', 'b', 'c'];
      const value = (name: string) => name.repeat(300_000);
      await using(current().open(), (backend) =>
        write(
          backend,
          names.map((name) => ({ key: key(name), value: value(name) })),
        ),
      );
      await using(current().snapshot(), async (snapshot) => {
        const found = await all(snapshot.objects());
        expect(found.map((one) => [one.key, one.revision, one.value.byteLength])).to.deep.equal(
          names.map((name, i) => [key(name), i + 1, 300_002]),
        );
      });
    });

    it('has the commits after a revision, with their changes, previous values, counters and times', async () => {
      const commits = await using(current().open(), async (backend) => {
        await write(backend, [{ key: key('a'), value: '1' }], { teams: 1 });
        await write(backend, [
          { key: key('a'), value: '2' },
          { key: key('b'), value: 'b'.repeat(700_000) },
          { key: key('a') },
        ]);
        await write(backend, [{ key: key('c'), value: '3' }], { teams: 2 });
        return read(backend, 0, 5);
      });
      await using(current().snapshot(), async (snapshot) => {
        for (const [i, after] of [0, 1, 4, 5].entries()) {
          const found = await all(snapshot.commits(after));
          expect(found.map(plainCommit)).to.deep.equal(commits.slice(i).map(plainCommit));
          const times = found.map(({ at }) => at);
          expect([...times].sort((a, b) => a - b)).to.deep.equal(times);
          // MongoDB reads its clock for each document of a commit.
          if (i < 3) expect(times.at(-1)).to.be.closeTo(snapshot.head.at, 1000);
        }
      });
    });

    it('has the values, and those before, of large commits', async () => {
      const names = ['a', 'b', 'c'];
      const wishes = (fill: string) => names.map((name) => ({ key: key(name), value: fill.repeat(1_500_000) }));
      const commits = await using(current().open(), async (backend) => {
        await write(backend, wishes('x'));
        await write(backend, wishes('y'));
        return read(backend, 0, 6);
      });
      await using(current().snapshot(), async (snapshot) => {
        const found = (await all(snapshot.commits(0))).map(plainCommit);
        // A comparison of chai would print all of it.
        expect(JSON.stringify(found) === JSON.stringify(commits.map(plainCommit))).to.equal(true);
      });
    });

    it('shows nothing of what is written after it was opened', async () => {
      await using(current().open(), async (backend) => {
        await write(backend, [{ key: key('a'), value: '1' }], { teams: 1 });
        await using(current().snapshot(), async (snapshot) => {
          await write(backend, [{ key: key('b'), value: '2' }, { key: key('a') }], { teams: 2 });
          await backend.compact(3);
          expect((await all(snapshot.objects())).map((one) => one.key)).to.deep.equal([key('a')]);
          expect((await all(snapshot.commits(0))).map(({ end }) => end)).to.deep.equal([1]);
          expect([snapshot.head.end, snapshot.head.counters.get('teams')]).to.deep.equal([1, 1]);
        });
        expect(await backend.end()).to.equal(3);
      });
    });

    it('is refused if there is no store', async () => {
      expect(await failureOf(current().snapshot())).to.match(/There is no (embedded store|data) in /);
    });
  });
}
