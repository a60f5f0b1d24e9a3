import { isDay, utcMilliseconds } from '../../system/time/rfc3339.js';

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const FRACTION = /^[.,]\d+/;

interface Element {
  /** How Go's layout writes it. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly range?: readonly [string, number, number];
}

const ELEMENTS: readonly Element[] = [
  { name: '2006', pattern: /^\d{4}/ },
  { name: '-', pattern: /^-/ },
  { name: '01', pattern: /^\d{2}/, range: ['month', 1, 12] },
  { name: '-', pattern: /^-/ },
  { name: '02', pattern: /^\d{2}/ },
  { name: 'T', pattern: /^T/ },
  { name: '15', pattern: /^\d{1,2}/, range: ['hour', 0, 23] },
  { name: ':', pattern: /^:/ },
  { name: '04', pattern: /^\d{2}/, range: ['minute', 0, 59] },
  { name: ':', pattern: /^:/ },
  { name: '05', pattern: /^\d{2}/, range: ['second', 0, 59] },
];
const ZONE = /^(?:Z|[+-]\d{2}:\d{2})/;

/** What Go could not read, in its words. */
export class DecodeError extends Error {}

/** The same time in UTC, in seconds. Throws DecodeError. */
export function parsedTime(text: string): string {
  const numbers: number[] = [];
  let rest = text;
  for (const element of ELEMENTS) {
    const match = element.pattern.exec(rest)?.[0];
    if (match === undefined) throw new DecodeError(cannotParse(text, rest, element.name));
    checkRange(text, element, Number(match));
    if (/\d/.test(match)) numbers.push(Number(match));
    rest = rest.slice(match.length);
  }
  rest = rest.slice(FRACTION.exec(rest)?.[0].length ?? 0);
  const zone = ZONE.exec(rest)?.[0];
  if (zone === undefined) throw new DecodeError(cannotParse(text, rest, 'Z07:00'));
  if (zone.length < rest.length)
    throw new DecodeError(`${parsing(text)}: extra text: ${quotedBytes(rest.slice(zone.length))}`);
  return inUtc(text, numbers, zone);
}

function checkRange(text: string, { range }: Element, value: number): void {
  if (range === undefined) return;
  const [name, least, most] = range;
  if (value < least || value > most) throw new DecodeError(`${parsing(text)}: ${name} out of range`);
}

function inUtc(text: string, numbers: readonly number[], zone: string): string {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  if (!isDay(year, month, day)) throw new DecodeError(`${parsing(text)}: day out of range`);
  const date = new Date(utcMilliseconds(year, month, day));
  date.setUTCHours(hour, minute - offsetOf(zone), second);
  return `${date.toISOString().slice(0, -5)}Z`;
}

/** In minutes. */
function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}

function parsing(text: string): string {
  return `parsing time ${quotedBytes(text)}`;
}

function cannotParse(text: string, rest: string, element: string): string {
  return `${parsing(text)} as "${LAYOUT}": cannot parse ${quotedBytes(rest)} as "${element}"`;
}

/** As the package time of Go quotes: it escapes the bytes of all that is not ASCII. */
function quotedBytes(text: string): string {
  const escaped = [...text].map((char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    return char >= ' ' && char < '\u0080' ? char : Buffer.from(char).toString('hex').replace(/../g, '\\x$&');
  });
  return `"${escaped.join('')}"`;
}
