import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which work on many items may keep the event loop. The next request waits for the end of it. */
const LONGEST = 1;

/** Divides work on many items into stretches, between which the event loop takes its turns. */
export class Stretches {
  readonly #now: () => number;
  #began: number;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
  }

  /** Whether the stretch is over. Then await `rest` before the next item. */
  get isOver(): boolean {
    return this.#now() - this.#began >= LONGEST;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#began = this.#now();
  }
}

/** Work in steps. After each it yields what it has to wait for, if anything. */
export type PausingWork<Result> = Generator<Promise<void> | undefined, Result, undefined>;

/** Does all steps. The event loop takes its turns between them. The result is a promise only if there is more than one step. */
export function inStretches<Result>(work: PausingWork<Result>): Result | Promise<Result> {
  const { done, value } = work.next();
  return done === true ? value : goOn(work, value);
}

async function goOn<Result>(work: PausingWork<Result>, first: Promise<void> | undefined): Promise<Result> {
  const stretches = new Stretches();
  for (let waiting = first; ; ) {
    if (waiting !== undefined) await waiting;
    if (stretches.isOver) await stretches.rest();
    const { done, value } = work.next();
    if (done === true) return value;
    waiting = value;
  }
}

/** With more items than this, other requests get their turns after each step of work on all of them. */
const MANY = 500;

/** Lets the event loop take its turns after a step of work on many items. */
export async function restAfter(items: number): Promise<void> {
  if (items > MANY) await setImmediate();
}

/**
 * The same items. After a stretch of work on them, the event loop takes its turns before the next one. Without this, a consumer that waits for nothing
 * would keep the event loop for as long as there are items. `now` gives milliseconds.
 */
export async function* withRests<T>(
  source: AsyncIterable<T>,
  now: () => number = () => performance.now(),
): AsyncGenerator<T, void, undefined> {
  let worked = 0;
  for await (const item of source) {
    const began = now();
    yield item;
    worked += now() - began;
    if (worked < LONGEST) continue;
    await setImmediate();
    worked = 0;
  }
}
