import { expect } from 'chai';
import { Gathered } from './gathered.js';

describe('what is asked for together', () => {
  it('is asked for once in each step of the event loop, and answered in order', async () => {
    const asked: (readonly number[])[] = [];
    const doubled = new Gathered<number, number>(async (asks) => {
      asked.push(asks);
      return asks.map((n) => 2 * n);
    });
    const later = async (n: number): Promise<number> => {
      await undefined;
      return doubled.ask(n);
    };
    await undefined;
    expect(await Promise.all([doubled.ask(1), later(2), doubled.ask(3)])).to.deep.equal([2, 4, 6]);
    expect(await doubled.ask(4)).to.equal(8);
    expect(asked).to.deep.equal([[1, 3, 2], [4]]);
  });

  it('is not more than 32 at once', async () => {
    const asked: number[] = [];
    const same = new Gathered<number, number>(async (asks) => {
      asked.push(asks.length);
      return asks;
    });
    const numbers = Array.from({ length: 70 }, (_, i) => i);
    expect(await Promise.all(numbers.map((n) => same.ask(n)))).to.deep.equal(numbers);
    expect(asked).to.deep.equal([32, 32, 6]);
    await Promise.all(numbers.slice(0, 32).map((n) => same.ask(n)));
    expect(asked).to.deep.equal([32, 32, 6, 32]);
  });

  it('fails together', async () => {
    const failure = new Error('lost');
    const failing = new Gathered<number, number>(() => Promise.reject(failure));
    const failed = await Promise.allSettled([failing.ask(1), failing.ask(2)]);
    expect(failed).to.deep.equal([1, 2].map(() => ({ status: 'rejected', reason: failure })));
  });
});
