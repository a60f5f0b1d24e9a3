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
