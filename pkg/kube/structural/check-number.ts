import { compareNumbers, integerOf } from '../json/exact.js';
import { invalid, invalidPrinted } from './cause.js';
import { isInt64, printedFloat, printedNumber } from './go-text.js';
import { isNearlyInteger } from './kinds.js';
import type { Checks, NumberChecks } from './node.js';
import { addError, addProblem, fieldOf, pathOf, type Result } from './result.js';

const INT32_END = 2 ** 31;

/**
 * The range of the type and its format, and the limits. Kubernetes cuts a limit to an integer if the value is one: 3 is
 * more than a maximum of 2.5, and the message says 2.
 */
export function checkNumber(checks: Checks, value: number | bigint, result: Result): void {
  checkRange(checks, value, 'Checked', result);
  if (checks.number !== undefined) checkLimits(checks, checks.number, value, result);
  result.matches++;
}

function checkLimits(checks: Checks, limits: NumberChecks, value: number | bigint, result: Result): void {
  const { multipleOf, maximum, minimum } = limits;
  if (multipleOf !== undefined) {
    const isInRange = checkRange(checks, multipleOf, 'MultipleOf', result);
    checkMultiple(numbersOf(value, multipleOf, isInRange), result);
  }
  if (minimum !== undefined) {
    const isInRange = checkRange(checks, minimum, 'Minimum boundary', result);
    checkMinimum(numbersOf(value, minimum, isInRange), limits.exclusiveMinimum, result);
  }
  if (maximum !== undefined) {
    const isInRange = checkRange(checks, maximum, 'Maximum boundary', result);
    checkMaximum(numbersOf(value, maximum, isInRange), limits.exclusiveMaximum, result);
  }
}

/** Whether a value or a limit has the type and format. As in Kubernetes, the field of these errors is the root. */
function checkRange({ types, format }: Checks, value: number | bigint, what: string, result: Result): boolean {
  const type = types.length === 1 ? types[0] : '';
  if (isInRange(type, format, value)) return true;
  const shown = format === '' ? '(default format)' : `with format ${format}`;
  addError(
    result,
    () => `${what} value must be of type ${type} ${shown} in ${pathOf(result)}`,
    (words) => invalid(result.base, '', words),
  );
  return false;
}

function isInRange(type: string | undefined, format: string, value: number | bigint): boolean {
  if (type === 'integer') return isInt64(value) && (format !== 'int32' || (value >= -INT32_END && value < INT32_END));
  return type !== 'number' || format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

/**
 * Which type Go compares: int64 if both the value and the limit are one, and float64 otherwise. It also decides how
 * they are printed.
 */
interface Numbers {
  readonly isWhole: boolean;
  readonly value: number | bigint;
  readonly limit: number | bigint;
}

/** As Go converts a float64 to int64, but a limit beyond int64 stays what it is. */
function numbersOf(value: number | bigint, limit: number | bigint, isInRange: boolean): Numbers {
  const isWhole = isInRange && isInt64(value);
  return { isWhole, value, limit: isWhole && typeof limit === 'number' ? Math.trunc(limit) + 0 : limit };
}

function checkMultiple({ isWhole, value, limit: factor }: Numbers, result: Result): void {
  if (factor <= 0) notPositive(isWhole ? printedNumber(factor) : printedFloat(factor), result);
  else if (isWhole ? hasRest(value, factor) : !isNearlyInteger(quotient(Number(value), Number(factor)))) {
    wrongNumber({ isWhole, value, limit: factor }, 'should be a multiple of', result);
  }
}

function hasRest(value: number | bigint, factor: number | bigint): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return Number(value) % Number(factor) !== 0;
  return isInt64(factor) && integerOf(value) % integerOf(factor) !== 0n;
}

function quotient(value: number, factor: number): number {
  return factor < 1 ? (1 / factor) * value : value / factor;
}

function notPositive(printed: string, result: Result): void {
  addError(
    result,
    () => `factor MultipleOf declared for ${pathOf(result)} must be positive: ${printed}`,
    (words) => invalidPrinted(fieldOf(result, pathOf(result)), printed, words),
  );
}

function checkMaximum(numbers: Numbers, isExclusive: boolean, result: Result): void {
  const { value, limit } = numbers;
  if (isExclusive ? compareNumbers(value, limit) < 0 : compareNumbers(value, limit) <= 0) return;
  wrongNumber(numbers, `should be less than${isExclusive ? '' : ' or equal to'}`, result);
}

function checkMinimum(numbers: Numbers, isExclusive: boolean, result: Result): void {
  const { value, limit } = numbers;
  if (isExclusive ? compareNumbers(value, limit) > 0 : compareNumbers(value, limit) >= 0) return;
  wrongNumber(numbers, `should be greater than${isExclusive ? '' : ' or equal to'}`, result);
}

function wrongNumber({ isWhole, value, limit }: Numbers, problem: string, result: Result): void {
  const print = isWhole ? printedNumber : printedFloat;
  addProblem(
    result,
    () => `${problem} ${print(limit)}`,
    (field, words) => invalidPrinted(field, print(value), words),
  );
}
