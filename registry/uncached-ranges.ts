import type { IndexRange } from '../storage/backend.js';
import type { EntryRow } from '../storage/cacher/uncached.js';
import { encodeTuple, prefixEnd, type Tuple } from '../storage/tuple.js';
import type { ScanRange } from './collection.js';
import type { Kind } from './kind.js';
import type { Entry } from './reader.js';
import type { Registry } from './registry.js';
import { apiErrorOf } from './storage-errors.js';

/** The objects of a kind with a row in an index whose tuple begins with `prefix`, in index order. */
export interface UncachedRange {
  readonly index: string;
  readonly prefix: Tuple;
  /** The bounds of the tuple after the prefix. `from` is inclusive and `to` is exclusive. */
  readonly from?: Tuple;
  readonly to?: Tuple;
  /** Descending order. */
  readonly reverse?: boolean;
  /** How many rows are read at first, for a reader that will probably need no more. Absent: 100. */
  readonly first?: number;
}

/**
 * Several ranges are read as one, in the order of what follows their prefixes, then of the keys. An object that has the same there in several
 * ranges occurs once. All must have the same direction. Each reads on its own, so there should be few.
 */
export type UncachedRanges = UncachedRange | readonly UncachedRange[];

/** What is read, and at which revision. */
export interface RangeReader {
  readonly registry: Registry;
  readonly kind: Kind;
  readonly revision: number;
}

/** The objects of a range of keys. */
export async function* readKeys(reader: RangeReader, { low, high }: ScanRange): AsyncGenerator<Entry, void, undefined> {
  for await (const rows of chunks(reader, { from: low, to: high, limit: Number.POSITIVE_INFINITY }))
    for (const { entry } of rows) yield entry;
}

export async function* readRanges(reader: RangeReader, ranges: UncachedRanges): AsyncGenerator<Entry, void, undefined> {
  const [first, ...others] = 'index' in ranges ? [ranges] : ranges;
  if (first === undefined) return;
  if (others.length > 0) return yield* merge(reader, [first, ...others]);
  for await (const rows of chunks(reader, indexRange(first), first.first)) for (const { entry } of rows) yield entry;
}

async function* merge(reader: RangeReader, ranges: readonly UncachedRange[]): AsyncGenerator<Entry, void, undefined> {
  const cursors = ranges.map((range) => new Cursor(reader, range));
  try {
    await Promise.all(cursors.map((cursor) => cursor.next()));
    const isReverse = ranges[0]?.reverse === true;
    for (let seen: string | undefined; ; ) {
      const next = foremost(cursors, isReverse);
      if (next?.row === undefined) return;
      const { rest, row } = next;
      if (rest !== seen) yield row.entry;
      seen = rest;
      // Only the end of a chunk needs a turn of the event loop.
      if (!next.advance()) await next.next();
    }
  } finally {
    await Promise.all(cursors.map((cursor) => cursor.close()));
  }
}

function foremost(cursors: readonly Cursor[], isReverse: boolean): Cursor | undefined {
  let found: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.row === undefined) continue;
    if (found === undefined || (isReverse ? cursor.rest > found.rest : cursor.rest < found.rest)) found = cursor;
  }
  return found;
}

/** A position in a range. */
class Cursor {
  /** Absent at the end of the range. */
  row: EntryRow | undefined;
  /** What follows the prefix in the row key. */
  rest = '';
  readonly #prefix: number;
  readonly #chunks: AsyncGenerator<readonly EntryRow[], void, undefined>;
  #rows: readonly EntryRow[] = [];
  #position = -1;

  constructor(reader: RangeReader, range: UncachedRange) {
    this.#prefix = encodeTuple(range.prefix).length;
    this.#chunks = chunks(reader, indexRange(range), range.first);
  }

  /** Moves to the next row of the chunk. Returns false, and does not move, if that was the last. */
  advance(): boolean {
    const row = this.#rows[this.#position + 1];
    if (row === undefined) return false;
    this.#position++;
    this.row = row;
    this.rest = row.rowKey.slice(this.#prefix);
    return true;
  }

  /** Moves to the first row of the next chunk that has one. */
  async next(): Promise<void> {
    this.row = undefined;
    for (;;) {
      const { value } = await this.#chunks.next();
      if (value === undefined) return;
      this.#rows = value;
      this.#position = -1;
      if (this.advance()) return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return();
  }
}

async function* chunks(
  { registry, kind, revision }: RangeReader,
  range: IndexRange,
  first?: number,
): AsyncGenerator<readonly EntryRow[], void, undefined> {
  try {
    yield* registry.uncached.chunks(kind.qualified, range, { revision, ...(first !== undefined && { first }) });
  } catch (error) {
    throw apiErrorOf(error);
  }
}

function indexRange({ index, prefix, from = [], to, reverse = false }: UncachedRange): IndexRange {
  const start = encodeTuple([...prefix, ...from]);
  const end = to === undefined ? prefixEnd(encodeTuple(prefix)) : encodeTuple([...prefix, ...to]);
  return { index, from: start, to: end, limit: Number.POSITIVE_INFINITY, reverse };
}
