import { LRUCache } from 'lru-cache';
import type { Release } from './suspended.js';

/** Results that took time to make, by key. Results that were not used for a long time are forgotten, unless somebody holds them. */
export class Memo<Value extends object> {
  readonly #known: LRUCache<string, Sized<Value>>;
  readonly #held = new Map<string, { readonly value: Value; holders: number }>();

  constructor(maxSize: number) {
    this.#known = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size });
  }

  get(key: string): Value | undefined {
    return this.#held.get(key)?.value ?? this.#known.get(key)?.value;
  }

  set(key: string, value: Value, size: number): void {
    this.#known.set(key, { value, size: Math.max(1, size) });
  }

  hold(key: string, value: Value): Release {
    const held = this.#held.get(key) ?? { value, holders: 0 };
    this.#held.set(key, held);
    held.holders++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (--held.holders === 0) this.#held.delete(key);
    };
  }
}

interface Sized<Value> {
  readonly value: Value;
  readonly size: number;
}
