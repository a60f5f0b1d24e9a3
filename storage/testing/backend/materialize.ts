import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Backend } from '../../backend.js';
import { type Current, key, loadAll, plainStored, read, type Wish, write } from './fixture.js';

/** A store whose commits write the log alone gives the same answers whether its objects have followed or not. */
export function materializeSuite(current: Current): void {
  describe('materialize', () => {
    const found = async (backend: Backend, name: string): Promise<unknown> => {
      const stored = (await backend.get([key(name)])).get(key(name));
      return stored && plainStored(stored);
    };
    const answers = async (backend: Backend): Promise<unknown> => ({
      objects: (await loadAll(backend)).map(plainStored),
      others: (await loadAll(backend, 'teams.x')).map(plainStored),
      found: await Promise.all(['a', 'b', 'c', 'd'].map((name) => found(backend, name))),
      counters: Object.fromEntries([...(await backend.counters())].sort()),
    });
    const story: readonly (readonly Wish[])[] = [
      [{ key: key('b'), value: '1' }],
      [
        { key: key('a'), value: '1' },
        { key: key('c'), value: '1' },
        { key: key('t', 'teams.x'), value: '1' },
      ],
      [{ key: key('b'), value: '2' }, { key: key('c') }],
      [{ key: key('d'), value: '1' }, { key: key('d'), value: '2' }, { key: key('b') }],
      [
        { key: key('c'), value: '3' },
        { key: key('d'), value: '3' },
      ],
    ];

    it('changes no answer, after any commit, any number of times, and after a restart', async () => {
      const { backend, reopen } = current();
      for (const [i, wishes] of story.entries()) {
        const end = await write(backend, wishes, { teams: i + 1 });
        const before = await answers(backend);
        if (i % 2 === 0) expect(await backend.materialize?.()).to.be.oneOf([end, undefined]);
        await backend.materialize?.();
        expect(await answers(backend)).to.deep.equal(before);
      }
      const last = await answers(backend);
      expect(await answers(await reopen())).to.deep.equal(last);
    });

    it('may run beside appends, loads and itself', async () => {
      const { backend } = current();
      let isOver = false;
      const materializing = [0, 1].map(async () => {
        while (!isOver) {
          await setImmediate();
          await backend.materialize?.();
          for (const { revision } of await loadAll(backend)) expect(revision).to.be.at.most(await backend.end());
        }
      });
      const expected = new Map<string, string>();
      for (let i = 0; i < 40; i++) {
        const [name, gone] = [`n${i % 7}`, `n${(i + 3) % 7}`];
        await write(backend, [{ key: key(name), value: `${i}` }, { key: key(gone) }]);
        expected.set(key(name), `"${i}"`).delete(key(gone));
      }
      isOver = true;
      await Promise.all(materializing);
      const found = (await loadAll(backend)).map((stored) => [stored.key, Buffer.from(stored.value).toString()]);
      expect(found).to.deep.equal([...expected].sort());
    });

    it('comes before a compaction, so nothing is lost with the log', async () => {
      const { backend, reopen } = current();
      for (const wishes of story) await write(backend, wishes);
      const before = await answers(backend);
      const end = await backend.end();
      await backend.compact(end - 1);
      expect(await answers(backend)).to.deep.equal(before);
      const again = await reopen();
      expect(await answers(again)).to.deep.equal(before);
      expect((await read(again, end - 1, end)).map((commit) => commit.end)).to.deep.equal([end]);
    });
  });
}
