import { expect } from 'chai';
import { Stretches } from './stretch.js';

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
