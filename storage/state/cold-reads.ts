import { residencyPeriod } from './residency.js';

/** A read found bytes that only the disk has. */
export class ColdRead extends Error {
  /** Brings them into the page cache. */
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('the bytes are on the disk only');
    this.load = load;
  }
}

/** That of the work that runs. */
let refusing: ColdReads | undefined;

/**
 * Refuses the reads of some work that would wait for the disk, and keep the event loop. Who runs the work waits in
 * their place, and begins again.
 */
export class ColdReads {
  /** The first read that was refused. */
  met: ColdRead | undefined;
  #isOver = false;
  /** Zero while this is not about the work that runs. */
  period = 0;

  /** Runs a synchronous piece of the work. */
  during<T>(work: () => T): T {
    if (this.#isOver) return work();
    const before = refusing;
    refusing = this;
    this.period = residencyPeriod();
    try {
      return work();
    } finally {
      refusing = before;
    }
  }

  /** Later reads wait for the disk. Throws what was refused already, even if the work has caught it. */
  end(): void {
    if (this.met !== undefined) throw this.met;
    this.#isOver = true;
    refusing = undefined;
  }
}

/** The work that runs goes on where it cannot begin again cheaply, so its later reads wait for the disk. */
export function endColdReads(): void {
  refusing?.end();
}

/** The period of `residencyPeriod`, if the work that runs must not wait for the disk. Otherwise 0. */
export function refusedPeriod(): number {
  return refusing === undefined ? 0 : refusing.period;
}

/** Refuses a read of the work that runs. */
export function refuseColdRead(load: () => Promise<void>): never {
  const read = new ColdRead(load);
  if (refusing !== undefined) refusing.met ??= read;
  throw read;
}
