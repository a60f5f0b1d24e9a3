import { expect } from 'chai';
import { inStretches, type PausingWork, Stretches, withRests } from './stretch.js';

describe('a stretch of work', () => {
  it('is over after a millisecond, and another one begins after a rest', async () => {
    let now = 5;
    const stretches = new Stretches(() => now);
    now += 0.9;
    expect(stretches.isOver).to.equal(false);
    now += 0.1;
    expect(stretches.isOver).to.equal(true);
    await stretches.rest();
    expect(stretches.isOver).to.equal(false);
  });

  it('lets the event loop take a turn in a rest', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other'));
    await new Stretches().rest();
    order.push('work');
    expect(order).to.deep.equal(['other', 'work']);
  });
});

describe('work in steps', () => {
  function* work(steps: number, waiting?: Promise<void>): PausingWork<string> {
    for (let step = 1; step < steps; step++) yield waiting;
    return 'done';
  }

  it('is done at once if it is one step', () => {
    expect(inStretches(work(1))).to.equal('done');
  });

  it('waits for what a step needs, and gives a promise then', async () => {
    let isReady = false;
    const ready = Promise.resolve().then(() => {
      isReady = true;
    });
    const result = inStretches(work(3, ready));
    expect([result instanceof Promise, isReady]).to.deep.equal([true, false]);
    expect([await result, isReady]).to.deep.equal(['done', true]);
  });

  it('fails as its steps fail', async () => {
    const failing = inStretches(work(2, Promise.reject(new Error('no disk'))));
    expect(await Promise.resolve(failing).catch(String)).to.equal('Error: no disk');
  });
});

describe('items with rests between them', () => {
  async function* source(): AsyncGenerator<number, void, undefined> {
    yield* [1, 2, 3, 4];
  }

  it('are all items, and the event loop takes a turn after each millisecond of work on them', async () => {
    let now = 0;
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    const seen: (readonly number[])[] = [];
    for await (const item of withRests(source(), () => now)) {
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
    for await (const item of withRests(open())) if (item === 1) break;
    expect(isEnded).to.equal(true);
  });
});
