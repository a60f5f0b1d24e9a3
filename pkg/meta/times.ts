import { z } from 'zod';

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A time as Go's clients read it (metav1.MicroTime): in UTC, with exactly six digits after the point. Other digits and offsets are converted. */
export function microTime(description: string) {
  return timeWith(6).describe(description);
}

/** A time with whole seconds (metav1.Time). */
export function secondTime(description: string) {
  return timeWith(0).describe(description);
}

function timeWith(digits: number) {
  return z
    .string()
    .max(40)
    .refine(isTime, 'must be a time such as 2026-01-31T12:00:00Z')
    .overwrite((text) => (isTime(text) ? inUtc(text, digits) : text));
}

function isTime(text: string): boolean {
  const time = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  return time >= FIRST && time < END;
}

/** Go's clients read years of four digits only, and read the year 1 as no time. */
const FIRST = Date.parse('0002-01-01T00:00:00Z');
const END = Date.parse('+010000-01-01T00:00:00Z');

/** Date has milliseconds only, so the digits after the point are kept as text. */
function inUtc(text: string, digits: number): string {
  const fraction = RFC3339.exec(text)?.[1] ?? '.';
  const seconds = new Date(Math.floor(Date.parse(text) / 1000) * 1000).toISOString().slice(0, -'.000Z'.length);
  return digits === 0 ? `${seconds}Z` : `${seconds}${fraction.padEnd(digits + 1, '0').slice(0, digits + 1)}Z`;
}
