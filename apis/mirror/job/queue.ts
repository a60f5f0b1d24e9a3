import { printable } from '../../../pkg/system/text/printable.js';
import type { Key } from './resources.js';

/** Milliseconds before an object that was refused is sent again. The pause doubles with each further refusal. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 300_000;

/** Milliseconds to wait after so many failures in a row. Not all wait equally long, so they do not come at once. */
export function pauseAfter(failures: number): number {
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return Math.round(pause * (0.5 + Math.random() / 2));
}

/** An object that was refused. */
export interface Failure {
  readonly reason: string;
  readonly failures: number;
  /** When it is sent again. */
  readonly at: number;
}

/**
 * The objects that have to be looked at. Each is in it once, whatever happened to it, and its newest state is sent. So
 * it is never larger than what is here and there. What comes during a look waits for the next one, because the look
 * has an earlier state.
 */
export class Queue {
  /** What has changed now comes before what is looked at because everything is. */
  #fresh = new Set<Key>();
  #bulk = new Set<Key>();
  /** What the current look has taken. The value: whether it was fresh. */
  #taken = new Map<Key, boolean>();
  readonly #failed = new Map<Key, Failure>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  add(key: Key): void {
    this.#fresh.add(key);
    this.#bulk.delete(key);
  }

  addLater(key: Key): void {
    if (!this.#fresh.has(key)) this.#bulk.add(key);
  }

  /** Adds to the current look. */
  addNow(key: Key): void {
    if (!this.#taken.has(key)) this.#taken.set(key, true);
  }

  has(key: Key): boolean {
    return this.#taken.has(key) || this.#isWaiting(key) || this.#failed.has(key);
  }

  get size(): number {
    const failed = [...this.#failed.keys()].filter((key) => !this.#isWaiting(key) && !this.#taken.has(key));
    return this.#fresh.size + this.#bulk.size + this.#taken.size + failed.length;
  }

  /** Begins a look at all objects whose turn it is. */
  begin(): void {
    const now = this.#now();
    for (const [key, { at }] of this.#failed) if (at <= now) this.addLater(key);
    this.#taken = new Map([
      ...[...this.#fresh].map((key): [Key, boolean] => [key, true]),
      ...[...this.#bulk].map((key): [Key, boolean] => [key, false]),
    ]);
    this.#fresh = new Set();
    this.#bulk = new Set();
  }

  /** What the look has not come to is in the next one. */
  end(): void {
    for (const [key, isFresh] of this.#taken) {
      if (isFresh) this.add(key);
      else this.addLater(key);
    }
    this.#taken.clear();
  }

  /** The objects of the current look. */
  due(): Iterable<Key> {
    return this.#taken.keys();
  }

  isDue(key: Key): boolean {
    return this.#taken.has(key);
  }

  done(key: Key): void {
    this.#taken.delete(key);
    this.#failed.delete(key);
  }

  fail(key: Key, reason: string): void {
    const failures = (this.#failed.get(key)?.failures ?? 0) + 1;
    this.#taken.delete(key);
    this.#failed.set(key, { reason: printable(reason), failures, at: this.#now() + pauseAfter(failures) });
  }

  failures(): ReadonlyMap<Key, Failure> {
    return this.#failed;
  }

  /** Milliseconds until the next object may be sent again. Absent: none waits. */
  nextIn(): number | undefined {
    let next: number | undefined;
    for (const [key, { at }] of this.#failed) if (!this.#isWaiting(key)) next = Math.min(next ?? at, at);
    return next === undefined ? undefined : Math.max(0, next - this.#now());
  }

  #isWaiting(key: Key): boolean {
    return this.#fresh.has(key) || this.#bulk.has(key);
  }
}
