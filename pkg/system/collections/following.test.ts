import { expect } from 'chai';
import { following } from './following.js';

describe('following', () => {
  it('makes again for another value, with what was made before, and tries again after a failure', () => {
    let value = 1;
    const calls: unknown[] = [];
    const made = following(
      () => value,
      (now, before: number | undefined) => {
        calls.push([now, before]);
        if (now === 2) throw new Error('No.');
        return now * 10;
      },
    );
    expect([made(), made()]).to.deep.equal([10, 10]);
    value = 2;
    for (const _ of [1, 2]) expect(made).to.throw('No.');
    value = 3;
    expect(made()).to.equal(30);
    expect(calls).to.deep.equal([
      [1, undefined],
      [2, 10],
      [2, 10],
      [3, 10],
    ]);
  });
});
