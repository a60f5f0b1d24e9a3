import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { MOST_IN_TURN, Turns } from './turns.js';

describe('the requests that begin in one turn', () => {
  it('are at most so many, the others follow in order, and those that are gone are left out', async () => {
    const turns = new Turns();
    const begun: number[] = [];
    const all = Array.from({ length: 2 * MOST_IN_TURN + 10 }, (_, i) => i);
    for (const i of all)
      turns.begin(
        () => begun.push(i),
        () => i === MOST_IN_TURN,
      );
    expect(begun).to.have.length(MOST_IN_TURN);
    await setImmediate();
    expect(begun).to.have.length(2 * MOST_IN_TURN);
    await setImmediate();
    expect(begun).to.deep.equal(all.filter((i) => i !== MOST_IN_TURN));
    turns.begin(
      () => begun.push(-1),
      () => false,
    );
    expect(begun.at(-1)).to.equal(-1);
  });
});
