import { expect } from 'chai';
import { copy } from '../../cmd/adminctl/store/copy.js';
import type { Place } from '../../cmd/adminctl/store/place.js';
import { nameOf } from '../../cmd/adminctl/store/place.js';
import { openReceiver, openSnapshot } from '../../cmd/adminctl/store/stores.js';
import { fill } from '../../storage/transfer/fill.js';
import { change, contentsOf, failureOf, LASTING, logOf, openAt, places, quiet, using, write } from './fixture.js';

const ROUNDS = 4;

for (const source of LASTING) {
  for (const target of LASTING) {
    describe(`copy (${source} to ${target})`, function () {
      this.timeout(60_000);
      const { fresh } = places();
      let [from, to]: readonly Place[] = [];
      const run = (options = {}): Promise<string> =>
        copy({ from: from as Place, to: to as Place, force: false, ...options }, quiet());
      const expectSame = async (): Promise<void> => {
        expect(await contentsOf(to as Place)).to.deep.equal(await contentsOf(from as Place));
      };

      beforeEach(async () => {
        [from, to] = [fresh(source), fresh(target)];
        await using(from, async (backend) => {
          for (let round = 0; round < ROUNDS; round++) await write(backend, round);
          await change(backend);
          await backend.compact(10);
        });
      });

      it('keeps objects, revisions, counters, index rows, counts and the log from where it was compacted', async () => {
        expect(await run()).to.include('23 objects are the same');
        await expectSame();
        const read = (place: Place) =>
          using(place, async (backend) => [await backend.compacted(), ...(await logOf(backend, 10))]);
        const log = await read(from as Place);
        expect(log).to.have.length.greaterThan(16);
        expect(await read(to as Place)).to.deep.equal(log);
      });

      it('copies only what has changed when it runs again', async () => {
        await run();
        await using(from as Place, async (backend) => {
          await change(backend);
          await write(backend, ROUNDS, 1);
        });
        expect(await run()).to.include('3 written, 21 unchanged, 1 removed. Commits of the log: 2');
        await expectSame();
        const read = (place: Place) => using(place, (backend) => logOf(backend, 10));
        expect(await read(to as Place)).to.deep.equal(await read(from as Place));
      });

      it('is refused by servers while it is not finished, and continues where it was interrupted', async () => {
        const snapshot = await openSnapshot(from as Place);
        const origin = `copy of ${nameOf(from as Place)}`;
        const receiver = await openReceiver(to as Place, { domain: snapshot.head.domain, origin, replaces: false });
        await fill(snapshot, receiver, () => undefined);
        await receiver.close();
        await snapshot.close();
        expect(await failureOf(openAt(to as Place))).to.include('is not complete');
        expect(await run()).to.include('0 written, 23 unchanged, 0 removed. Commits of the log: 0');
        await expectSame();
      });

      it('replaces data of others, and a copy that was written to, only with --force', async () => {
        await run();
        await using(to as Place, (backend) => write(backend, 99));
        const before = await contentsOf(to as Place);
        expect(await failureOf(run())).to.match(/--force|server uses/);
        expect(await contentsOf(to as Place)).to.deep.equal(before);
        await run({ force: true });
        await expectSame();
      });

      it('begins anew with --force when another store has taken the place of the first', async () => {
        await run();
        const other = fresh(source);
        await using(other, async (backend) => {
          for (let round = 50; round < 50 + ROUNDS; round++) await write(backend, round);
          await change(backend);
        });
        await copy({ from: other, to: from as Place, force: true }, quiet());
        await run({ force: true });
        await expectSame();
      });

      it('copies one revision while a server writes, and the rest when the server has stopped', async () => {
        await using(from as Place, async (backend) => {
          let isOver = false;
          const writing = (async () => {
            for (let round = 10; !isOver; round++) await write(backend, round, 5);
          })();
          await run();
          isOver = true;
          await writing;
        });
        await run();
        await expectSame();
      });
    });
  }
}

it('copy refuses to copy a store to itself', async () => {
  const place = { data: '/nowhere' };
  expect(await failureOf(copy({ from: place, to: place, force: true }, quiet()))).to.include('the same store');
});
