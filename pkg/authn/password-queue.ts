import { availableParallelism } from 'node:os';
import { tooManyRequests } from '../status/errors.js';

export interface PasswordQueueOptions {
  /** How many run at once: scrypt shares libuv's pool with the store's commits, so one for two cores. */
  readonly inFlight?: number;
  /** How many may wait; one more is answered 429. */
  readonly waiting?: number;
}

const WAITING = 32;

/** Runs password checks a few at a time, so that a flood of logins slows nothing else. */
export class PasswordQueue {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ inFlight, waiting }: PasswordQueueOptions = {}) {
    this.#most = inFlight ?? Math.max(1, Math.floor(availableParallelism() / 2));
    this.#mostWaiting = waiting ?? WAITING;
  }

  /** Throws ApiError 429 when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#most) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.#mostWaiting) throw tooManyRequests();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The place is handed on: nobody who comes in between can take it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
