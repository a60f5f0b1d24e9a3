import { expect } from 'chai';
import { Budget } from './budget.js';

describe('the budget of a flow', () => {
  let time = 0;
  const budget = () => new Budget({ burst: 100, perSecond: 10, now: () => time });

  it('lets a flow take more than it has once, and then tells for how long it has to wait', () => {
    const one = budget();
    expect(one.take('a', 60)).to.equal(0);
    expect(one.take('a', 80), 'something is left').to.equal(0);
    expect(one.take('a', 1), '40 are owed').to.equal(5);
    time += 4_000;
    expect(one.take('a', 1), 'nothing is owed, and nothing is left').to.equal(1);
    time += 100;
    expect(one.take('a', 1)).to.equal(0);
  });

  it('is for each flow alone', () => {
    const one = budget();
    one.take('a', 1000);
    expect([one.take('a', 1), one.take('b', 1)]).to.deep.equal([91, 0]);
  });

  it('never has more than the burst', () => {
    const one = budget();
    one.take('a', 50);
    time += 1_000_000;
    expect([one.take('a', 100), one.take('a', 1)]).to.deep.equal([0, 1]);
  });

  it('takes back what was not used', () => {
    const one = budget();
    one.take('a', 150);
    one.give('a', 150);
    expect([one.take('a', 100), one.take('a', 1)]).to.deep.equal([0, 1]);
    one.give('unknown', 5);
  });

  it('is remembered only as long as it is not full', () => {
    const one = budget();
    for (let i = 0; i < 1000; i++) one.take(`flow ${i}`, 10);
    expect(one.flows).to.equal(1000);
    time += 1_000;
    for (let i = 0; i < 600; i++) one.take('a', 0.001);
    expect(one.flows).to.equal(1);
  });
});
