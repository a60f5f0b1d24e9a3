import type { Entry } from './entry.js';
import { isBefore, type RowPosition } from './position.js';
import { rowKey } from './tuple.js';

/** The rows of an index from one row key, or a prefix of one, up to but without another. */
export interface RowRange {
  readonly index: string;
  readonly from: string;
  readonly to: string;
  /** Descending order. The bounds keep their meaning. */
  readonly reverse?: boolean;
}

/** A row of an index, with its object. */
export interface EntryRow {
  readonly rowKey: string;
  readonly entry: Entry;
}

/** Goes from row to row of one source in one direction. */
export interface Walker {
  /** The place of the row. `undefined` behind the last one. */
  readonly position: RowPosition | undefined;
  readonly entry: Entry;
  step(): void;
}

/** The rows of all sources together. No two sources have the same row. */
export function* rowsOf(walkers: readonly Walker[], isReverse: boolean): Generator<EntryRow, void, undefined> {
  for (;;) {
    let next: Walker | undefined;
    let first: RowPosition | undefined;
    for (const walker of walkers) {
      const { position } = walker;
      if (position === undefined || (first !== undefined && isBefore(position, first) === isReverse)) continue;
      [next, first] = [walker, position];
    }
    if (next === undefined || first === undefined) return;
    const { entry } = next;
    next.step();
    yield { rowKey: rowKey(first.tuple, entry.key), entry };
  }
}
