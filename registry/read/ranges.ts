import { encodeTuple, prefixEnd, type Tuple } from '../../storage/state/tuple.js';
import type { EntryRow, RowRange } from '../../storage/state/walk.js';
import type { Entry, Reader } from './reader.js';

/** The objects of a kind with a row in an index whose tuple begins with `prefix`, in index order. */
export interface IndexRange {
  readonly index: string;
  readonly prefix: Tuple;
  /** The bounds of the tuple after the prefix. `from` is inclusive and `to` is exclusive. */
  readonly from?: Tuple;
  readonly to?: Tuple;
  /** Descending order. */
  readonly reverse?: boolean;
}

/**
 * Several ranges are read as one, in the order of what follows their prefixes, then of the keys. An object that has the
 * same there in several ranges occurs once. All must have the same direction.
 */
export type Ranges = IndexRange | readonly IndexRange[];

/** The row keys of a range. */
export function rowRange({ index, prefix, from = [], to, reverse = false }: IndexRange): RowRange {
  const start = encodeTuple([...prefix, ...from]);
  const end = to === undefined ? prefixEnd(encodeTuple(prefix)) : encodeTuple([...prefix, ...to]);
  return { index, from: start, to: end, reverse };
}

/** The objects of ranges. An object with several rows in a range occurs once for each row. */
export function* entriesOf(reader: Reader, resource: string, ranges: Ranges): Generator<Entry, void, undefined> {
  const [first, ...others] = 'index' in ranges ? [ranges] : ranges;
  if (first === undefined) return;
  if (others.length > 0) return yield* merged(reader, resource, [first, ...others]);
  for (const { entry } of reader.rows(resource, rowRange(first))) yield entry;
}

/** A position in a range. */
interface Head {
  readonly rows: Iterator<EntryRow>;
  /** The length of the prefix. */
  readonly skipped: number;
  row: EntryRow | undefined;
  /** What follows the prefix in the row key. */
  rest: string;
}

function* merged(reader: Reader, resource: string, ranges: readonly IndexRange[]): Generator<Entry, void, undefined> {
  const heads = ranges.map((range): Head => {
    const rows = reader.rows(resource, rowRange(range))[Symbol.iterator]();
    return advanced({ rows, skipped: encodeTuple(range.prefix).length, row: undefined, rest: '' });
  });
  const isReverse = ranges[0]?.reverse === true;
  for (let seen: string | undefined; ; ) {
    const next = foremost(heads, isReverse);
    if (next?.row === undefined) return;
    const { rest, row } = next;
    advanced(next);
    if (rest !== seen) yield row.entry;
    seen = rest;
  }
}

function advanced(head: Head): Head {
  const { done, value } = head.rows.next();
  head.row = done === true ? undefined : value;
  head.rest = head.row?.rowKey.slice(head.skipped) ?? '';
  return head;
}

function foremost(heads: readonly Head[], isReverse: boolean): Head | undefined {
  let found: Head | undefined;
  for (const head of heads) {
    if (head.row === undefined) continue;
    if (found === undefined || (isReverse ? head.rest > found.rest : head.rest < found.rest)) found = head;
  }
  return found;
}
