import { expect } from 'chai';
import type { Steps } from './steps.js';
import { runStepsYielding, Yielder, yielding, yieldingAsync } from './yielding.js';

describe('work that yields', () => {
  it('is to yield after a millisecond, and again a millisecond after that', async () => {
    let now = 5;
    const yielder = new Yielder(() => now);
    now += 0.9;
    expect(yielder.isDue).to.equal(false);
    now += 0.1;
    expect(yielder.isDue).to.equal(true);
    await yielder.yield();
    expect(yielder.isDue).to.equal(false);
  });

  it('lets the event loop run others', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other'));
    await new Yielder().yield();
    order.push('work');
    expect(order).to.deep.equal(['other', 'work']);
  });
});

describe('work in steps', () => {
  function* work(steps: number, error?: Error): Steps<string> {
    for (let step = 1; step < steps; step++) yield;
    if (error !== undefined) throw error;
    return 'done';
  }

  it('is done at once if it is one step', () => {
    expect(runStepsYielding(work(1))).to.equal('done');
  });

  it('gives a promise if it is more', async () => {
    const result = runStepsYielding(work(3));
    expect(result).to.be.a('promise');
    expect(await result).to.equal('done');
  });

  it('fails as its steps fail', async () => {
    const failing = runStepsYielding(work(2, new Error('no disk')));
    expect(await Promise.resolve(failing).catch(String)).to.equal('Error: no disk');
  });
});

describe('items that come one by one', () => {
  async function* source(): AsyncGenerator<number, void, undefined> {
    yield* [1, 2, 3, 4];
  }

  it('are all items, and the event loop runs others after each millisecond of work on them', async () => {
    let now = 0;
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const seen: (readonly number[])[] = [];
    for await (const item of yieldingAsync(source(), () => now)) {
      seen.push([item, turns]);
      now += 0.5;
    }
    clearImmediate(next);
    expect(seen).to.deep.equal([
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 1],
    ]);
  });

  it('end at the source when the consumer ends', async () => {
    let isEnded = false;
    async function* open(): AsyncGenerator<number, void, undefined> {
      try {
        yield* [1, 2];
      } finally {
        isEnded = true;
      }
    }
    for await (const item of yieldingAsync(open())) if (item === 1) break;
    expect(isEnded).to.equal(true);
  });
});

describe('many items', () => {
  it('come one after another, and others get their turns', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const found: number[] = [];
    for await (const one of yielding([1, 2, 3])) {
      found.push(one);
      for (const end = Date.now() + 20; Date.now() < end; );
    }
    clearInterval(timer);
    expect(found).to.deep.equal([1, 2, 3]);
    expect(turns).to.be.greaterThan(0);
  });
});
