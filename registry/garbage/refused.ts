import type { Key } from '../../storage/key.js';
import type { Clock } from '../kinds/registry.js';
import type { KindEntry } from '../write/owners.js';

/** Milliseconds between two attempts. */
const EVERY = 30_000;
/** The most keys that are remembered. All others are found when everything is looked at again. */
const MOST = 1000;

interface RefusedObject {
  /** `<plural>.<group>`, because the kind may change meanwhile. */
  readonly resource: string;
  readonly key: Key;
}

/**
 * Objects that could not be deleted, because a rule of their kind refused it, for example. They are tried again after a
 * while.
 */
export class Refused {
  readonly #resources = new Map<Key, string>();
  /** The operator of the server was told of them. */
  readonly #told = new Set<Key>();
  readonly #clock: Clock;
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether it was not refused before. */
  add({ kind, entry: { key } }: KindEntry): boolean {
    if (this.#resources.size >= MOST) return false;
    if (this.#resources.size === 0) this.#next = this.#clock.now() + EVERY;
    this.#resources.set(key, kind.qualified);
    const isNew = !this.#told.has(key);
    if (this.#told.size >= MOST) this.#told.clear();
    this.#told.add(key);
    return isNew;
  }

  /** The objects to try again now. Those that are refused once more are due after the next pause. */
  due(): readonly RefusedObject[] {
    const now = this.#clock.now();
    if (this.#resources.size === 0 || now < this.#next) return [];
    this.#next = now + EVERY;
    return [...this.#resources].map(([key, resource]) => ({ key, resource }));
  }

  delete(key: Key): void {
    this.#resources.delete(key);
  }
}
