import { z } from 'zod';
import { parseTime, type Time, utcMilliseconds } from '../../system/time/rfc3339.js';

/**
 * A time as Go's clients read it (metav1.MicroTime): in UTC, with exactly six digits after the point. Other digits and
 * offsets are converted.
 */
export function microTime(description: string) {
  return timeWith(6, description);
}

/** A time with whole seconds (metav1.Time). */
export function secondTime(description: string) {
  return timeWith(0, description);
}

function timeWith(digits: number, description: string) {
  return z
    .string()
    .max(40)
    .refine((text) => timeOf(text) !== undefined, 'must be a time such as 2026-01-31T12:00:00Z')
    .overwrite((text) => {
      const time = timeOf(text);
      return time === undefined ? text : inUtc(time, digits);
    })
    .meta({ description, format: 'date-time' });
}

/** Go's clients read years of four digits only, and read the year 1 as no time. */
function timeOf(text: string): Time | undefined {
  const time = parseTime(text);
  return time !== undefined && time.seconds >= FIRST && time.seconds < END ? time : undefined;
}

const FIRST = utcMilliseconds(2, 1, 1) / 1000;
const END = utcMilliseconds(10_000, 1, 1) / 1000;

function inUtc({ seconds, fraction }: Time, digits: number): string {
  const text = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  return digits === 0 ? `${text}Z` : `${text}.${fraction.padEnd(digits, '0').slice(0, digits)}Z`;
}
