import { expect } from 'chai';
import fc from 'fast-check';
import { Shares } from './shares.js';

describe('Shares', () => {
  it('give a flow alone half, and two flows a third each', () => {
    const shares = new Shares(300);
    const all = (flow: string): number => {
      let taken = 0;
      while (shares.take(flow)) taken++;
      return taken;
    };
    expect(all('a')).to.equal(150);
    shares.give('a', 50);
    expect(all('b')).to.equal(100);
    expect(all('a')).to.equal(0);
  });

  it('count what each flow has, and refuse nobody who has nothing while something is free', () => {
    const step = fc.record({ flow: fc.nat(5), amount: fc.integer({ min: 1, max: 50 }), isTaken: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const shares = new Shares(100);
        const held = new Map<number, number>();
        for (const { flow, amount, isTaken } of steps) {
          const before = held.get(flow) ?? 0;
          if (isTaken && shares.take(`${flow}`, amount)) held.set(flow, before + amount);
          if (!isTaken && before >= amount) {
            shares.give(`${flow}`, amount);
            held.set(flow, before - amount);
          }
          const used = [...held.values()].reduce((sum, one) => sum + one, 0);
          expect(shares.used).to.equal(used);
        }
        const isFree = shares.used < 100;
        expect(shares.take('newcomer')).to.equal(isFree);
      }),
    );
  });

  it('let one take the last of a total of one', () => {
    const shares = new Shares(1);
    expect([shares.take('a'), shares.take('b')]).to.deep.equal([true, false]);
    shares.give('a');
    expect(shares.take('b')).to.equal(true);
  });
});
