import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import { tooManyRequests } from '../status/errors.js';
import { hashPassword, type ScryptParameters } from './password.js';

export interface PasswordQueueOptions {
  /** How many hashes run at once. scrypt shares libuv's thread pool with the store's commits, so the default is one for two cores. */
  readonly concurrency?: number;
  /** How many may wait; the next one is answered 429. */
  readonly maxWaiting?: number;
  /** The cost of new hashes. */
  readonly parameters?: ScryptParameters;
}

const MAX_WAITING = 32;

/** Runs a few password hashes at a time, in the order of the calls, so that a flood of logins does not slow down anything else. */
export class PasswordQueue {
  readonly #limit: LimitFunction;
  readonly #maxWaiting: number;
  readonly #parameters: ScryptParameters | undefined;

  constructor({ concurrency, maxWaiting = MAX_WAITING, parameters }: PasswordQueueOptions = {}) {
    this.#limit = pLimit(concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2)));
    this.#maxWaiting = maxWaiting;
    this.#parameters = parameters;
  }

  /** Hashes a new password. `onTurn` is called when its turn has come; it may throw if the hash is no longer needed. */
  hash(password: string, onTurn: () => void = () => undefined): Promise<string> {
    return this.run(() => {
      onTurn();
      return hashPassword(password, this.#parameters);
    });
  }

  /** Throws ApiError 429 if too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { activeCount, concurrency, pendingCount } = this.#limit;
    if (activeCount >= concurrency && pendingCount >= this.#maxWaiting) throw tooManyRequests();
    return this.#limit(work);
  }
}
