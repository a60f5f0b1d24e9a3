import { compareNumbers, isNumber } from '../json/exact.js';

type Kind = 'bool' | 'int' | 'float' | 'string';
type Comparable = string | number | bigint | boolean;

/**
 * The result of a comparison in a filter. `undefined` if the values cannot be compared: then the whole path finds
 * nothing. Whole numbers and others are different kinds, as in Go. A literal with a dot is no whole number.
 */
export function compared(
  operator: string,
  left: unknown,
  right: unknown,
  isLeftFloat: boolean,
  isRightFloat: boolean,
): boolean | undefined {
  const kind = kindOf(left, isLeftFloat);
  if (kind === undefined || kind !== kindOf(right, isRightFloat)) return undefined;
  const [a, b] = [left as Comparable, right as Comparable];
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (kind === 'bool') return undefined;
  const order = isNumber(a) && isNumber(b) ? compareNumbers(a, b) : a < b ? -1 : a > b ? 1 : 0;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return undefined;
  }
}

function kindOf(value: unknown, isFloat: boolean): Kind | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value !== 'number') return undefined;
  return isFloat || !Number.isInteger(value) ? 'float' : 'int';
}
