import { goDuration } from '../../../system/time/go-duration.js';
import { isDay, parseTime, utcMilliseconds } from '../../../system/time/rfc3339.js';
import { CelError, Duration, INT_MAX, INT_MIN, Timestamp } from './value.js';

const SECOND = 1_000_000_000n;
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;

export const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');
export const DURATION_OVERFLOW = new CelError('integer overflow');

/** The time of a text of RFC 3339. Undefined if it is not one. Fractions after nanoseconds are cut. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const time = parseTime(text);
  if (time === undefined) return undefined;
  const seconds = BigInt(time.seconds);
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) return TIMESTAMP_OVERFLOW;
  return new Timestamp(seconds * SECOND + BigInt(time.fraction.slice(0, 9).padEnd(9, '0')), time.offset);
}

/** `2006-01-02` as midnight in UTC. */
export function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return isDay(year, month, day) ? new Timestamp(BigInt(utcMilliseconds(year, month, day)) * 1_000_000n) : undefined;
}

/** The time of these nanoseconds since 1970, which must lie in the years from 1 to 9999. */
export function timestampOf(nanos: bigint, offset = 0): Timestamp | CelError {
  const seconds = floorDiv(nanos, SECOND);
  return seconds < MIN_SECONDS || seconds > MAX_SECONDS ? TIMESTAMP_OVERFLOW : new Timestamp(nanos, offset);
}

export function durationOf(nanos: bigint): Duration | CelError {
  return nanos < INT_MIN || nanos > INT_MAX ? DURATION_OVERFLOW : new Duration(nanos);
}

export function floorDiv(a: bigint, b: bigint): bigint {
  return a < 0n && a % b !== 0n ? a / b - 1n : a / b;
}

/** The date of a time in a zone `offset` minutes east of UTC, to be read in UTC. */
export function dateOf({ nanos }: Timestamp, offset: number): Date {
  return new Date(Number(floorDiv(nanos, 1_000_000n)) + offset * 60_000);
}

/** As Go's RFC3339Nano. */
export function timestampText(time: Timestamp): string {
  const date = dateOf(time, time.offset).toISOString();
  const fraction = (time.nanos - floorDiv(time.nanos, SECOND) * SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${date.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}${offsetText(time.offset)}`;
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** The duration of a text such as `1h30m`, as Go's time.ParseDuration. Undefined if it is not one. */
export function parseDuration(text: string): Duration | undefined {
  const nanos = goDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}
