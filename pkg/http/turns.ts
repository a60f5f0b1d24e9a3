import { defer } from '../system/yielding/yielding.js';

/** The most requests of HTTP/2 that begin in one turn of the event loop. */
export const MOST_IN_TURN = 64;

interface Start {
  readonly begin: () => void;
  /** The stream may be closed before its turn. */
  readonly isGone: () => boolean;
}

/**
 * Begins requests a few at a time. A packet can have a thousand requests of HTTP/2, and several connections are often
 * read in one turn of the event loop. Without a bound, all of these requests would begin before anything else is done.
 */
export class Turns {
  #begun = 0;
  #isScheduled = false;
  #waiting: Start[] = [];

  /** Begins a request now if this turn has room, and otherwise in a later turn, unless its stream is gone by then. */
  begin(begin: () => void, isGone: () => boolean): void {
    this.#schedule();
    if (this.#waiting.length > 0 || this.#begun >= MOST_IN_TURN) {
      this.#waiting.push({ begin, isGone });
      return;
    }
    this.#begun++;
    begin();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    defer(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    let index = 0;
    try {
      for (; index < this.#waiting.length && this.#begun < MOST_IN_TURN; index++) {
        const { begin, isGone } = this.#waiting[index] as Start;
        if (isGone()) continue;
        this.#begun++;
        begin();
      }
    } finally {
      if (index > 0) this.#waiting = this.#waiting.slice(index);
      if (this.#waiting.length > 0) this.#schedule();
    }
  }
}
