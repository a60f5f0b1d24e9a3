import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import {
  batchOf,
  type Current,
  changesOf,
  expectCode,
  expectGapFree,
  key,
  loadAll,
  plainCommit,
  plainStored,
  read,
  write,
} from './fixture.js';

async function picture(backend: Backend): Promise<unknown> {
  const end = await backend.end();
  return {
    end,
    objects: (await loadAll(backend)).map(plainStored),
    commits: (await read(backend, 0, end)).map(plainCommit),
    counters: Object.fromEntries(await backend.counters()),
  };
}

export function lifeSuite(current: Current): void {
  describe('restart', () => {
    it('keeps everything and continues with the next revision', async () => {
      const opened = current();
      for (let i = 0; i < 12; i++) {
        const name = `n${i % 5}`;
        await write(
          opened.backend,
          [
            { key: key(name), value: `${i}` },
            { key: key('brief'), value: `${i}` },
          ],
          { teams: i },
        );
        await write(opened.backend, [{ key: key('brief') }]);
      }
      const before = await picture(opened.backend);
      const backend = await opened.reopen();
      expect(await picture(backend)).to.deep.equal(before);
      expect(await write(backend, [{ key: key('n1'), value: 'again' }])).to.equal(37);
      expectGapFree(await read(backend, 30, 37), 30);
    });

    it('lets a reader resume at its position', async () => {
      const opened = current();
      for (let i = 1; i <= 10; i++) await write(opened.backend, [{ key: key('a'), value: `${i}` }]);
      const first = await read(opened.backend, 0, 6);
      const backend = await opened.reopen();
      await write(backend, [{ key: key('a'), value: '11' }]);
      expectGapFree([...first, ...(await read(backend, 6, 11))], 0);
    });
  });

  describe('close', () => {
    it('ends every tail, even those that wait', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1' }]);
      const found: readonly number[][] = [[], [], []];
      const waiting = [0, 1, 1].map(async (after, i) => {
        for await (const commit of backend.tail(after, new AbortController().signal)) found[i]?.push(commit.end);
      });
      while (found[0]?.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await backend.close();
      await Promise.all(waiting);
      expect(found).to.deep.equal([[1], [], []]);
    });

    it('lets a running append finish and refuses later calls', async () => {
      const opened = current();
      const changes = changesOf(0, [{ key: key('a'), value: '1' }], new Map());
      const appending = opened.backend.append(0, batchOf(changes));
      const closing = opened.backend.close();
      await Promise.all([appending, closing, opened.backend.close()]);
      await opened.backend.close();
      await expectCode(opened.backend.end(), 'closed');
      await expectCode(opened.backend.append(1, batchOf([])), 'closed');
      await expectCode(opened.backend.get([key('a')]), 'closed');
      await expectCode(loadAll(opened.backend), 'closed');
      await expectCode(opened.backend.compact(1), 'closed');
      const backend = await opened.reopen();
      expect((await loadAll(backend)).map((stored) => stored.key)).to.deep.equal([key('a')]);
    });
  });
}
