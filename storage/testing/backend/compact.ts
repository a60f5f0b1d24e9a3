import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend, Commit } from '../../backend.js';
import {
  type Current,
  expectCode,
  expectGapFree,
  key,
  loadAll,
  plainCommit,
  plainStored,
  read,
  write,
} from './fixture.js';

async function fill(backend: Backend, commits: number, size = 10): Promise<number> {
  let end = await backend.end();
  for (let i = 0; i < commits; i++) end = await write(backend, [{ key: key(`n${i % 5}`), value: `${i}`.padEnd(size) }]);
  return end;
}

export function compactSuite(current: Current): void {
  describe('compact', () => {
    it('removes changes, but not objects', async () => {
      const { backend } = current();
      await fill(backend, 20);
      const before = { objects: await loadAll(backend), rest: await read(backend, 12, 20) };
      expect(await backend.compacted()).to.equal(0);
      await backend.compact(12);
      expect(await backend.compacted()).to.equal(12);
      expect(await backend.end()).to.equal(20);
      expect((await loadAll(backend)).map(plainStored)).to.deep.equal(before.objects.map(plainStored));
      expect((await read(backend, 12, 20)).map(plainCommit)).to.deep.equal(before.rest.map(plainCommit));
    });

    it('refuses a reader that asks for removed changes', async () => {
      const { backend } = current();
      await fill(backend, 20);
      await backend.compact(12);
      for (const after of [0, 5, 11]) await expectCode(read(backend, after, 20), 'compacted');
      expectGapFree(await read(backend, 13, 20), 13);
    });

    it('only moves forward, is idempotent, and stops at the end of the log', async () => {
      const { backend } = current();
      await fill(backend, 10);
      for (const [through, point] of [
        [6, 6],
        [6, 6],
        [3, 6],
        [0, 6],
        [1000, 10],
        [1000, 10],
      ] as const) {
        await backend.compact(through);
        expect(await backend.compacted()).to.equal(point);
      }
      expect(await fill(backend, 5)).to.equal(15);
      expect(await backend.compacted()).to.equal(10);
      expectGapFree(await read(backend, 10, 15), 10);
    });

    it('makes the log smaller, by about the bytes that it removes', async () => {
      const { backend } = current();
      const empty = await backend.logBytes();
      await fill(backend, 40, 64 * 1024);
      const full = await backend.logBytes();
      expect(full - empty).to.be.within(40 * 64 * 1024, 3 * 40 * 64 * 1024);
      await backend.compact(30);
      expect((await backend.logBytes()) - empty).to.be.lessThan((full - empty) / 2);
    });

    it('leaves room that the store can use again, if it knows its disk', async () => {
      const { backend } = current();
      const before = await backend.space?.();
      if (before === undefined) return;
      expect(before.free).to.be.greaterThan(0);
      expect(before.total).to.be.greaterThan(before.free);
      await fill(backend, 40, 64 * 1024);
      await backend.compact(40);
      expect((await backend.space?.())?.reusable ?? 0).to.be.at.least(before.reusable);
    });

    it('keeps the rest of a commit that it divides', async () => {
      const { backend } = current();
      await write(backend, [
        { key: key('a'), value: '1' },
        { key: key('b'), value: '2' },
        { key: key('c'), value: '3' },
      ]);
      await backend.compact(2);
      const found = await read(backend, 2, 3);
      expectGapFree(found, 2);
      expect(found.flatMap((commit) => commit.changes.map((change) => change.key))).to.deep.equal([key('c')]);
    });

    // Promise: contract 10
    it('ends a slow reader that it overtakes, without a gap before', async () => {
      const { backend } = current();
      await fill(backend, 3);
      const found: Commit[] = [];
      const reading = async (): Promise<void> => {
        for await (const commit of backend.tail(0, new AbortController().signal)) {
          found.push(commit);
          if (found.length > 1) continue;
          await backend.compact(await fill(backend, 200, 64 * 1024));
          await fill(backend, 1);
        }
      };
      await expectCode(reading(), 'compacted');
      expectGapFree(found, 0);
      expect(found.length).to.be.lessThan(203);
    });

    it('runs beside writers and readers that keep up', async () => {
      const { backend } = current();
      const last = 300;
      const found: Commit[] = [];
      const following = (async () => {
        for await (const commit of backend.tail(0, new AbortController().signal)) {
          found.push(commit);
          if (commit.end >= last) break;
        }
      })();
      const compacting = (async () => {
        // A reader that is not behind what is removed keeps up, however fast the writer is.
        while ((await backend.compacted()) < last - 100) {
          await backend.compact(Math.min((await backend.end()) - 100, found.at(-1)?.end ?? 0));
          await setImmediate();
        }
      })();
      await fill(backend, last);
      await Promise.all([compacting, following]);
      expectGapFree(found, 0);
      expectGapFree(await read(backend, last - 50, last), last - 50);
    });

    it('survives a restart', async () => {
      const opened = current();
      await fill(opened.backend, 10);
      await opened.backend.compact(4);
      const backend = await opened.reopen();
      expect(await backend.compacted()).to.equal(4);
      await expectCode(read(backend, 3, 10), 'compacted');
      expectGapFree(await read(backend, 4, 10), 4);
    });
  });

  describe('revisionBefore', () => {
    it('finds the last commit before a moment, or 0 if the log is younger', async () => {
      const { backend } = current();
      expect(await backend.revisionBefore(0)).to.equal(0);
      await write(backend, [
        { key: key('a'), value: '1' },
        { key: key('b'), value: '2' },
      ]);
      expect(await backend.revisionBefore(3_600_000)).to.equal(0);
      while ((await backend.revisionBefore(20)) !== 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await write(backend, [
        { key: key('a'), value: '3' },
        { key: key('b'), value: '4' },
      ]);
      expect(await backend.revisionBefore(3_600_000)).to.equal(0);
      while ((await backend.revisionBefore(0)) !== 4) await new Promise((resolve) => setTimeout(resolve, 5));
    });
  });
}
