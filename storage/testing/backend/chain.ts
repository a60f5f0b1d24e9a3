import { expect } from 'chai';
import type { Backend, Batch, Revision } from '../../backend.js';
import { batchOf, type Current, changesOf, expectCode, key, loadAll, read, write } from './fixture.js';

/** Batches that continue a commit, and what tells two logs apart. */
export function chainSuite(current: Current): void {
  describe('the chain of commits', () => {
    /** A batch on top of a revision and a commit. */
    const batchOn = (after: Revision, parent: string | undefined, names: readonly string[]): Batch => ({
      ...batchOf(
        changesOf(
          after,
          names.map((name) => ({ key: key(name), value: name })),
          new Map(),
        ),
      ),
      ...(parent !== undefined && { parent }),
    });
    /** Appends commits with one, two and three changes, each on top of the one before. Returns their ids. */
    async function threeCommits(backend: Backend): Promise<readonly string[]> {
      const ids: string[] = [];
      let after = 0;
      for (const names of [['a'], ['b', 'c'], ['d', 'e', 'f']]) {
        const batch = batchOn(after, ids.at(-1), names);
        await backend.append(after, batch);
        after += names.length;
        ids.push(batch.commitId);
      }
      return ids;
    }

    it('is known by the ids of the commits, each at the revision of its last change, also when the log is opened again', async () => {
      const { backend, reopen } = current();
      const [one, two, three] = await threeCommits(backend);
      expect((await read(backend, 0, 6)).map(({ id }) => id)).to.deep.equal([one, two, three]);
      const expected = [one, undefined, two, undefined, undefined, three, undefined];
      const known = (of: Backend) => Promise.all([1, 2, 3, 4, 5, 6, 7].map((at) => of.commitAt(at)));
      expect(await known(backend)).to.deep.equal(expected);
      expect(await known(await reopen())).to.deep.equal(expected);
    });

    it('is continued by a batch that names its last commit, and by one that names none', async () => {
      const { backend, reopen } = current();
      const ids = await threeCommits(backend);
      const again = await reopen();
      const next = batchOn(6, ids[2], ['g']);
      await again.append(6, next);
      await again.append(7, batchOn(7, undefined, ['h']));
      expect(await again.commitAt(7)).to.equal(next.commitId);
    });

    it('is not continued by a batch that names another commit, or is on top of a later revision: diverged, and nothing is written', async () => {
      const { backend } = current();
      const [one, two, three] = await threeCommits(backend);
      for (const [after, parent] of [
        [6, 'other'],
        [6, one],
        [6, two],
        [9, three],
        [9, 'other'],
      ] as const)
        await expectCode(
          backend.append(after, { ...batchOn(after, parent, ['x']), counters: new Map([['x', 9]]) }),
          'diverged',
        );
      expect(await backend.end()).to.equal(6);
      expect((await loadAll(backend)).length).to.equal(6);
      expect([...(await backend.counters())]).to.deep.equal([]);
      expect(await backend.commitAt(6)).to.equal(three);
      await backend.append(6, batchOn(6, three, ['y']));
    });

    it('is behind a batch on top of an earlier revision, whatever it names', async () => {
      const { backend } = current();
      const [one] = await threeCommits(backend);
      await expectCode(backend.append(1, batchOn(1, one, ['x'])), 'behind');
      expect(await backend.end()).to.equal(6);
    });

    it('is not changed by a commit without changes', async () => {
      const { backend } = current();
      const ids = await threeCommits(backend);
      await backend.append(6, { ...batchOn(6, ids[2], []), counters: new Map([['x', 9]]) });
      expect(await backend.commitAt(6)).to.equal(ids[2]);
      await backend.append(6, batchOn(6, ids[2], ['y']));
      expect((await backend.counters()).get('x')).to.equal(9);
    });

    it('is compared by a tail with the commit that it begins after', async () => {
      const { backend } = current();
      const [one, two, three] = await threeCommits(backend);
      const first = async (after: Revision, id: string) => {
        for await (const commit of backend.tail(after, new AbortController().signal, undefined, id)) return commit.id;
        return undefined;
      };
      expect(await first(1, one ?? '')).to.equal(two);
      expect(await first(3, two ?? '')).to.equal(three);
      await expectCode(first(3, one ?? ''), 'diverged');
      await expectCode(first(3, 'other'), 'diverged');
    });

    it('is known after a compaction at the end, and not before the point', async () => {
      const { backend } = current();
      const ids = await threeCommits(backend);
      await backend.compact(6);
      expect([await backend.commitAt(1), await backend.commitAt(6)]).to.deep.equal([undefined, ids[2]]);
      await backend.append(6, batchOn(6, ids[2], ['y']));
      expect(await write(backend, [{ key: key('z'), value: 'z' }])).to.equal(8);
    });
  });
}
