import { invalid } from './cause.js';
import { wrong } from './check-scalars.js';
import { isInt64, printedFloat, printedNumber } from './go-text.js';
import { isNearlyInteger } from './kinds.js';
import type { Checks, NumberChecks } from './node.js';
import { addError, type Result } from './result.js';

const INT32_END = 2 ** 31;

/**
 * The range of the type and its format, and the limits. Kubernetes cuts a limit to an integer if the value is one: 3 is more than a maximum of 2.5, and the
 * message says 2.
 */
export function checkNumber(checks: Checks, value: number, path: string, result: Result): void {
  checkRange(checks, value, 'Checked', path, result);
  if (checks.number !== undefined) checkLimits(checks, checks.number, value, path, result);
  result.matches++;
}

function checkLimits(checks: Checks, limits: NumberChecks, value: number, path: string, result: Result): void {
  const { multipleOf, maximum, minimum } = limits;
  if (multipleOf !== undefined) {
    const isInRange = checkRange(checks, multipleOf, 'MultipleOf', path, result);
    checkMultiple(value, multipleOf, isInRange, path, result);
  }
  if (minimum !== undefined) {
    const isInRange = checkRange(checks, minimum, 'Minimum boundary', path, result);
    checkMinimum(value, minimum, limits.exclusiveMinimum, isInRange, path, result);
  }
  if (maximum !== undefined) {
    const isInRange = checkRange(checks, maximum, 'Maximum boundary', path, result);
    checkMaximum(value, maximum, limits.exclusiveMaximum, isInRange, path, result);
  }
}

/** Whether a value or a limit has the type and format. These errors have no field in Kubernetes, but that of the root. */
function checkRange({ types, format }: Checks, value: number, what: string, path: string, result: Result): boolean {
  const type = types.length === 1 ? types[0] : '';
  if (isInRange(type, format, value)) return true;
  const words = `${what} value must be of type ${type} ${format === '' ? '(default format)' : `with format ${format}`} in ${path}`;
  addError(result, words, () => invalid(result.base, '', words));
  return false;
}

function isInRange(type: string | undefined, format: string, value: number): boolean {
  if (type === 'integer') return isInt64(value) && (format !== 'int32' || (value >= -INT32_END && value < INT32_END));
  return type !== 'number' || format !== 'float' || Number.isFinite(Math.fround(value));
}

function checkMultiple(value: number, factor: number, isWhole: boolean, path: string, result: Result): void {
  if (isWhole && isInt64(value)) {
    checkWholeMultiple(value, cut(factor), path, result);
    return;
  }
  if (factor <= 0) {
    notPositive(factor, printedFloat(factor), path, result);
    return;
  }
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  if (!isNearlyInteger(times)) wrong(result, path, value, `should be a multiple of ${printedFloat(factor)}`);
}

function checkWholeMultiple(value: number, factor: number, path: string, result: Result): void {
  if (factor <= 0) {
    notPositive(factor, printedNumber(factor), path, result);
    return;
  }
  if (value % factor !== 0) wrong(result, path, value, `should be a multiple of ${printedNumber(factor)}`);
}

function notPositive(factor: number, printed: string, path: string, result: Result): void {
  const words = `factor MultipleOf declared for ${path} must be positive: ${printed}`;
  addError(result, words, () => invalid(result.base, factor, words));
}

function checkMaximum(
  value: number,
  limit: number,
  isExclusive: boolean,
  isRight: boolean,
  path: string,
  result: Result,
): void {
  const isWhole = isRight && isInt64(value);
  const most = isWhole ? cut(limit) : limit;
  if (isExclusive ? value < most : value <= most) return;
  const printed = isWhole ? printedNumber(most) : printedFloat(most);
  wrong(result, path, value, `should be less than ${isExclusive ? '' : 'or equal to '}${printed}`);
}

function checkMinimum(
  value: number,
  limit: number,
  isExclusive: boolean,
  isRight: boolean,
  path: string,
  result: Result,
): void {
  const isWhole = isRight && isInt64(value);
  const least = isWhole ? cut(limit) : limit;
  if (isExclusive ? value > least : value >= least) return;
  const printed = isWhole ? printedNumber(least) : printedFloat(least);
  wrong(result, path, value, `should be greater than ${isExclusive ? '' : 'or equal to '}${printed}`);
}

/** As Go converts a float64 to int64, but a limit beyond int64 stays what it is. */
function cut(limit: number): number {
  return Math.trunc(limit) + 0;
}
