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

/**
 * The intended longest time of a turn of the event loop, in milliseconds. The next request waits for the end of the
 * turn.
 */
const TURN = 1;
const MOST = 16;

/**
 * How many requests start in one turn of the event loop. Seats do not bound this: most requests end in the turn in
 * which they start. Some take 0.1 ms of it and some 10 ms, so the number follows from how long the turns take.
 */
export class Quantum {
  #size = MOST;
  #turn = -1;
  #started = 0;
  readonly #flows = new Set<string>();

  get size(): number {
    return this.#size;
  }

  /** Whether a request that has just come may start. The first of each flow in a turn always may. */
  allows(flow: string, turn: number): boolean {
    if (turn !== this.#turn) this.#begin(turn);
    return this.#started < this.#size || !this.#flows.has(flow);
  }

  /** Counts a request that was allowed and has started. */
  started(flow: string): void {
    this.#started++;
    this.#flows.add(flow);
  }

  #begin(turn: number): void {
    this.#turn = turn;
    this.#started = 0;
    this.#flows.clear();
  }

  /** Learns how many milliseconds a turn took in which the full number of requests started. */
  adjust(milliseconds: number): void {
    if (milliseconds > TURN) this.#size = Math.max(1, this.#size >> 1);
    else if (milliseconds < TURN / 2) this.#size = Math.min(MOST, this.#size + 1);
  }
}
