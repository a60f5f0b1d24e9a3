import { expect } from 'chai';
import { type Collection, scan } from './collection.js';

/** A collection of so many entries, whose keys are numbers. */
function collectionOf(count: number): Collection {
  const keys = Array.from({ length: count }, (_, i) => ({ key: `r/${i}` }));
  const take: Collection['take'] = ({ low, high }, limit) =>
    keys.filter(({ key }) => key >= low && key < high).slice(0, limit) as unknown as ReturnType<Collection['take']>;
  return { take } as Collection;
}

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
});
