import { work } from '../values/meter.js';
import { dateOf } from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, Duration, Timestamp } from '../values/value.js';
import { define, type FunctionDef } from './declare.js';

const OFFSET = /^([+-]?\d+):(-?\d+)$/;

/** Minutes east of UTC of a zone at a time. */
function offsetOf(zone: string, time: Timestamp): number | CelError {
  if (!zone.includes(':')) return zone === '' || zone === 'UTC' ? 0 : namedOffset(zone, time);
  const match = OFFSET.exec(zone);
  if (match === null)
    return new CelError(`strconv.Atoi: parsing ${JSON.stringify(zone.split(':')[0])}: invalid syntax`);
  const [hours = 0, minutes = 0] = match.slice(1).map(Number);
  return zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes;
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();
const MAX_ZONES = 600;

function namedOffset(zone: string, time: Timestamp): number | CelError {
  if (!formats.has(zone) && formats.size < MAX_ZONES) formats.set(zone, formatOf(zone));
  const format = formats.get(zone) ?? formatOf(zone);
  if (format === undefined) return new CelError(`unknown time zone ${zone}`);
  const text = format.formatToParts(dateOf(time, 0)).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):?(\d+)?/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

const DAY_MS = 86_400_000;

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - new Date(date).setUTCMonth(0, 1)) / DAY_MS);
}

/** A part of a time. With `unit`, in nanoseconds, it is also the length of a duration in that unit. */
function part(name: string, read: (date: Date) => number, unit?: bigint): FunctionDef {
  const overloads = [`timestamp_to_${name}: timestamp.() -> int`, `timestamp_to_${name}_tz: timestamp.(string) -> int`];
  if (unit !== undefined) overloads.push(`duration_to_${name}: duration.() -> int`);
  return define(name, overloads, ([value = null, zone], meter) => {
    if (zone !== undefined) work(meter, 50);
    if (value instanceof Duration && unit !== undefined && zone === undefined) return value.nanos / unit;
    if (!(value instanceof Timestamp) || (zone !== undefined && typeof zone !== 'string')) {
      const args = zone === undefined ? [value] : [value, zone];
      return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
    }
    const offset = zone === undefined ? 0 : offsetOf(zone, value);
    return typeof offset === 'number' ? BigInt(read(dateOf(value, offset))) : offset;
  });
}

export const TIMES: readonly FunctionDef[] = [
  part('getFullYear', (date) => date.getUTCFullYear()),
  part('getMonth', (date) => date.getUTCMonth()),
  part('getDayOfYear', dayOfYear),
  part('getDayOfMonth', (date) => date.getUTCDate() - 1),
  part('getDate', (date) => date.getUTCDate()),
  part('getDayOfWeek', (date) => date.getUTCDay()),
  part('getHours', (date) => date.getUTCHours(), 3_600_000_000_000n),
  part('getMinutes', (date) => date.getUTCMinutes(), 60_000_000_000n),
  part('getSeconds', (date) => date.getUTCSeconds(), 1_000_000_000n),
  part('getMilliseconds', (date) => date.getUTCMilliseconds(), 1_000_000n),
];
