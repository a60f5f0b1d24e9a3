import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { ProcessTurns } from './turns.js';

describe('ProcessTurns', () => {
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

  async function taken(...processes: readonly object[]) {
    const floor = new ProcessTurns();
    const order: object[] = [];
    for (const process of processes) void floor.take(process).then(() => order.push(process));
    await turn();
    return { floor, order };
  }

  it('gives turns in the order of the requests', async () => {
    const { floor, order } = await taken(a, b, c);
    expect(order).to.deep.equal([a]);
    floor.release(b);
    await turn();
    expect(order, 'b has nothing to release').to.deep.equal([a]);
    floor.release(a);
    floor.release(b);
    await turn();
    expect(order).to.deep.equal([a, b, c]);
  });

  it('takes the turn from a process that is gone or does nothing', async () => {
    const { floor, order } = await taken(a, b, c);
    floor.leave(b);
    floor.leave(a);
    await turn();
    expect(order, 'b waits no longer').to.have.ordered.members([a, c]);
    await floor.take(a);
  });

  it('gives a process that asks again another turn at once, or behind those who wait', async () => {
    const { floor, order } = await taken(a, a);
    expect(order).to.deep.equal([a, a]);
    void floor.take(b).then(() => order.push(b));
    void floor.take(a).then(() => order.push(a));
    await turn();
    expect(order).to.deep.equal([a, a, b]);
    floor.release(b);
    await turn();
    expect(order).to.deep.equal([a, a, b, a]);
  });

  it('forgets within 200 milliseconds who wanted to append', () => {
    const { now } = performance;
    const floor = new ProcessTurns();
    const at = <Result>(time: number, work: () => Result): Result => {
      performance.now = () => time;
      try {
        return work();
      } finally {
        performance.now = now;
      }
    };
    at(1000, () => floor.sees(b));
    expect([1000, 1199, 1200].map((time) => at(time, () => floor.isAlone(a)))).to.deep.equal([false, false, true]);
  });

  it('knows who appends alone', async () => {
    const { floor } = await taken(a);
    expect(floor.isAlone(a)).to.equal(true);
    floor.sees(b);
    expect([floor.isAlone(a), floor.isAlone(b)]).to.deep.equal([false, false]);
    floor.leave(a);
    expect(floor.isAlone(b)).to.equal(true);
  });
});
