import { expect } from 'chai';
import { inPages, inTurns } from './pages.js';

describe('many objects', () => {
  it('come in pages of 200, each of them once', () => {
    const sizes = (count: number) => [...inPages(Array.from({ length: count }))].map(({ length }) => length);
    expect([0, 1, 200, 401].map(sizes)).to.deep.equal([[], [1], [200], [200, 200, 1]]);
    expect([...inPages([1, 2, 3])]).to.deep.equal([[1, 2, 3]]);
  });

  it('come one after another, and others get their turns', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const found: number[] = [];
    for await (const one of inTurns([1, 2, 3])) {
      found.push(one);
      for (const end = Date.now() + 20; Date.now() < end; );
    }
    clearInterval(timer);
    expect(found).to.deep.equal([1, 2, 3]);
    expect(turns).to.be.greaterThan(0);
  });
});
