import { humanDuration } from '../../system/time/human-duration.js';
import { parseTime } from '../../system/time/rfc3339.js';
import { isNumber } from '../json/exact.js';
import { printedJson } from './go-text.js';
import type { JsonPath } from './json-path.js';

/**
 * The cell of a printer column in the table of an object, as Kubernetes shows it: the first value that the path finds.
 * `type` is that of the column. Dates become ages: `now` is in milliseconds. Values of other types than the column's
 * are null.
 */
export function columnCell(
  path: JsonPath,
  type: string,
  object: unknown,
  now: number,
): string | number | bigint | boolean | null {
  const values = path.find(object);
  if (values === undefined || values.length === 0) return null;
  const [value] = values;
  if (type === 'string') return textOf(value);
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return isNumber(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  if (typeof value === 'object') return printedJson(value);
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Go writes small numbers with an exponent of at least two digits. */
function numberText(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-4;
  return (isSmall ? value.toExponential() : String(value)).replace(/e([-+])(\d)$/, 'e$10$2');
}

function ageOf(text: string, now: number): string {
  if (text === '' || text === 'null') return '<unknown>';
  const time = parseTime(text);
  if (time === undefined) return '<invalid>';
  return humanDuration(now - time.seconds * 1000 - Number(`0.${time.fraction}`) * 1000);
}
