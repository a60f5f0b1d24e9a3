import type { Entry, Wanted } from '../../storage/state/entry.js';
import { residencyPeriod, whenResident } from '../../storage/state/residency.js';

/** Thrown in place of a read that would block the event loop, because it waits for the disk or reads many objects. Await `ready`, and begin again. */
export class Unready extends Error {
  readonly ready: Promise<unknown>;

  constructor(ready: Promise<unknown>) {
    super('this read must begin again');
    this.ready = ready;
  }
}

/** Tells whether the code that reads now can begin again. If not, its reads wait for the disk. */
export interface Restart {
  readonly isPossible: boolean;
}

/** Entries that are read from the disk together, if one of them is not in the page cache. */
const TOGETHER = 500;

/** The same entries. Throws Unready in place of one that only the disk has, if its reader can begin again. */
export function readable(
  entries: Iterable<Entry>,
  restart: Restart | undefined,
  wanted: Wanted = 'all',
): Iterable<Entry> {
  return restart?.isPossible === true ? checked(entries, restart, wanted) : entries;
}

function* checked(entries: Iterable<Entry>, restart: Restart, wanted: Wanted): Generator<Entry, void, undefined> {
  const period = residencyPeriod();
  const iterator = entries[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const isRead = next.value.isResident(period, wanted) || !restart.isPossible;
    const group = isRead ? [next.value] : [next.value, ...taken(iterator, TOGETHER - 1)];
    const waiting = isRead ? undefined : whenResident(group, wanted);
    if (waiting !== undefined) throw new Unready(waiting);
    yield* group;
  }
}

/** The next entries, `most` at the most. */
export function taken(entries: Iterator<Entry>, most: number): readonly Entry[] {
  const some: Entry[] = [];
  while (some.length < most) {
    const { done, value } = entries.next();
    if (done === true) break;
    some.push(value);
  }
  return some;
}
