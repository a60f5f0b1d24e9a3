import { expect } from 'chai';
import { type Entry, MemoryEntry } from '../storage/entry.js';
import { keyOf, partsOf } from '../storage/key.js';
import { encodeTuple, rowKey } from '../storage/tuple.js';
import { LEAF } from './testing/house.js';
import { readKeys, readRanges, type UncachedRange } from './uncached-ranges.js';

type Options = { readonly revision: number; readonly first?: number };

/** A store whose ranges have these rows, by the first element of their prefix: names, and what follows the prefix. */
function storeOf(rows: Readonly<Record<string, readonly (readonly [string, number])[]>>, perChunk = 2) {
  const asked: { readonly range: object; readonly options: Options }[] = [];
  const open = new Set<string>();
  async function* chunks(_: string, range: { readonly from: string }, options: Options) {
    asked.push({ range, options });
    const [name = ''] = Object.keys(rows).filter((one) => range.from.startsWith(encodeTuple([one])));
    open.add(name);
    try {
      const all = (rows[name] ?? []).map(([object, size]) => {
        const key = keyOf(LEAF.qualified, 'hall', object);
        const entry = new MemoryEntry(key, 1, Buffer.from('{}'), { labels: undefined, fields: undefined });
        return { entry, rowKey: rowKey(encodeTuple([name, size]), key) };
      });
      for (let from = 0; from < all.length; from += perChunk) yield all.slice(from, from + perChunk);
    } finally {
      open.delete(name);
    }
  }
  const registry = { uncached: { chunks } };
  return { reader: { registry, kind: LEAF, revision: 7 } as unknown as Parameters<typeof readRanges>[0], asked, open };
}
const tree = (name: string, more: Partial<UncachedRange> = {}): UncachedRange => ({
  index: 'byTree',
  prefix: [name],
  ...more,
});
const names = async (entries: AsyncIterable<Entry>): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { key } of entries) found.push(partsOf(key).name);
  return found;
};

describe('ranges of objects that are not in memory', () => {
  const ROWS = {
    oak: [
      ['a', 1],
      ['b', 3],
      ['c', 5],
    ],
    pine: [
      ['d', 2],
      ['b', 3],
      ['e', 4],
    ],
    elm: [],
  } as const;

  it('are read from the revision, as far as the reader will probably need at first', async () => {
    const { reader, asked } = storeOf(ROWS);
    expect(await names(readRanges(reader, tree('oak', { first: 5 })))).to.deep.equal(['a', 'b', 'c']);
    expect(await names(readRanges(reader, [tree('oak', { first: 5 }), tree('pine')]))).to.have.length(5);
    expect(asked.map(({ options }) => options)).to.deep.equal([
      { revision: 7, first: 5 },
      { revision: 7, first: 5 },
      { revision: 7 },
    ]);
  });

  it('are merged by what follows their prefixes, and what is the same there occurs once', async () => {
    const { reader } = storeOf(ROWS);
    const both = await names(readRanges(reader, [tree('oak'), tree('pine'), tree('elm')]));
    expect(both).to.deep.equal(['a', 'd', 'b', 'e', 'c']);
  });

  it('have the bounds after their prefix', async () => {
    const { reader, asked } = storeOf(ROWS);
    await names(readRanges(reader, tree('oak', { from: [2], to: [5], reverse: true })));
    await names(readRanges(reader, tree('oak')));
    expect(asked[0]?.range).to.deep.include({
      index: 'byTree',
      from: encodeTuple(['oak', 2]),
      to: encodeTuple(['oak', 5]),
      reverse: true,
    });
    expect(asked[1]?.range).to.deep.include({ from: encodeTuple(['oak']), reverse: false });
  });

  it('are let go of when nobody reads on, however many there are', async () => {
    const { reader, open } = storeOf(ROWS);
    for (const ranges of [tree('oak'), [tree('oak'), tree('pine')]]) {
      for await (const _ of readRanges(reader, ranges)) {
        expect(open.size).to.be.greaterThan(0);
        break;
      }
      expect([...open]).to.deep.equal([]);
    }
    expect(await names(readRanges(reader, []))).to.deep.equal([]);
  });

  it('of keys are read as a whole', async () => {
    const { reader, asked } = storeOf({ '': [] });
    expect(await names(readKeys(reader, { low: 'a', high: 'b' }))).to.deep.equal([]);
    expect(asked).to.deep.equal([
      { range: { from: 'a', to: 'b', limit: Number.POSITIVE_INFINITY }, options: { revision: 7 } },
    ]);
  });
});
