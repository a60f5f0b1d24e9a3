/** Milliseconds for which what was in the page cache is taken to be still there. */
const TRUSTED = 10_000;

let period = 1;
let isTimed = false;

/**
 * A number that changes when the content of the page cache must be checked again. It fits in a byte, and is not 0. Each
 * read of an object asks for it, so a timer changes it, which runs only while somebody reads.
 */
export function residencyPeriod(): number {
  if (!isTimed) {
    isTimed = true;
    setTimeout(endPeriod, TRUSTED).unref();
  }
  return period;
}

function endPeriod(): void {
  period = 1 + (period % 255);
  isTimed = false;
}

/**
 * Data that is in the page cache, or is brought there before it is used. Whether it is still there is checked at most
 * once in a period.
 */
export class ResidencyCheck {
  readonly #load: () => Promise<void>;
  /** The period in which it was looked at last. */
  #period = 0;
  #loading: Promise<void> | undefined;

  /** `load` brings what is missing into the page cache. */
  constructor(load: () => Promise<void>) {
    this.#load = load;
  }

  /** Resolves when it can be read without waiting for the disk. `undefined` if it can be read now. */
  whenResident(period = residencyPeriod()): Promise<void> | undefined {
    if (this.#period === period) return undefined;
    this.#loading ??= this.#look();
    return this.#loading;
  }

  async #look(): Promise<void> {
    // A later read of the same data gets the same error, and can say what it was for.
    await this.#load().catch(() => undefined);
    this.#period = residencyPeriod();
    this.#loading = undefined;
  }
}
