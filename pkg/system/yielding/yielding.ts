import { setImmediate as immediate } from 'node:timers/promises';
import type { Steps } from './steps.js';

/** Milliseconds for which work on many items may keep the event loop. The next request waits for the end of it. */
const LONGEST = 1;

/** Lets the event loop run others, and goes on after them. */
export function yieldToLoop(): Promise<void> {
  return immediate();
}

/** Runs a function after the event loop has run others. */
export function defer(run: () => void): void {
  setImmediate(run);
}

/** Tells work on many items when to let the event loop run others. */
export class Yielder {
  readonly #now: () => number;
  #began: number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
  }

  /** Whether the work has kept the event loop long enough. Then await `yield` before the next item. */
  get isDue(): boolean {
    return this.#now() - this.#began >= LONGEST;
  }

  async yield(): Promise<void> {
    await immediate();
    this.#began = this.#now();
  }
}

/**
 * Does all steps. The event loop runs others between them. The result is a promise only if there is more than one step.
 */
export function runStepsYielding<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const { done, value } = steps.next();
  return done === true ? value : runOthers(steps);
}

async function runOthers<Result>(steps: Steps<Result>): Promise<Result> {
  const yielder = new Yielder();
  for (;;) {
    if (yielder.isDue) await yielder.yield();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same items one after another. The event loop runs others in between. */
export async function* yielding<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  const yielder = new Yielder();
  for (const item of items) {
    yield item;
    if (yielder.isDue) await yielder.yield();
  }
}

/**
 * The same for items that come one by one. Only the work on them counts, and not the time until they come. Without
 * this, a consumer that waits for nothing would keep the event loop for as long as there are items. `now` gives
 * milliseconds.
 */
export async function* yieldingAsync<T>(
  items: AsyncIterable<T>,
  now: () => number = () => performance.now(),
): AsyncGenerator<T, void, undefined> {
  let worked = 0;
  for await (const item of items) {
    const began = now();
    yield item;
    worked += now() - began;
    if (worked < LONGEST) continue;
    await immediate();
    worked = 0;
  }
}

/** With more items than this, each step of work on all of them takes long. */
const MANY_ITEMS = 500;
/** Each step of the work on a body of this many bytes may take some milliseconds. A short one may have many values. */
const MANY_BYTES = 64 * 1024;

/** Await this between two steps of work on all of so many items. */
export async function yieldIfManyItems(items: number): Promise<void> {
  if (items > MANY_ITEMS) await immediate();
}

/** Await this between two steps of the work on a body. */
export async function yieldIfLarge(body: Uint8Array): Promise<void> {
  if (body.byteLength >= MANY_BYTES) await immediate();
}
