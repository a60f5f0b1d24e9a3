import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Pace } from './pace.js';

describe('Pace', () => {
  function paced(takes: number) {
    const clock = { now: 0, steps: 0 };
    const step = (): boolean => {
      clock.steps++;
      clock.now += takes;
      return false;
    };
    return { clock, pace: new Pace(step, () => clock.now) };
  }

  it('does quick steps whenever it is asked', async () => {
    const { clock, pace } = paced(0.5);
    pace.ask();
    pace.ask();
    expect(clock.steps).to.equal(2);
    await turn();
    pace.ask();
    expect(clock.steps).to.equal(3);
  });

  it('rests once after several steps of one turn', async () => {
    const { clock, pace } = paced(10);
    const rests: (number | undefined)[] = [];
    const { setTimeout: real } = globalThis;
    globalThis.setTimeout = ((then: () => void, rest?: number) => {
      rests.push(rest);
      return real(then, rest);
    }) as typeof setTimeout;
    try {
      pace.ask();
      pace.ask();
      await turn();
      await turn();
    } finally {
      globalThis.setTimeout = real;
    }
    expect([clock.steps, rests]).to.deep.equal([2, [20]]);
  });

  it('rests after a long step, and then does once what it was asked for meanwhile', async () => {
    const { clock, pace } = paced(10);
    pace.ask();
    await turn();
    await turn();
    pace.ask();
    pace.ask();
    expect(clock.steps).to.equal(1);
    await sleep(12);
    expect(clock.steps).to.equal(2);
    await sleep(12);
    expect(clock.steps).to.equal(2);
    pace.ask();
    expect(clock.steps).to.equal(3);
  });

  it('does a step again that has more to do, after its rest', async () => {
    let [now, left] = [0, 3];
    const pace = new Pace(
      () => {
        now += 10;
        left--;
        return left > 0;
      },
      () => now,
    );
    pace.ask();
    expect(left).to.equal(2);
    await turn();
    await turn();
    expect(left).to.equal(2);
    while (left > 0) await turn();
    await sleep(15);
    expect(left).to.equal(0);
  });

  it('rests after each long step, and does nothing that it was not asked for', async () => {
    const { clock, pace } = paced(2);
    for (const steps of [1, 2]) {
      pace.ask();
      await turn();
      await turn();
      await sleep(5);
      expect(clock.steps).to.equal(steps);
    }
    pace.ask();
    await turn();
    await turn();
    pace.ask();
    expect(clock.steps, 'it rests').to.equal(3);
  });
});
