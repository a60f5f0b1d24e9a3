import type { Loop } from '../quantum.js';

/** An event loop whose turns and clock a test moves. */
export interface TestLoop extends Loop {
  /** Ends the present turn, and so on, each after some milliseconds. */
  turns(count: number, milliseconds?: number): Promise<void>;
}

export function testLoop(): TestLoop {
  let turn = 0;
  let now = 0;
  let atEnd: (() => void)[] = [];
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const endTurn = (milliseconds: number): void => {
    now += milliseconds;
    for (const timer of [...timers]) if (timer.at <= now && timers.delete(timer)) timer.run();
    const ending = atEnd;
    atEnd = [];
    for (const run of ending) run();
    turn++;
  };
  return {
    turn: () => turn,
    now: () => now,
    atEndOfTurn: (run) => void atEnd.push(run),
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    turns: async (count, milliseconds = 0) => {
      for (let i = 0; i < count; i++) {
        endTurn(milliseconds);
        // The promises that this turn resolved.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
