import { expect } from 'chai';
import { replayable } from './entropy.js';

describe('the random values of a transaction', () => {
  it('are the same in the same order when it runs again, also beyond what the first run took', () => {
    const replay = replayable();
    const first = replay();
    const [a, b] = [first.uid(), first.uid()];
    const names = [first.names('x-', 63), first.names('y-', 63)];
    const second = replay();
    expect([second.uid(), second.uid()]).to.deep.equal([a, b]);
    expect([second.names('x-', 63), second.names('y-', 63)]).to.deep.equal(names);
    const more = second.uid();
    const third = replay();
    expect([third.uid(), third.uid(), third.uid()]).to.deep.equal([a, b, more]);
    expect(new Set([a, b, more]).size).to.equal(3);
  });

  it('are others in another transaction', () => {
    expect(replayable()().uid()).to.not.equal(replayable()().uid());
  });

  it('give several names to choose from, which begin with the base and are short enough', () => {
    const names = replayable()().names('a-long-name-', 10);
    expect(new Set(names).size).to.be.greaterThan(3);
    for (const name of names) expect(name).to.match(/^a-lon[a-z0-9]{5}$/);
    for (const name of replayable()().names('x-', 63)) expect(name).to.match(/^x-[a-z0-9]{5}$/);
  });
});
