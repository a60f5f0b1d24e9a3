import { mock } from 'node:test';

/**
 * The result of work, and how many turns the event loop takes meanwhile. A millisecond passes with each look at the
 * clock, so that work in steps lets others run after each step: how many turns it takes depends on its steps alone, and
 * not on how fast the machine is or what else it does.
 */
export async function withTurns<Result>(
  work: () => Promise<Result>,
): Promise<readonly [result: Result, turns: number]> {
  let [turns, isDone, now] = [0, false, performance.now()];
  const turn = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(turn);
  };
  const clock = mock.method(performance, 'now', () => ++now);
  setImmediate(turn);
  try {
    const result = await work();
    return [result, turns];
  } finally {
    isDone = true;
    clock.mock.restore();
  }
}
