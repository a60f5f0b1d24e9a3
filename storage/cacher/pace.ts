import { defer } from '../../pkg/system/yielding/yielding.js';

/** Milliseconds. A step that takes less needs no rest after it, and no rest is longer than the longest. */
const SHORT = 2;
const LONGEST = 25;

/**
 * Lets a repeated step take at most half of the time: after each, it rests for as long as the step took, with all that
 * Node did for it in the same turn of the event loop. All requests for a step during the rest become one step after it.
 * A step returns whether it has more to do.
 */
export class Pace {
  readonly #step: () => boolean;
  readonly #now: () => number;
  #isMeasuring = false;
  #isResting = false;
  #isWanted = false;

  /** `now` gives milliseconds. */
  constructor(step: () => boolean, now: () => number = () => performance.now()) {
    this.#step = step;
    this.#now = now;
  }

  /** Does the step now, or after the rest. */
  ask(): void {
    if (this.#isResting) this.#isWanted = true;
    else this.#run();
  }

  #run(): void {
    const began = this.#now();
    if (this.#step()) this.#isWanted = true;
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    // Until here, Node has written to the sockets what the step gave it.
    defer(() => this.#measured(this.#now() - began));
  }

  #measured(took: number): void {
    this.#isMeasuring = false;
    if (took < SHORT) {
      this.#goOn();
      return;
    }
    this.#isResting = true;
    setTimeout(() => this.#rested(), Math.min(took, LONGEST)).unref();
  }

  #rested(): void {
    this.#isResting = false;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#isWanted) return;
    this.#isWanted = false;
    this.#run();
  }
}
