import { isRefusal } from './move.js';

/** What a range of annotations is read with. */
export interface RangeReader<T extends { readonly time: number }> {
  /** The annotations of a range: those that begin in it, and those that reach into it. The newest ones only. */
  read(from: number, to: number, limit: number): Promise<readonly T[]>;
  /** The most of one answer, at first. */
  readonly limit: number;
  /** Not all that begin in a range can be read. */
  tooMany(from: number): void;
}

/** Servers take a range from 0 as no range. */
const EARLIEST = 1;
/** The end of the year 9999. */
const LATEST = 253_402_300_799_999;
/** So many times the limit may be asked for at once. */
const MOST_TIMES = 10;

/**
 * All annotations, one range of time after another. Servers answer the newest ones only, in orders of their own. So a
 * range is halved until the answer has room for all of it. If most of an answer began before the range, halving would
 * not make it shorter, so more is asked for.
 */
export function allRanges<T extends { readonly time: number }>(
  reader: RangeReader<T>,
): AsyncGenerator<readonly T[], void> {
  return ranges(reader, EARLIEST, LATEST, reader.limit);
}

async function* ranges<T extends { readonly time: number }>(
  reader: RangeReader<T>,
  from: number,
  to: number,
  limit: number,
): AsyncGenerator<readonly T[], void> {
  const { found, isWhole } = await wholeOf(reader, from, to, limit);
  const inside = found.filter(({ time }) => (time >= from || from === EARLIEST) && time <= to);
  if (isWhole || from === to || inside.length === 0) {
    if (!isWhole) reader.tooMany(from);
    yield inside;
    return;
  }
  const middle = Math.floor((from + to) / 2);
  yield* ranges(reader, from, middle, limit);
  yield* ranges(reader, middle + 1, to, limit);
}

interface Answered<T> {
  readonly found: readonly T[];
  readonly isWhole: boolean;
}

/** Asks for more as long as halving would not help. A server may give no more than it did. */
async function wholeOf<T extends { readonly time: number }>(
  reader: RangeReader<T>,
  from: number,
  to: number,
  limit: number,
): Promise<Answered<T>> {
  let found = await reader.read(from, to, limit);
  for (let more = limit; found.length >= more; ) {
    const before = found.filter(({ time }) => time < from).length;
    const isHalved = from < to && before * 2 < found.length;
    if (isHalved || more === limit * MOST_TIMES) return { found, isWhole: false };
    more = Math.min(more * 2, limit * MOST_TIMES);
    const next = await readMore(reader, from, to, more);
    if (next === undefined || next.length <= found.length) return { found, isWhole: false };
    found = next;
  }
  return { found, isWhole: true };
}

/** `undefined` if the server refuses so many, or its answer would be too large. */
async function readMore<T extends { readonly time: number }>(
  reader: RangeReader<T>,
  from: number,
  to: number,
  limit: number,
): Promise<readonly T[] | undefined> {
  try {
    return await reader.read(from, to, limit);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}
