import { isDay } from '../../system/time/rfc3339.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u;

/** A day that exists, as RFC 3339's full-date. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return isDay(year, month, day);
}

/** RFC 3339's date-time. What comes after a second T is not looked at, as in Kubernetes. */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const match = TIME.exec(time);
  if (match === null) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);
const LOOSE_UNITS: ReadonlySet<string> = new Set(
  ['ns us µs ms s m h d w', 'hr wk', 'nano micro milli sec min hour day week'].flatMap((units) => units.split(' ')),
);
const LONG_UNITS: readonly string[] = 'nano micro milli sec min hour day week'.split(' ');
const INT64_END = 2 ** 63;

/** A duration of Go (`1h30m`), or text with a number and a unit in it (`22 ns`, `3 days`), as Scala has them. */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || isLooseDuration(text);
}

function isGoDuration(text: string): boolean {
  const body = text.startsWith('-') || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return true;
  if (body === '') return false;
  const part = /(\d*)(?:\.(\d*))?([^.\d]+)/y;
  let total = 0;
  while (part.lastIndex < body.length) {
    const match = part.exec(body);
    if (match === null) return false;
    const [, whole = '', fraction = '', unit = ''] = match;
    const scale = UNITS.get(unit);
    if (scale === undefined || (whole === '' && fraction === '')) return false;
    total += Number(`${whole === '' ? '0' : whole}.${fraction}`) * scale;
  }
  return total < INT64_END;
}

/** Reads the digits, spaces and letters itself: a pattern for them would try each digit of a long number again. */
function isLooseDuration(text: string): boolean {
  let isFound = false;
  let offset = 0;
  while (offset < text.length) {
    const digits = run(text, offset, isDigit);
    const spaces = digits === offset ? offset : run(text, digits, isSpace);
    const letters = digits === offset ? offset : run(text, spaces, isLetter);
    if (letters > spaces) {
      if (Number(text.slice(offset, digits)) >= INT64_END) return false;
      isFound ||= isLooseUnit(text.slice(spaces, letters).toLowerCase());
    }
    offset = Math.max(letters, offset + 1);
  }
  return isFound;
}

function isLooseUnit(unit: string): boolean {
  return LOOSE_UNITS.has(unit) || LONG_UNITS.some((long) => unit.startsWith(long));
}

function run(text: string, from: number, isPart: (code: number) => boolean): number {
  let offset = from;
  while (offset < text.length && isPart(text.charCodeAt(offset))) offset++;
  return offset;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0xb5;
}
