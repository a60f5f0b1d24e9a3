import { canonicalJson } from '../json/canonical.js';
import type { JsonPath } from './json-path.js';

/**
 * The cell of a printer column in the table of an object, as Kubernetes shows it: the first value that the path finds. `type` is that of the column. Dates become
 * ages: `now` is in milliseconds. Values of other types than the column's are null.
 */
export function columnCell(
  path: JsonPath,
  type: string,
  object: unknown,
  now: number,
): string | number | boolean | null {
  const values = path.find(object);
  if (values === undefined || values.length === 0) return null;
  const [value] = values;
  if (type === 'string') return textOf(value);
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  if (typeof value === 'object') {
    return canonicalJson(value).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? char);
  }
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Go writes small numbers with an exponent of at least two digits. */
function numberText(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  return (isSmall ? value.toExponential() : String(value)).replace(/e([-+])(\d)$/, 'e$10$2');
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d{1,30})?(?:Z|[-+]\d{2}:\d{2})$/;

function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const time = RFC3339.test(text) ? Date.parse(text.replace(',', '.')) : Number.NaN;
  return Number.isNaN(time) ? '<invalid>' : humanDuration(now - time);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** A duration in at most two units, as kubectl shows ages: `5m10s`, `2d3h`. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 2 * MINUTE) return `${Math.max(seconds, 0)}s`;
  if (seconds < 10 * MINUTE) return inUnits(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return inUnits(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return inUnits(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return inUnits(seconds, YEAR, 'y', DAY, 'd');
  return `${Math.floor(seconds / YEAR)}y`;
}

function inUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`;
}
