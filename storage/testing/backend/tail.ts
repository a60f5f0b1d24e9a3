import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import type { Commit } from '../../backend.js';
import { type Current, expectGapFree, key, plainChange, plainCommit, read, type Wish, write } from './fixture.js';

const COMMITS = 20;

export function tailSuite(current: Current): void {
  describe('tail', () => {
    it('reports every commit from the beginning, one for each append', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1' }]);
      await write(backend, [{ key: key('b'), value: '2' }, { key: key('c'), value: '3' }, { key: key('a') }]);
      await write(backend, [{ key: key('d'), value: '5' }]);
      const found = await read(backend, 0, 5);
      expect(found.map((commit) => commit.end)).to.deep.equal([1, 4, 5]);
      expect(found.map((commit) => commit.changes.length)).to.deep.equal([1, 3, 1]);
      expectGapFree(found, 0);
    });

    it('starts after the given revision, even inside a commit', async () => {
      const { backend } = current();
      for (let i = 0; i < 3; i++) {
        await write(backend, [{ key: key('a'), value: `${i}` }, { key: key('b'), value: `${i}` }, { key: key('b') }]);
      }
      const all = await read(backend, 0, 9);
      for (let after = 0; after < 9; after++) {
        const found = await read(backend, after, 9);
        expectGapFree(found, after);
        const wanted = all.flatMap((commit) => commit.changes).filter((change) => change.revision > after);
        expect(found.flatMap((commit) => commit.changes).map(plainChange)).to.deep.equal(wanted.map(plainChange));
        expect(found.map((commit) => commit.end)).to.deep.equal([3, 6, 9].filter((end) => end > after));
      }
    });

    it('lets the event loop take its turns between commits, also if the consumer waits for nothing', async () => {
      const { backend } = current();
      for (let i = 0; i < COMMITS; i++) await write(backend, [{ key: key('a'), value: `${i}` }]);
      let turns = 0;
      let next = setImmediate(function count() {
        turns++;
        next = setImmediate(count);
      });
      const seen: number[] = [];
      for await (const { end } of backend.tail(0, new AbortController().signal)) {
        seen.push(turns);
        for (const began = performance.now(); performance.now() - began < 2; );
        if (end === COMMITS) break;
      }
      clearImmediate(next);
      // The first commit may have come later than those that are read with it.
      expect((seen.at(-1) ?? 0) - (seen[0] ?? 0)).to.be.least(COMMITS - 1);
    });

    it('waits at the end and wakes for each later commit', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '0' }]);
      const tail = backend.tail(1, new AbortController().signal)[Symbol.asyncIterator]();
      for (let i = 1; i <= 10; i++) {
        const next = tail.next();
        await new Promise(setImmediate);
        await write(backend, [{ key: key('a'), value: `${i}` }]);
        expect((await next).value).to.include({ end: i + 1 });
      }
      await tail.return?.();
    });

    it('ends when its signal aborts: while waiting, before the start, and with commits unread', async () => {
      const { backend } = current();
      for (let i = 0; i < 3; i++) await write(backend, [{ key: key('a'), value: `${i}` }]);
      const abort = new AbortController();
      const waiting = backend.tail(3, abort.signal)[Symbol.asyncIterator]();
      const next = waiting.next();
      const unread = backend.tail(0, abort.signal)[Symbol.asyncIterator]();
      expect((await unread.next()).done).to.equal(false);
      abort.abort();
      expect((await next).done).to.equal(true);
      expect((await unread.next()).done).to.equal(true);
      const late = backend.tail(0, abort.signal)[Symbol.asyncIterator]();
      expect((await late.next()).done).to.equal(true);
    });

    it('has no gaps and is the same for several readers that start anywhere during writes', async () => {
      const { backend } = current();
      const last = 400;
      const readers: Promise<{ readonly after: number; readonly found: readonly Commit[] }>[] = [];
      const follow = async (after: number) => ({ after, found: await read(backend, after, last) });
      readers.push(follow(0), follow(0));
      let end = 0;
      while (end < last) {
        const size = Math.min(1 + (end % 7), last - end);
        const wishes = Array.from(
          { length: size },
          (_, i): Wish => ({ key: key(`n${(end + i) % 50}`), value: `${end}` }),
        );
        end = await write(backend, wishes);
        if (end % 5 === 0) readers.push(follow(end - size), follow(Math.max(0, end - 30)));
      }
      const results = await Promise.all(readers);
      const all = (results[0]?.found ?? []).flatMap((commit) => commit.changes).map(plainChange);
      expect(all).to.have.length(last);
      for (const { after, found } of results) {
        expectGapFree(found, after);
        expect(found.flatMap((commit) => commit.changes).map(plainChange)).to.deep.equal(all.slice(after));
      }
      expect(results[1]?.found.map(plainCommit)).to.deep.equal(results[0]?.found.map(plainCommit));
    });

    it('leaves nothing behind in a signal that outlives it', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1' }]);
      const { signal } = new AbortController();
      for (let i = 0; i < 3; i++) for await (const _ of backend.tail(0, signal)) break;
      // What AbortSignal.any has left there. Node 20 never removes it.
      const internals = signal as unknown as Readonly<Record<symbol, { readonly size: number }>>;
      const dependants = Object.getOwnPropertySymbols(signal).filter((one) => one.description === 'kDependantSignals');
      expect(dependants.map((one) => internals[one]?.size ?? 0)).to.deep.equal(dependants.map(() => 0));
      expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    });

    it('lets a reader leave in the middle', async () => {
      const { backend } = current();
      for (let i = 0; i < 20; i++) await write(backend, [{ key: key('a'), value: `${i}` }]);
      for (let i = 0; i < 50; i++) {
        for await (const commit of backend.tail(3, new AbortController().signal)) {
          if (commit.end === 5) break;
        }
      }
      expect(await read(backend, 0, 20)).to.have.length(20);
    });
  });
}
