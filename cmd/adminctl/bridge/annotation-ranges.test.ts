import { expect } from 'chai';
import { allRanges } from './annotation-ranges.js';

interface Item {
  readonly time: number;
  readonly timeEnd: number;
}

const START = 1_700_000_000_000;

/** A server that gives the newest of what a range has, and never more than `cap`. */
async function readAll(items: readonly Item[], limit: number, cap = Number.POSITIVE_INFINITY) {
  let requests = 0;
  const tooMany: number[] = [];
  const read = (from: number, to: number, most: number): Promise<readonly Item[]> => {
    if (++requests > 2000) throw new Error('it does not end');
    const found = items.filter(({ time, timeEnd }) => time <= to && timeEnd >= from);
    return Promise.resolve(found.toSorted((a, b) => b.time - a.time).slice(0, Math.min(most, cap)));
  };
  const found: Item[] = [];
  for await (const page of allRanges({ read, limit, tooMany: (from) => tooMany.push(from) })) found.push(...page);
  return { found, requests, tooMany };
}

const many = (count: number, apart: number, length: number): readonly Item[] =>
  Array.from({ length: count }, (_, i) => ({ time: START + i * apart, timeEnd: START + i * apart + length }));

describe('the reading of annotations by ranges', () => {
  it('finds each once, also if more of them overlap than one answer has at first', async () => {
    const items = many(90, 7, 100_000_000);
    const { found, requests, tooMany } = await readAll(items, 20);
    expect(found.map(({ time }) => time).sort()).to.deep.equal(items.map(({ time }) => time));
    expect(tooMany).to.deep.equal([]);
    expect(requests).to.be.lessThan(200);
  });

  it('finds what is announced for a later century', async () => {
    const time = Date.parse('2999-01-01T00:00:00Z');
    expect((await readAll([{ time, timeEnd: time }], 20)).found).to.have.length(1);
  });

  it('finds all of one moment', async () => {
    const { found, tooMany } = await readAll(many(90, 0, 0), 20);
    expect([found.length, tooMany]).to.deep.equal([90, []]);
  });

  it('ends, and says so, if the server gives no more', async () => {
    const { found, tooMany } = await readAll(many(90, 7, 100_000_000), 20, 20);
    expect(found.length).to.be.greaterThan(20);
    expect(new Set(found).size).to.equal(found.length);
    expect(tooMany).to.not.deep.equal([]);
  });
});
