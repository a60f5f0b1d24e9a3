import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/** The clock of a test: only the test lets time pass. */
export interface TestTime {
  /** Lets milliseconds pass, and then everything happen that can happen now. */
  pass(milliseconds: number): Promise<void>;
}

/** Lets everything happen that needs no time. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 30; i++) await turn();
}

/** Runs a test in which `setTimeout` and `performance.now` follow the clock of the test. */
export async function withTestTime(work: (time: TestTime) => Promise<void>): Promise<void> {
  // Sums of whole numbers are exact.
  let now = Math.ceil(performance.now());
  mock.timers.enable({ apis: ['setTimeout'] });
  // Modules that import it by name see the change only after this.
  syncBuiltinESMExports();
  const clock = mock.method(performance, 'now', () => now);
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
    await settled();
  };
  try {
    await work({ pass });
  } finally {
    clock.mock.restore();
    mock.timers.reset();
    syncBuiltinESMExports();
  }
}
