import { expect } from 'chai';
import { Backoff } from './backoff.js';

describe('Backoff', () => {
  let now = 1_000_000;
  const make = () => new Backoff({ free: 2, longest: 10_000, forgiveEvery: 60_000 }, () => now);

  it('makes a key wait twice as long after each further failure, up to the longest wait', () => {
    const backoff = make();
    const waits = Array.from({ length: 8 }, () => {
      backoff.fail('a');
      return backoff.wait('a');
    });
    expect(waits).to.deep.equal([0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(backoff.wait('b')).to.equal(0);
  });

  it('lets the key try once the wait is over, and makes it wait longer if that fails', () => {
    const backoff = make();
    for (let i = 0; i < 3; i++) backoff.fail('a');
    now += 1_999;
    expect(backoff.wait('a')).to.equal(1);
    now += 1;
    expect(backoff.wait('a')).to.equal(0);
    backoff.fail('a');
    expect(backoff.wait('a')).to.equal(4_000);
  });

  it('forgets failures one by one, and all of them when told', () => {
    const backoff = make();
    for (let i = 0; i < 100; i++) backoff.fail('a');
    expect(backoff.count('a')).to.equal(6);
    now += 5 * 60_000;
    expect(backoff.count('a')).to.equal(1);
    now += 60_000;
    expect(backoff.count('a')).to.equal(0);
    backoff.fail('a');
    backoff.clear('a');
    expect(backoff.count('a')).to.equal(0);
  });

  it('counts and waits as before after the clock was set back', () => {
    const backoff = make();
    for (let i = 0; i < 3; i++) backoff.fail('a');
    now -= 60 * 60_000;
    expect([backoff.count('a'), backoff.wait('a')]).to.deep.equal([3, 2_000]);
    now += 2_000;
    expect(backoff.wait('a')).to.equal(0);
    now += 58_000;
    expect(backoff.count('a')).to.equal(2);
  });
});
