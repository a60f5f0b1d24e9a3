import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { StorageError } from '../../storage/errors.js';
import type { Registry } from '../kinds/registry.js';
import { nameOf } from '../read/reader.js';
import { inWorld } from '../testing/world.js';
import { type Collection, collectionAt, recallRevision, scan, steps } from './collection.js';

/** A collection of so many entries, whose keys are numbers, and how many entries were wanted at once. */
function collectionOf(count: number): Collection & { readonly wanted: number[] } {
  const digits = String(count).length;
  const keys = Array.from({ length: count }, (_, i) => ({ key: `r/${String(i).padStart(digits, '0')}` }));
  const wanted: number[] = [];
  const take: Collection['take'] = ({ low, high }, limit) => {
    wanted.push(limit);
    const found = keys.filter(({ key }) => key >= low && key < high).slice(0, limit);
    return found as unknown as ReturnType<Collection['take']>;
  };
  return { take, wanted } as unknown as Collection & { readonly wanted: number[] };
}
const ALL = { low: 'r/', high: 'r0' };

describe('a scan of a collection', () => {
  const visited = async (count: number, most: number): Promise<readonly string[]> => {
    const seen: string[] = [];
    await scan(collectionOf(count), { low: 'r/', high: 'r0', first: 1 }, ({ key }) => seen.push(key) < most);
    return seen;
  };

  it('visits each entry once, in steps that grow', async () => {
    expect(await visited(6, 10)).to.deep.equal(['r/0', 'r/1', 'r/2', 'r/3', 'r/4', 'r/5']);
    expect(await visited(0, 10)).to.deep.equal([]);
  });

  it('ends with the visit that asks for it, also at the end or in the middle of a step', async () => {
    for (const most of [1, 2, 3]) expect(await visited(6, most)).to.have.length(most);
  });

  it('begins with as many entries as are probably needed, and takes no more than a thousand at once', async () => {
    const small = collectionOf(6);
    await scan(small, { ...ALL, first: 1 }, () => true);
    expect(small.wanted).to.deep.equal([1, 2, 4]);
    const large = collectionOf(3000);
    await scan(large, { ...ALL, first: 400 }, () => true);
    expect(large.wanted).to.deep.equal([400, 800, 1000, 1000]);
    await scan(large, ALL, () => false);
    expect(large.wanted.at(-1)).to.equal(1000);
  });

  it('of many entries lets others have their turn', async () => {
    const turnsDuring = async (count: number): Promise<number> => {
      let [turns, isDone] = [0, false];
      const counting = (async () => {
        for (; !isDone; turns++) await turn();
      })();
      await scan(collectionOf(count), ALL, () => true);
      isDone = true;
      await counting;
      return turns;
    };
    expect(await turnsDuring(7000)).to.be.greaterThan(await turnsDuring(10));
  });
});

describe('the steps of a collection', () => {
  const lengths = async (count: number, first?: number): Promise<readonly number[]> => {
    const taken: number[] = [];
    for await (const entries of steps(collectionOf(count), { ...ALL, ...(first !== undefined && { first }) }))
      taken.push(entries.length);
    return taken;
  };

  it('end with the first that is not full', async () => {
    expect(await lengths(5, 2)).to.deep.equal([2, 2, 1]);
    expect(await lengths(4, 2)).to.deep.equal([2, 2, 0]);
    expect(await lengths(0)).to.deep.equal([0]);
    expect(await lengths(1001)).to.deep.equal([1000, 1]);
  });
});

describe('the objects of a kind at a revision', () => {
  it(
    'are read with other kinds at the newest one, whether or not the revision is in memory',
    inWorld(async ({ kinds, registry, put, change }) => {
      await put(kinds.book, 'a', { x: '1' });
      const { revision } = registry.reader;
      await change(kinds.book, 'a', { x: '2' });
      await put(kinds.shelf, 'top');
      const range = { low: `${kinds.book.qualified}/`, high: `${kinds.book.qualified}0` };
      const specOf = (collection: Collection) =>
        collection.reader().get(kinds.book.qualified, 'default', 'a')?.spec as object;
      const past = collectionAt(registry, kinds.book, revision);
      expect([past.revision, specOf(past), past.count(), past.count('none')]).to.deep.equal([
        revision,
        { x: '1' },
        1,
        0,
      ]);
      expect(past.reader().moment, 'verdicts about it are remembered').not.to.equal(undefined);
      expect(past.reader().get(kinds.shelf.qualified, 'default', 'top')?.metadata.name).to.equal('top');
      expect(specOf(collectionAt(registry, kinds.book))).to.deep.equal({ x: '2' });
      // What has left memory is made from the log.
      const page: Registry['cacher']['past']['page'] = (...all) => registry.cacher.past.page(...all);
      const at: Registry['cacher']['past']['at'] = (resource) => {
        throw new StorageError('compacted', resource);
      };
      const cacher = { past: { has: () => false, page, at }, state: registry.cacher.state };
      const forgetful = { ...registry, cacher };
      const stored = collectionAt(forgetful as unknown as Registry, kinds.book, revision);
      const [entry] = await stored.take(range, 10);
      expect([entry && nameOf(entry), entry?.revision, stored.count()]).to.deep.equal(['a', revision, undefined]);
      const reader = stored.reader();
      expect(reader.get(kinds.shelf.qualified, 'default', 'top')?.metadata.name).to.equal('top');
      expect([kinds.book, kinds.shelf].map(({ qualified }) => reader.isSearchable(qualified))).to.deep.equal([
        false,
        true,
      ]);
      expect(() => reader.size(kinds.book.qualified)).to.throw(StorageError, kinds.book.qualified);
      expect(() => stored.reader([kinds.shelf.qualified]).size(kinds.shelf.qualified)).to.throw(StorageError);
    }),
  );

  it(
    'are recalled from the log only if they are not in memory',
    inWorld(async ({ kinds, registry }) => {
      const recalled: number[] = [];
      const cacherThat = (has: boolean) =>
        ({
          past: { has: () => has, recall: async (revision: number) => recalled.push(revision) },
        }) as unknown as Registry['cacher'];
      await recallRevision({ ...registry, cacher: cacherThat(true) }, [kinds.book.qualified], 3);
      await recallRevision({ ...registry, cacher: cacherThat(false) }, [kinds.book.qualified], 4);
      expect(recalled).to.deep.equal([4]);
    }),
  );
});
