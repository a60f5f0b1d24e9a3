import { tooManyRequests } from '../../kube/status/errors.js';
import { Backoff, type BackoffRules } from './backoff.js';

interface Pending {
  count: number;
  readonly waiting: (() => void)[];
}

/** How many attempts of one key may wait until other attempts of this key end. */
const MAX_WAITING = 32;

/**
 * Limits wrong attempts by one kind of key, however many come at once. An attempt that is being checked may be wrong,
 * so it counts until it ends. No library does this: the limit counts failures, but queues and rate limiters count
 * attempts.
 */
export class GuessLimit {
  readonly #backoff: Backoff;
  readonly #pending = new Map<string, Pending>();

  constructor(rules: BackoffRules, now: () => number) {
    this.#backoff = new Backoff(rules, now);
  }

  /** Milliseconds until an attempt may be checked; 0 or less: now. */
  wait(key: string): number {
    return this.#backoff.wait(key);
  }

  /** Whether one more attempt can fail without exceeding the limit. A single attempt always may. */
  hasRoom(key: string): boolean {
    const pending = this.#pending.get(key)?.count ?? 0;
    return pending === 0 || this.#backoff.count(key) + pending < this.#backoff.free;
  }

  enter(key: string): void {
    const pending = this.#pending.get(key) ?? { count: 0, waiting: [] };
    pending.count++;
    this.#pending.set(key, pending);
  }

  /** Wakes all attempts that wait. A right attempt makes room for several, and a wrong one may end the wait for all. */
  leave(key: string, isWrong: boolean): void {
    if (isWrong) this.#backoff.fail(key);
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    pending.count--;
    if (pending.count === 0) this.#pending.delete(key);
    for (const wake of pending.waiting.splice(0)) wake();
  }

  /** Resolves when an attempt of the key has ended. Throws ApiError 429 if too many wait for that. */
  async whenOneEnds(key: string): Promise<void> {
    const waiting = this.#pending.get(key)?.waiting;
    if (waiting === undefined) return;
    if (waiting.length >= MAX_WAITING) throw tooManyRequests();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  forgive(key: string): void {
    this.#backoff.clear(key);
  }
}
