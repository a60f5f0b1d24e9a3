import type { Entry, EntryParts } from './entry.js';

/** Milliseconds for which what was in the page cache is taken to be still there. */
const TRUSTED = 10_000;
/** Entries that are read from the disk at the same time. */
const AT_ONCE = 8;

/** A number that changes when the content of the page cache must be checked again. It fits in a byte, and is not 0. */
export function residencyPeriod(): number {
  return 1 + (Math.floor(performance.now() / TRUSTED) % 255);
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

/**
 * Resolves when the objects of entries, or their attributes alone, can be read without waiting for the disk, which
 * would keep the event loop. `undefined` if they can be read now.
 */
export function whenResident(entries: readonly Entry[], parts: EntryParts = 'all'): Promise<void> | undefined {
  const period = residencyPeriod();
  const isCold = (entry: Entry): boolean => !entry.isResident(period, parts);
  return entries.some(isCold) ? load(entries, isCold, parts) : undefined;
}

async function load(entries: readonly Entry[], isCold: (entry: Entry) => boolean, parts: EntryParts): Promise<void> {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const cold = entries.slice(from, from + AT_ONCE).filter(isCold);
    await Promise.all(cold.map((entry) => entry.load(parts)));
  }
}
