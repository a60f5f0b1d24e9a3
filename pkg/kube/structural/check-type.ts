import { typeInvalid } from './cause.js';
import { isNearlyInteger, typeOf } from './kinds.js';
import type { Checks } from './node.js';
import { addProblem, type Result } from './result.js';
import { shownText } from './shown.js';

/**
 * The type of a value. As in Kubernetes, a format changes the check: an array passes where a string with a format is
 * wanted, and errors about other values name the format.
 */
export function checkType(checks: Checks, value: unknown, result: Result): void {
  const { types, format } = checks;
  if (types.length === 0 && format === '') return;
  const type = typeOf(value);
  const fits = types[0] === type || types.includes(type) || fitsNumber(types, type, value);
  const isText = type === 'string' || type === 'array';
  if (!isText && format !== '' && !fits) wrongType(result, format, formatOf(type));
  else if (isText && format !== '' && !hasNumbers(types)) result.matches++;
  else if (fits) result.matches++;
  else wrongType(result, types.join(','), type);
}

/** The type of null. It counts as a check even if the schema has no type. */
export function checkNull({ types, isNullable }: Checks, result: Result): void {
  if (types.length === 0 || isNullable) result.matches++;
  else wrongType(result, types.join(','), 'null');
}

export function wrongType(result: Result, wanted: string, found: string): void {
  addProblem(
    result,
    () => `must be of type ${wanted}: ${shownText(found)}`,
    (field, words) => typeInvalid(field, found, words),
  );
}

function fitsNumber(types: readonly string[], type: string, value: unknown): boolean {
  if (type === 'integer') return types.includes('number');
  return type === 'number' && types.includes('integer') && isNearlyInteger(value as number);
}

function hasNumbers(types: readonly string[]): boolean {
  return types.includes('number') || types.includes('integer');
}

function formatOf(type: string): string {
  if (type === 'integer') return 'int64';
  return type === 'number' ? 'float64' : '';
}
