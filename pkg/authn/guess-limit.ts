import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../status/errors.js';

/** Five wrong passwords in five minutes, for an account from one address; then it waits. */
const ALLOWED_FAILURES = 5;
/** Resolution 0 reads the clock at every look-up, because tests replace the clock. */
const FAILURES = { max: 10_000, ttl: 5 * 60_000, ttlResolution: 0 };
const RETRY_SECONDS = 60;
/** As many as wait for their turn to be checked. */
const WAITING = 32;

interface Pending {
  count: number;
  readonly waiting: (() => void)[];
}

/** Lets few wrong answers out for a place, however many ask at once, and refuses no right one for those that are still being checked. */
export class GuessLimit {
  readonly #failures: LRUCache<string, number>;
  readonly #pending = new Map<string, Pending>();
  #waiting = 0;

  constructor(now: () => number) {
    this.#failures = new LRUCache({ ...FAILURES, perf: { now } });
  }

  /** `check` gives undefined for what is wrong; one that throws has told nobody anything. Throws ApiError 429. */
  async attempt<T>(place: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
    await this.#turn(place);
    try {
      const answer = await check();
      if (answer === undefined) this.#failures.set(place, this.#failed(place) + 1);
      else this.#failures.delete(place);
      return answer;
    } finally {
      this.#leave(place);
    }
  }

  #failed(place: string): number {
    return this.#failures.get(place) ?? 0;
  }

  /** Each that is being checked may yet be wrong: together with those that were, they stay within what is allowed. */
  async #turn(place: string): Promise<void> {
    for (;;) {
      const failed = this.#failed(place);
      if (failed >= ALLOWED_FAILURES) throw tooManyRequests(RETRY_SECONDS);
      const pending = this.#pending.get(place) ?? { count: 0, waiting: [] };
      if (failed + pending.count < ALLOWED_FAILURES) {
        pending.count++;
        this.#pending.set(place, pending);
        return;
      }
      await this.#settling(pending);
    }
  }

  async #settling({ waiting }: Pending): Promise<void> {
    if (this.#waiting >= WAITING) throw tooManyRequests();
    this.#waiting++;
    await new Promise<void>((resolve) => waiting.push(resolve));
    this.#waiting--;
  }

  /** All are woken: one right answer makes room for several, and the last wrong one is the end for all. */
  #leave(place: string): void {
    const pending = this.#pending.get(place);
    if (pending === undefined) return;
    pending.count--;
    if (pending.count === 0) this.#pending.delete(place);
    for (const wake of pending.waiting.splice(0)) wake();
  }
}
