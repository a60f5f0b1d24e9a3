import { expect } from 'chai';
import { inPages, selectedPages } from './pages.js';

describe('many objects', () => {
  it('come in pages of 200, each of them once', () => {
    const sizes = (count: number) => [...inPages(Array.from({ length: count }))].map(({ length }) => length);
    expect([0, 1, 200, 401].map(sizes)).to.deep.equal([[], [1], [200], [200, 200, 1]]);
    expect([...inPages([1, 2, 3])]).to.deep.equal([[1, 2, 3]]);
  });
});

describe('pages of selected items', () => {
  it('have these items in order, and the last one has the rest', async () => {
    const pages: (readonly number[])[] = [];
    for await (const page of selectedPages([1, 2, 3, 4, 5, 6, 7], (one) => one % 2 === 1, 3)) pages.push(page);
    expect(pages).to.deep.equal([[1, 3, 5], [7]]);
  });

  it('let others have their turns also where nothing is selected', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const slow = function* (): Generator<number> {
      for (let i = 0; i < 5; i++) {
        const until = performance.now() + 2;
        while (performance.now() < until);
        yield i;
      }
    };
    for await (const page of selectedPages(slow(), () => false)) expect(page).to.equal('nothing');
    isDone = true;
    expect(turns).to.be.greaterThan(3);
  });
});
