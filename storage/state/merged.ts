import type { Entry } from './entry.js';
import { isBefore, type RowPosition } from './position.js';

/** The entries of one source in an order that all sources share. No two sources have the same place. */
export interface Cursor {
  /** The place of the next entry. `undefined` at the end. */
  readonly next: RowPosition | undefined;
  /** Adds the next entries, at most so many, and none at or after a place. There is at least one. */
  take(entries: Entry[], limit: number, before: RowPosition | undefined): void;
}

/** The first entries of all sources together, at most so many. */
export function firstOf(cursors: readonly Cursor[], limit: number): readonly Entry[] {
  const entries: Entry[] = [];
  const [only] = cursors;
  if (only !== undefined && cursors.length === 1) {
    if (only.next !== undefined) only.take(entries, limit, undefined);
    return entries;
  }
  while (entries.length < limit) {
    const [first, before] = ahead(cursors);
    if (first === undefined) break;
    first.take(entries, limit - entries.length, before);
  }
  return entries;
}

/** The source with the next entry of all, and the place of the next entry of the others. */
function ahead(cursors: readonly Cursor[]): readonly [Cursor | undefined, RowPosition | undefined] {
  let first: Cursor | undefined;
  let [at, before]: (RowPosition | undefined)[] = [];
  for (const cursor of cursors) {
    const { next } = cursor;
    if (next === undefined) continue;
    if (at === undefined || isBefore(next, at)) [first, before, at] = [cursor, at, next];
    else if (before === undefined || isBefore(next, before)) before = next;
  }
  return [first, before];
}

/** The numbers of entries that are read at once, if nobody knows how many are wanted. */
const FEWEST = 8;
const MOST = 512;

/** The entries of all sources together. */
export function* allOf(cursors: readonly Cursor[]): Generator<Entry, void, undefined> {
  for (let size = FEWEST; ; size = Math.min(2 * size, MOST)) {
    const entries = firstOf(cursors, size);
    yield* entries;
    if (entries.length < size) return;
  }
}
