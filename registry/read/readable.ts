import type { Entry, EntryParts } from '../../storage/state/entry.js';
import { residencyPeriod, whenResident } from '../../storage/state/residency.js';
import { keptAnyway, Retry } from '../signals/retry.js';

/** Entries that are read from the disk together, if one of them is not in the page cache. */
const TOGETHER = 500;

/** The same entries. Throws Retry in place of one that only the disk has, as long as its reader may begin again. */
export function readable(
  entries: Iterable<Entry>,
  mayRetry: (() => boolean) | undefined,
  wanted: EntryParts = 'all',
): Iterable<Entry> {
  return mayRetry?.() === true ? checked(entries, mayRetry, wanted) : entries;
}

function* checked(
  entries: Iterable<Entry>,
  mayRetry: () => boolean,
  wanted: EntryParts,
): Generator<Entry, void, undefined> {
  const period = residencyPeriod();
  const iterator = entries[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const isRead = next.value.isResident(period, wanted) || !mayRetry();
    const group = isRead ? [next.value] : [next.value, ...takeReadable(iterator, TOGETHER - 1)];
    const waiting = isRead ? undefined : whenResident(group, wanted);
    if (waiting !== undefined) throw new Retry('the objects are read from the disk', keptAnyway(waiting));
    yield* group;
  }
}

/** The next entries, at most `limit`. */
export function takeReadable(entries: Iterator<Entry>, limit: number): readonly Entry[] {
  const some: Entry[] = [];
  while (some.length < limit) {
    const { done, value } = entries.next();
    if (done === true) break;
    some.push(value);
  }
  return some;
}
