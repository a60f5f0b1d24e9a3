import { expect } from 'chai';
import { ResetLimit } from './reset-limit.js';

describe('ResetLimit', () => {
  const taken = (limit: ResetLimit): number => {
    let count = 0;
    while (limit.allows()) count++;
    return count;
  };

  it('allows a thousand at once, and some more each second', () => {
    let now = 0;
    const limit = new ResetLimit(() => now);
    expect(taken(limit)).to.equal(1000);
    now += 2000;
    expect(taken(limit)).to.be.within(64, 66);
    now += 3_600_000;
    expect(taken(limit)).to.equal(1000);
  });
});
