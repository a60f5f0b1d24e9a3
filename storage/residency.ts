import type { Entry } from './entry.js';

/** Milliseconds for which what was in the page cache is taken to be still there. */
const TRUSTED = 10_000;
/** Entries that are read from the disk at the same time. */
const AT_ONCE = 8;

/** A number that changes when it must be looked again what is in the page cache. It fits in a byte, and is not 0. */
export function residencyPeriod(): number {
  return 1 + (Math.floor(performance.now() / TRUSTED) % 255);
}

/**
 * Resolves when the objects of entries can be read without waiting for the disk, which would keep the event loop. `undefined` if they can be read now.
 */
export function whenResident(entries: readonly Entry[]): Promise<void> | undefined {
  const period = residencyPeriod();
  const isCold = (entry: Entry): boolean => !entry.isResident(period);
  return entries.some(isCold) ? load(entries, isCold) : undefined;
}

async function load(entries: readonly Entry[], isCold: (entry: Entry) => boolean): Promise<void> {
  for (let from = 0; from < entries.length; from += AT_ONCE)
    await Promise.all(entries.slice(from, from + AT_ONCE).map((entry) => (isCold(entry) ? entry.load() : undefined)));
}
