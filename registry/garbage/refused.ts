import type { Key } from '../../storage/key.js';
import type { Kind } from '../kind.js';
import type { Clock } from '../registry.js';
import type { Found } from '../write/owners.js';

/** Milliseconds between two attempts. */
const EVERY = 30_000;
/** The most keys that are remembered. All others are found when everything is looked at again. */
const MOST = 1000;

interface RefusedObject {
  readonly kind: Kind;
  readonly key: Key;
}

/** Objects that could not be deleted, because a rule of their kind refused it, for example. They are tried again after a while. */
export class Refused {
  readonly #kinds = new Map<Key, Kind>();
  /** The operator of the server was told of them. */
  readonly #told = new Set<Key>();
  readonly #clock: Clock;
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether it was not refused before. */
  add({ kind, entry: { key } }: Found): boolean {
    if (this.#kinds.size >= MOST) return false;
    if (this.#kinds.size === 0) this.#next = this.#clock.now() + EVERY;
    this.#kinds.set(key, kind);
    const isNew = !this.#told.has(key);
    if (this.#told.size >= MOST) this.#told.clear();
    this.#told.add(key);
    return isNew;
  }

  /** The objects to try again now. */
  due(): readonly RefusedObject[] {
    if (this.#kinds.size === 0 || this.#clock.now() < this.#next) return [];
    return [...this.#kinds].map(([key, kind]) => ({ key, kind }));
  }

  delete(key: Key): void {
    this.#kinds.delete(key);
  }
}
