import { LRUCache } from 'lru-cache';

/** How the waits of one kind of key grow. */
export interface BackoffRules {
  /**
   * The number of failures after which the first wait begins. It takes a second, and each further failure doubles it.
   */
  readonly free: number;
  /** The longest wait, in milliseconds. */
  readonly longest: number;
  /** One failure is forgotten in this time, in milliseconds. */
  readonly forgiveEvery: number;
}

interface Failures {
  readonly count: number;
  /** When the last one happened, by `#time`. */
  readonly at: number;
  /** The time from which the next one is forgotten. */
  readonly since: number;
}

const FIRST_WAIT = 1_000;
/**
 * About 10 MB. Each entry costs an attacker one password hash, so old entries are forgotten long before there are so
 * many.
 */
const MOST_KEYS = 50_000;

/**
 * Counts the failures of each key, and tells how long the key has to wait after them. Old failures are forgotten one by
 * one.
 */
export class Backoff {
  readonly free: number;
  readonly #rules: BackoffRules;
  readonly #now: () => number;
  /** The time of the clock at the last look, and how many milliseconds have passed until then. */
  #lookedAt: number;
  #passed = 0;
  /** A bound by size, because a cache with `max` takes the memory of all its entries at once. */
  readonly #failures = new LRUCache<string, Failures>({ maxSize: MOST_KEYS, sizeCalculation: () => 1 });
  /** More failures than these would not make the wait longer, but take longer to be forgotten. */
  readonly #most: number;

  constructor(rules: BackoffRules, now: () => number) {
    this.free = rules.free;
    this.#rules = rules;
    this.#now = now;
    this.#lookedAt = now();
    this.#most = rules.free + Math.ceil(Math.log2(rules.longest / FIRST_WAIT));
  }

  /** Failures that are not forgotten yet. */
  count(key: string): number {
    return this.#current(key).count;
  }

  /** Milliseconds until the next attempt may be checked; 0 or less: now. */
  wait(key: string): number {
    const failures = this.#failures.get(key);
    if (failures === undefined || failures.count < this.#rules.free) return 0;
    const wait = Math.min(this.#rules.longest, FIRST_WAIT * 2 ** (failures.count - this.#rules.free));
    return failures.at + wait - this.#time();
  }

  fail(key: string): void {
    const { count, since } = this.#current(key);
    this.#failures.set(key, { count: Math.min(this.#most, count + 1), at: this.#time(), since });
  }

  clear(key: string): void {
    this.#failures.delete(key);
  }

  /** A new failure does not restart the time after which the next failure is forgotten. */
  #current(key: string): Pick<Failures, 'count' | 'since'> {
    const now = this.#time();
    const { count, since } = this.#failures.get(key) ?? { count: 0, since: now };
    const forgotten = Math.floor((now - since) / this.#rules.forgiveEvery);
    return forgotten >= count
      ? { count: 0, since: now }
      : { count: count - forgotten, since: since + forgotten * this.#rules.forgiveEvery };
  }

  /**
   * Milliseconds that have passed. If the clock is set back, they go on from where they were, so that nobody waits
   * until the clock is there again.
   */
  #time(): number {
    const now = this.#now();
    this.#passed += Math.max(0, now - this.#lookedAt);
    this.#lookedAt = now;
    return this.#passed;
  }
}
