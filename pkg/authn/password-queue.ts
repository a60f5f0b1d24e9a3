import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import { tooManyRequests } from '../status/errors.js';

export interface PasswordQueueOptions {
  /** How many hashes run at once. scrypt shares libuv's thread pool with the store's commits, so the default is one for two cores. */
  readonly concurrency?: number;
  /** How many may wait; the next one is answered 429. */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 32;

/** Runs a few password hashes at a time, in the order of the calls, so that a flood of logins does not slow down anything else. */
export class PasswordQueue {
  readonly #limit: LimitFunction;
  readonly #maxWaiting: number;

  constructor({ concurrency, maxWaiting = MAX_WAITING }: PasswordQueueOptions = {}) {
    this.#limit = pLimit(concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2)));
    this.#maxWaiting = maxWaiting;
  }

  /** Throws ApiError 429 if too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { activeCount, concurrency, pendingCount } = this.#limit;
    if (activeCount >= concurrency && pendingCount >= this.#maxWaiting) throw tooManyRequests();
    return this.#limit(work);
  }
}
