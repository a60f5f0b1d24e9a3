const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** A time of a text, to the last digit. */
export interface Time {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** The digits after the point, of which there may be any number. */
  readonly fraction: string;
  /** Minutes east of UTC. */
  readonly offset: number;
}

/**
 * The time of a text of RFC 3339, as Go reads it. Undefined for any other text, and for a day or an hour that does not
 * exist. JavaScript's Date would read February 30th as March 2nd, and 24:00 as the next day, so texts of clients are
 * read here.
 */
export function parseTime(text: string): Time | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offset = offsetOf(match[8] ?? 'Z');
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const seconds = utcMilliseconds(year, month, day) / 1000 + (hour * 60 + minute - offset) * 60 + second;
  return { seconds, fraction: match[7] ?? '', offset };
}

/** Go's limits. */
function offsetOf(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  if (hours > 24 || minutes > 60) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Milliseconds from 1970 to the begin of a day in UTC. Date.UTC would add 1900 to years below 100. */
export function utcMilliseconds(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Whether the calendar has this day. */
export function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

const THIRTY_DAYS: ReadonlySet<number> = new Set([4, 6, 9, 11]);

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return THIRTY_DAYS.has(month) ? 30 : 31;
}
