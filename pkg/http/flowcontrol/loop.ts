import { performance } from 'node:perf_hooks';
import { defer } from '../../system/yielding/yielding.js';

/** The event loop and its clock. Tests have their own. */
export interface Loop {
  /** The number of the present turn. */
  turn(): number;
  /** Milliseconds. */
  now(): number;
  /** Runs a function at the end of this turn, or of the next if it is called at the end of a turn. */
  atEndOfTurn(run: () => void): void;
  /** Runs a function after some milliseconds, unless the returned function is called before. */
  after(milliseconds: number, run: () => void): () => void;
}

const { nodeTiming } = performance;

export const eventLoop: Loop = {
  turn: () => nodeTiming.uvMetricsInfo.loopCount,
  now: () => performance.now(),
  atEndOfTurn: (run) => defer(run),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
