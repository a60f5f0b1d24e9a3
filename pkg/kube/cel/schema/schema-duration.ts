import { parseDuration } from '../values/time.js';
import { Duration } from '../values/value.js';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

/** Units with their short names, and the beginning of their long ones. */
const UNITS: readonly (readonly [size: bigint, exact: readonly string[], prefix: string])[] = [
  [1n, ['ns'], 'nano'],
  [1000n, ['us', 'µs'], 'micro'],
  [1_000_000n, ['ms'], 'milli'],
  [SECOND, ['s'], 'sec'],
  [MINUTE, ['m'], 'min'],
  [HOUR, ['h', 'hr'], 'hour'],
  [24n * HOUR, ['d'], 'day'],
  [7n * 24n * HOUR, ['w', 'wk'], 'week'],
];

/** The value of a string of the format duration: as Go writes it, or with words as `2 days`. */
export function parseSchemaDuration(text: string): Duration | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined) return plain;
  let total: bigint | undefined;
  for (const [, factor = '', word = ''] of text.matchAll(/(\d{1,19})\s*([A-Za-zµ]+)/g)) {
    const unit = word.toLowerCase();
    const unitRow = UNITS.find(([, exact, prefix]) => exact.includes(unit) || unit.startsWith(prefix));
    if (unitRow !== undefined) total = (total ?? 0n) + BigInt(factor) * unitRow[0];
  }
  return total === undefined ? undefined : new Duration(BigInt.asIntN(64, total));
}
