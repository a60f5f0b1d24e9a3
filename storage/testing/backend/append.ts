import { expect } from 'chai';
import type { Put } from '../../backend.js';
import {
  batchOf,
  type Current,
  changesOf,
  expectCode,
  expectGapFree,
  json,
  key,
  loadAll,
  plainCommit,
  plainStored,
  read,
  text,
  type Wish,
  write,
} from './fixture.js';

export function appendSuite(current: Current): void {
  describe('append', () => {
    // Promise: contract 10
    it('numbers changes from 1 without gaps', async () => {
      const { backend } = current();
      expect(await backend.end()).to.equal(0);
      expect(await write(backend, [{ key: key('a'), value: '1' }])).to.equal(1);
      await write(backend, [
        { key: key('b'), value: '2' },
        { key: key('c'), value: '3' },
      ]);
      await write(backend, [{ key: key('a') }]);
      expect(await backend.end()).to.equal(4);
      expectGapFree(await read(backend, 0, 4), 0);
    });

    it('writes only if the log ends at the given revision, and otherwise throws behind and writes nothing', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1' }]);
      for (const after of [0, 2, 7]) {
        const changes = changesOf(after, [{ key: key('b'), value: 'no' }], new Map());
        await expectCode(backend.append(after, batchOf(changes, { teams: 9 })), 'behind');
      }
      expect(await backend.end()).to.equal(1);
      expect((await loadAll(backend)).map((stored) => stored.key)).to.deep.equal([key('a')]);
      expect([...(await backend.counters())]).to.deep.equal([]);
      expect(await read(backend, 0, 1)).to.have.length(1);
    });

    it('accepts exactly one of many appends at the same revision', async () => {
      const { backend } = current();
      const attempts = Array.from({ length: 8 }, (_, i) => {
        const changes = [i, i + 100].map((n): Wish => ({ key: key(`n${n}`), value: `${n}` }));
        return backend.append(0, batchOf(changesOf(0, changes, new Map())));
      });
      const outcomes = await Promise.allSettled(attempts);
      const winners = outcomes.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [i] : []));
      expect(winners).to.have.length(1);
      await Promise.all(attempts.filter((_, i) => i !== winners[0]).map((attempt) => expectCode(attempt, 'behind')));
      expect((await loadAll(backend)).map((stored) => stored.key)).to.deep.equal([
        key(`n${winners[0]}`),
        key(`n${Number(winners[0]) + 100}`),
      ]);
      expect(await backend.end()).to.equal(2);
    });

    it('applies the changes of a batch in order, even several of one key', async () => {
      const { backend } = current();
      const end = await write(backend, [
        { key: key('a'), value: '1' },
        { key: key('a'), value: '2' },
        { key: key('b'), value: '3' },
        { key: key('b') },
        { key: key('c'), value: '5' },
        { key: key('c') },
        { key: key('c'), value: '7' },
      ]);
      expect((await loadAll(backend)).map(plainStored)).to.deep.equal([
        { key: key('a'), revision: 2, value: '"2"' },
        { key: key('c'), revision: 7, value: '"7"' },
      ]);
      expectGapFree(await read(backend, 0, end), 0);
    });

    // Promise: contract 10
    it('reports each change with the value that it replaced', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: 'one' }]);
      await write(backend, [{ key: key('a'), value: 'two' }]);
      await write(backend, [{ key: key('a') }]);
      await write(backend, [{ key: key('a'), value: 'four' }]);
      const previous = (revision: number, value: string) => ({ key: key('a'), revision, value: `"${value}"` });
      const found = (await read(backend, 0, 4)).map(plainCommit);
      expect(found).to.deep.equal([
        { end: 1, counters: {}, changes: [{ key: key('a'), revision: 1, value: '"one"' }] },
        { end: 2, counters: {}, changes: [{ ...previous(2, 'two'), previous: previous(1, 'one') }] },
        { end: 3, counters: {}, changes: [{ key: key('a'), revision: 3, previous: previous(2, 'two') }] },
        { end: 4, counters: {}, changes: [{ key: key('a'), revision: 4, value: '"four"' }] },
      ]);
    });

    it('stores counters without a revision and reports them with their commit', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1' }], { teams: 1, 'users.iam.svc.app': 4 });
      await write(backend, [{ key: key('b'), value: '2' }]);
      await write(backend, [{ key: key('c'), value: '3' }], { teams: 2 });
      expect(Object.fromEntries(await backend.counters())).to.deep.equal({ teams: 2, 'users.iam.svc.app': 4 });
      const found = await read(backend, 0, 3);
      expect(found.map((commit) => Object.fromEntries(commit.counters))).to.deep.equal([
        { teams: 1, 'users.iam.svc.app': 4 },
        {},
        { teams: 2 },
      ]);
    });

    it('commits a batch of 1,000 changes as one commit', async () => {
      const { backend } = current();
      const wishes = Array.from({ length: 1000 }, (_, i): Wish => ({ key: key(`n${i}`), value: `value ${i}` }));
      await write(backend, wishes);
      const end = await write(backend, [
        ...wishes.map((wish) => ({ key: wish.key })),
        { key: key('last'), value: 'x' },
      ]);
      expect((await read(backend, 0, end)).map((commit) => commit.end)).to.deep.equal([1000, 2001]);
      expect((await loadAll(backend)).map((stored) => stored.key)).to.deep.equal([key('last')]);
    });

    it('commits a batch of more than 4 MiB as one commit, with its previous values', async () => {
      const { backend } = current();
      const wishes = (fill: string) =>
        Array.from({ length: 96 }, (_, i): Wish => ({ key: key(`n${i}`), value: fill.repeat(64 * 1024) }));
      await write(backend, wishes('a'));
      await write(backend, wishes('é'));
      const end = await write(
        backend,
        wishes('c').map(({ key }) => ({ key })),
      );
      const found = await read(backend, 0, end);
      expect(found.map((commit) => commit.end)).to.deep.equal([96, 192, 288]);
      expectGapFree(found, 0);
      for (const change of found[2]?.changes ?? []) {
        expect(change.value).to.equal(undefined);
        expect(text(change.previous?.value ?? json('')) === JSON.stringify('é'.repeat(64 * 1024))).to.equal(true);
      }
    });

    it('commits 6,000 changes, and 6,000 deletions, as one commit each', async () => {
      const { backend } = current();
      const keys = Array.from({ length: 6000 }, (_, i) => key(`n${i}`));
      await write(
        backend,
        keys.map((one) => ({ key: one, value: 'x' })),
      );
      expect(await loadAll(backend)).to.have.length(6000);
      await write(
        backend,
        keys.map((one) => ({ key: one })),
      );
      expect(await loadAll(backend)).to.have.length(0);
      expect((await read(backend, 0, 12_000)).map(({ end }) => end)).to.deep.equal([6000, 12_000]);
    }).timeout(60_000);

    it('accepts the deletion of an object that does not exist', async () => {
      const { backend } = current();
      const change: Put = { key: key('never'), revision: 1 };
      await backend.append(0, batchOf([change]));
      expect(await backend.end()).to.equal(1);
      expect((await backend.get([key('never')])).size).to.equal(0);
    });
  });
}
