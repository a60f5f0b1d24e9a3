import { invalid, invalidPrinted } from './cause.js';
import { isInt64, printedFloat, printedNumber } from './go-text.js';
import { isNearlyInteger } from './kinds.js';
import type { Checks, NumberChecks } from './node.js';
import { addError, addProblem, fieldOf, pathOf, type Result } from './result.js';

const INT32_END = 2 ** 31;

/**
 * The range of the type and its format, and the limits. Kubernetes cuts a limit to an integer if the value is one: 3 is more than a maximum of 2.5,
 * and the message says 2.
 */
export function checkNumber(checks: Checks, value: number, result: Result): void {
  checkRange(checks, value, 'Checked', result);
  if (checks.number !== undefined) checkLimits(checks, checks.number, value, result);
  result.matches++;
}

function checkLimits(checks: Checks, limits: NumberChecks, value: number, result: Result): void {
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
function checkRange({ types, format }: Checks, value: number, what: string, result: Result): boolean {
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

function isInRange(type: string | undefined, format: string, value: number): boolean {
  if (type === 'integer') return isInt64(value) && (format !== 'int32' || (value >= -INT32_END && value < INT32_END));
  return type !== 'number' || format !== 'float' || Number.isFinite(Math.fround(value));
}

/** Which type Go compares: int64 if both the value and the limit are one, and float64 otherwise. It also decides how they are printed. */
interface Numbers {
  readonly isWhole: boolean;
  readonly value: number;
  readonly limit: number;
}

/** As Go converts a float64 to int64, but a limit beyond int64 stays what it is. */
function numbersOf(value: number, limit: number, isInRange: boolean): Numbers {
  const isWhole = isInRange && isInt64(value);
  return { isWhole, value, limit: isWhole ? Math.trunc(limit) + 0 : limit };
}

function checkMultiple({ isWhole, value, limit: factor }: Numbers, result: Result): void {
  if (factor <= 0) notPositive(isWhole ? printedNumber(factor) : printedFloat(factor), result);
  else if (isWhole ? value % factor !== 0 : !isNearlyInteger(factor < 1 ? (1 / factor) * value : value / factor)) {
    wrongNumber({ isWhole, value, limit: factor }, 'should be a multiple of', result);
  }
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
  if (isExclusive ? value < limit : value <= limit) return;
  wrongNumber(numbers, `should be less than${isExclusive ? '' : ' or equal to'}`, result);
}

function checkMinimum(numbers: Numbers, isExclusive: boolean, result: Result): void {
  const { value, limit } = numbers;
  if (isExclusive ? value > limit : value >= limit) return;
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
