import { isDay, parseTime, utcMilliseconds } from '../../time/rfc3339.js';
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
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0] = found.slice(1).map(Number);
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

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** The duration of a text such as `1h30m`, as Go's time.ParseDuration. Undefined if it is not one. */
export function parseDuration(text: string): Duration | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const rest = text.slice(sign.length);
  if (rest === '0') return new Duration(0n);
  if (rest === '' || rest.length > 400) return undefined;
  let nanos = 0n;
  for (let at = 0; at < rest.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const found = PART.exec(rest);
    if (found === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = found;
    if (whole === '' && fraction === '') return undefined;
    const size = UNITS[unit] ?? 0n;
    nanos += BigInt(whole === '' ? 0 : whole) * size + fractionOf(fraction, size);
    if (nanos > INT_MAX + 1n) return undefined;
  }
  const total = sign === '-' ? -nanos : nanos;
  return total > INT_MAX ? undefined : new Duration(total);
}

function fractionOf(digits: string, size: bigint): bigint {
  if (digits === '') return 0n;
  const used = digits.slice(0, 18);
  return (BigInt(used) * size) / 10n ** BigInt(used.length);
}
