import { LRUCache } from 'lru-cache';
import type { Release } from '../signals/retry.js';

/**
 * Results that took time to make, by key. Results that were not used for a long time, or are too old, are forgotten,
 * unless somebody holds them.
 */
export class Memo<Value extends object> {
  readonly #known: LRUCache<string, Sized<Value>> | undefined;
  readonly #held = new Map<string, { readonly value: Value; holders: number }>();

  /** `maxAge`: milliseconds. With 0, only what somebody holds is known. Absent: results never get old. */
  constructor(maxSize: number, maxAge?: number) {
    const ttl = maxAge === undefined ? {} : { ttl: maxAge, ttlResolution: 0 };
    this.#known = maxAge === 0 ? undefined : new LRUCache({ maxSize, sizeCalculation: ({ size }) => size, ...ttl });
  }

  get(key: string): Value | undefined {
    return this.#held.get(key)?.value ?? this.#known?.get(key)?.value;
  }

  /** `since`: `performance.now()` when the result began to be made. */
  set(key: string, value: Value, size: number, since = performance.now()): void {
    this.#known?.set(key, { value, size: Math.max(1, size) }, { start: since });
  }

  hold(key: string, value: Value): Release {
    const entry = this.#held.get(key) ?? { value, holders: 0 };
    this.#held.set(key, entry);
    entry.holders++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (--entry.holders === 0) this.#held.delete(key);
    };
  }
}

interface Sized<Value> {
  readonly value: Value;
  readonly size: number;
}
