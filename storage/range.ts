import type { IndexRange } from './backend.js';

/** The rest of a range behind a row: where the next page begins. */
export function behind(range: IndexRange, rowKey: string): IndexRange {
  // NUL is the least that can follow a row key.
  return range.reverse === true ? { ...range, to: rowKey } : { ...range, from: `${rowKey}\0` };
}

/** The part of a range up to and including a row. */
export function upTo(range: IndexRange, rowKey: string): IndexRange {
  return range.reverse === true ? { ...range, from: rowKey } : { ...range, to: `${rowKey}\0` };
}
