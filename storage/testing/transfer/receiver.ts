import { expect } from 'chai';
import type { Backend, Stored } from '../../backend.js';
import type { Receiver, ReceiverOptions } from '../../transfer/snapshot.js';
import { key, loadAll, plainCommit, plainStored, read, text, write } from '../backend/fixture.js';
import { all, type Current, creationOf, DOMAIN, failureOf, headOf, held, namesOf, using } from './fixture.js';

const NONE: ReadonlySet<Stored['key']> = new Set();
const OPTIONS: ReceiverOptions = { domain: DOMAIN, origin: 'one', replaces: false };
const [a, b, c] = [held('a', 1), held('b', 2), held('c', 3)];

const namesIn = async (backend: Backend): Promise<readonly string[]> =>
  (await loadAll(backend)).map((one) => one.key.slice(key('').length));

/** A store with two objects, at revision 2. */
async function fillWithTwo(receiver: Receiver): Promise<void> {
  await receiver.put([a, b], NONE);
  await receiver.log([creationOf(2, a, b)]);
  await receiver.finish(headOf(2));
}

export function receiverSuite(current: Current): void {
  const receive = <Result>(work: (receiver: Receiver) => Promise<Result>, options = {}): Promise<Result> =>
    using(current().receive({ ...OPTIONS, ...options }), work);
  const open = <Result>(work: (backend: Backend) => Promise<Result>): Promise<Result> => using(current().open(), work);

  describe('receiver', () => {
    it('makes a store of what it is given, which servers open and write to', async () => {
      const commits = [creationOf(2, b), creationOf(3, c)];
      await receive(async (receiver) => {
        await receiver.put([a, b, c], NONE);
        expect(await receiver.logged(1)).to.equal(1);
        await receiver.log(commits);
        await receiver.finish(headOf(3, { compacted: 1, counters: new Map([['teams', 7]]) }));
      });
      await open(async (backend) => {
        expect([await backend.end(), await backend.compacted()]).to.deep.equal([3, 1]);
        expect((await loadAll(backend)).map(plainStored)).to.deep.equal(
          [a, b, c].map(({ key, revision, value }) => ({ key, revision, value: text(value) })),
        );
        expect(Object.fromEntries(await backend.counters())).to.deep.equal({ teams: 7 });
        expect((await read(backend, 1, 3)).map(plainCommit)).to.deep.equal(commits.map(plainCommit));
        expect(await write(backend, [{ key: key('d'), value: 'd' }])).to.equal(4);
      });
    });

    it('tells what is there, and gives back what was written', async () => {
      await receive(async (receiver) => {
        expect([await namesOf(receiver.present()), await all(receiver.objects())]).to.deep.equal([[], []]);
        await receiver.put([b, a, c], NONE);
        const present = await all(receiver.present());
        expect(present).to.deep.equal([a, b, c].map(({ key, revision }) => ({ key, revision })));
        expect((await all(receiver.objects())).map(plainStored)).to.deep.equal([a, b, c].map(plainStored));
        expect(Buffer.from((await receiver.get(b.key)) ?? []).toString()).to.equal(text(b.value));
        expect(await receiver.get(key('none'))).to.equal(undefined);
      });
    });

    it('tells of many objects, in the order of the keys', async () => {
      const many = Array.from({ length: 1100 }, (_, i) => held(`n${10_000 + i}`, i + 1));
      await receive(async (receiver) => {
        await receiver.put(many, NONE);
        expect(await all(receiver.present())).to.deep.equal(many.map(({ key, revision }) => ({ key, revision })));
        expect(await all(receiver.objects())).to.have.length(many.length);
      });
    });

    it('replaces and removes objects', async () => {
      const newer = held('b', 4);
      await receive(async (receiver) => {
        await receiver.put([a, b, c], NONE);
        await receiver.put([newer], new Set([b.key]));
        await receiver.remove([a.key, key('none')]);
        await receiver.finish(headOf(5, { compacted: 5 }));
      });
      await open(async (backend) => {
        expect((await loadAll(backend)).map(({ revision }) => revision)).to.deep.equal([4, 3]);
      });
    });

    it('keeps the log after where it is compacted', async () => {
      await receive(async (receiver) => {
        expect(await receiver.logged(0)).to.equal(0);
        await receiver.log([creationOf(1, a), creationOf(3, b, c)]);
        expect([await receiver.logged(0), await receiver.logged(1)]).to.deep.equal([3, 3]);
        await receiver.log([creationOf(4, held('d', 4))]);
        expect([await receiver.logged(3), await receiver.logged(8)]).to.deep.equal([4, 8]);
        expect(await receiver.logged(0), 'nothing is left').to.equal(0);
      });
    });

    it('makes no store before it is finished', async () => {
      await receive((receiver) => receiver.put([a], NONE));
      expect(await failureOf(current().open())).to.include('is not complete');
      expect(await failureOf(current().snapshot())).to.include('is not complete');
    });

    it('continues with what another of the same origin has left, and with nothing of others', async () => {
      await receive(async (receiver) => {
        await receiver.put([a], NONE);
        await receiver.log([creationOf(1, a)]);
      });
      expect(await receive((receiver) => namesOf(receiver.present()))).to.deep.equal(['a']);
      expect(await receive((receiver) => receiver.logged(0))).to.equal(1);
      const other = { origin: 'two' };
      expect(await receive(async (one) => [await namesOf(one.present()), await one.logged(0)], other)).to.deep.equal([
        [],
        0,
      ]);
      await receive((receiver) => receiver.finish(headOf(0)), other);
      await open(async (backend) => expect(await backend.end()).to.equal(0));
    });

    it('continues with what it has finished, if nobody has written to it since', async () => {
      await receive(fillWithTwo);
      await open(async () => undefined);
      await receive(async (receiver) => {
        expect(await namesOf(receiver.present())).to.deep.equal(['a', 'b']);
        expect(await receiver.logged(0)).to.equal(2);
        await receiver.put([c], NONE);
        await receiver.log([creationOf(3, c)]);
        await receiver.finish(headOf(3));
      });
      await open(async (backend) => {
        expect((await read(backend, 0, 3)).map(({ end }) => end)).to.deep.equal([2, 3]);
      });
    });

    it('refuses a store that is of another origin, or was written to since, and leaves it as it is', async () => {
      await receive(fillWithTwo);
      expect(await failureOf(current().receive({ ...OPTIONS, origin: 'two' }))).to.match(/--force/);
      await open((backend) => write(backend, [{ key: key('own'), value: '3' }]));
      expect(await failureOf(current().receive(OPTIONS))).to.match(/--force/);
      await open(async (backend) => {
        expect(await namesIn(backend)).to.deep.equal(['a', 'b', 'own']);
        expect((await read(backend, 0, 3)).map(({ end }) => end)).to.deep.equal([2, 3]);
      });
    });

    it('refuses a store that a server has filled', async () => {
      await open((backend) => write(backend, [{ key: key('own'), value: '1' }]));
      expect(await failureOf(current().receive(OPTIONS))).to.match(/--force/);
      await open(async (backend) => expect(await namesIn(backend)).to.deep.equal(['own']));
    });

    it('replaces everything if it is told so, also what is of the same origin', async () => {
      await open((backend) => write(backend, [{ ...a, key: key('own') }], { teams: 9 }));
      for (let i = 0; i < 2; i++) {
        await receive(
          async (receiver) => {
            expect([await namesOf(receiver.present()), await receiver.logged(0)]).to.deep.equal([[], 0]);
            await fillWithTwo(receiver);
          },
          { replaces: true },
        );
        await open(async (backend) => {
          expect([await namesIn(backend), (await backend.counters()).size]).to.deep.equal([['a', 'b'], 0]);
          expect((await read(backend, 0, 2)).map(({ end }) => end)).to.deep.equal([2]);
        });
      }
    });
  });
}
