import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Pace } from './pace.js';

describe('Pace', () => {
  // Rests end when a test says so: on a busy machine, some turns of the event loop take longer than a rest.
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  /** The end of a turn, and then milliseconds of rest. */
  const rest = async (milliseconds: number): Promise<void> => {
    await turn();
    await turn();
    mock.timers.tick(milliseconds);
  };

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
    const timeouts = mock.method(globalThis, 'setTimeout');
    try {
      pace.ask();
      pace.ask();
      await turn();
      await turn();
    } finally {
      timeouts.mock.restore();
    }
    const rests = timeouts.mock.calls.map(({ arguments: [, rest] }) => rest);
    expect([clock.steps, rests]).to.deep.equal([2, [20]]);
  });

  it('rests after a long step, and then does once what it was asked for meanwhile', async () => {
    const { clock, pace } = paced(10);
    pace.ask();
    await rest(9);
    pace.ask();
    pace.ask();
    expect(clock.steps).to.equal(1);
    await rest(1);
    expect(clock.steps).to.equal(2);
    await rest(10);
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
    await rest(9);
    expect(left).to.equal(2);
    await rest(1);
    expect(left).to.equal(1);
    await rest(10);
    expect(left).to.equal(0);
    await rest(10);
    expect(left).to.equal(0);
  });

  it('rests after each long step, and does nothing that it was not asked for', async () => {
    const { clock, pace } = paced(2);
    for (const steps of [1, 2]) {
      pace.ask();
      await rest(2);
      expect(clock.steps).to.equal(steps);
    }
    pace.ask();
    await rest(1);
    pace.ask();
    expect(clock.steps, 'it rests').to.equal(3);
  });
});
