import type { Long } from 'protobufjs/light.js';
import { parseTime } from '../../system/time/rfc3339.js';
import { malformed } from './reader.js';

/** metav1.Time and MicroTime as messages. */
export interface Timestamp {
  readonly seconds?: Long | number;
  readonly nanos?: number;
}

/** How many digits of a second are in the text. */
export type Precision = 0 | 6;

/**
 * A time in RFC 3339 as Go writes it, with whole seconds or with microseconds. An empty message is no time.
 */
export function timeText({ seconds = 0, nanos = 0 }: Timestamp, precision: Precision): string | undefined {
  const whole = Number(seconds);
  if (whole === 0 && nanos === 0) return undefined;
  const date = new Date(whole * 1000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999 || nanos < 0 || nanos > 999_999_999)
    throw malformed('a time is out of range');
  const fraction = precision === 0 ? '' : `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`;
  return `${date.toISOString().slice(0, -'.000Z'.length)}${fraction}Z`;
}

/** The message of a time in RFC 3339. A text that is no time has an empty one. */
export function timestampOf(text: string, precision: Precision): Timestamp {
  const time = parseTime(text);
  if (time === undefined) return {};
  const nanos = precision === 0 ? 0 : Number(time.fraction.slice(0, precision).padEnd(9, '0'));
  return { seconds: time.seconds, nanos };
}
