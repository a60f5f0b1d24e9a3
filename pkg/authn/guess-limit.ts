import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../status/errors.js';

/** Five wrong passwords in five minutes for one account from one address; further attempts are then refused. */
const ALLOWED_FAILURES = 5;
/** Resolution 0 reads the clock at every look-up, because tests replace the clock. */
const FAILURES = { max: 10_000, ttl: 5 * 60_000, ttlResolution: 0 };
const RETRY_SECONDS = 60;
/** How many attempts may wait for others to end. */
const MAX_WAITING = 32;

interface Pending {
  count: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits wrong attempts by key (an account from one address), however many come at once. An attempt that might exceed the limit waits for
 * the attempts that are being checked, so that a correct one is not refused because of them. By hand because the limit counts failures:
 * queues and rate limiters count attempts.
 */
export class GuessLimit {
  readonly #failures: LRUCache<string, number>;
  readonly #pending = new Map<string, Pending>();
  #waiting = 0;

  constructor(now: () => number) {
    this.#failures = new LRUCache({ ...FAILURES, perf: { now } });
  }

  /** `check` returns undefined if the attempt is wrong. If it throws, the attempt does not count. Throws ApiError 429. */
  async attempt<T>(key: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
    await this.#enter(key);
    try {
      const answer = await check();
      if (answer === undefined) this.#failures.set(key, this.#failed(key) + 1);
      else this.#failures.delete(key);
      return answer;
    } finally {
      this.#leave(key);
    }
  }

  #failed(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Attempts being checked may all turn out wrong, so they count as failures until they end. */
  async #enter(key: string): Promise<void> {
    for (;;) {
      const failed = this.#failed(key);
      if (failed >= ALLOWED_FAILURES) throw tooManyRequests(RETRY_SECONDS);
      const pending = this.#pending.get(key) ?? { count: 0, waiting: [] };
      if (failed + pending.count < ALLOWED_FAILURES) {
        pending.count++;
        this.#pending.set(key, pending);
        return;
      }
      await this.#waitForOne(pending);
    }
  }

  async #waitForOne({ waiting }: Pending): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw tooManyRequests();
    this.#waiting++;
    await new Promise<void>((resolve) => waiting.push(resolve));
    this.#waiting--;
  }

  /** Wakes all, because a correct attempt makes room for several, and the last allowed failure ends the wait for all. */
  #leave(key: string): void {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    pending.count--;
    if (pending.count === 0) this.#pending.delete(key);
    for (const wake of pending.waiting.splice(0)) wake();
  }
}
