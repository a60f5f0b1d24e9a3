import { typeNameOf } from '../values/type-name.js';
import { CelError, INT_MAX, isError, type Value } from '../values/value.js';
import { define, type FunctionDef } from './declare.js';
import {
  addQuantities,
  approximate,
  compareQuantities,
  parseQuantity,
  quantityOf,
  quantityValue,
  wholeOf,
} from './quantity.js';
import { compareSemver, parseSemver, parseTolerantSemver, semverOf, semverValue } from './semver.js';

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

function parsed(args: readonly Value[]): ReturnType<typeof parseSemver> | undefined {
  const [text, isTolerant = false] = args;
  if (typeof text !== 'string' || typeof isTolerant !== 'boolean') return undefined;
  return isTolerant ? parseTolerantSemver(text) : parseSemver(text);
}

function comparison(name: string, result: string, of: (order: bigint) => Value): FunctionDef {
  const id = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  const overloads = ['quantity', 'semver'].map((type) => `${type}_${id}: ${type}.(${type}) -> ${result}`);
  return define(name, overloads, (args) => {
    const [a, b] = args.map(quantityOf);
    if (a !== undefined && b !== undefined) return of(compareQuantities(a, b));
    const [x, y] = args.map(semverOf);
    return x !== undefined && y !== undefined ? of(compareSemver(x, y)) : overloadError(name, args);
  });
}

function arithmetic(name: string, sign: 1n | -1n): FunctionDef {
  const overloads = [
    `quantity_${name}: quantity.(quantity) -> quantity`,
    `quantity_${name}_int: quantity.(int) -> quantity`,
  ];
  return define(name, overloads, (args) => {
    const [first, second] = args;
    const a = quantityOf(first);
    const b = typeof second === 'bigint' ? { unscaled: second, exponent: 0, isDecimal: false } : quantityOf(second);
    return a === undefined || b === undefined ? overloadError(name, args) : quantityValue(addQuantities(a, b, sign));
  });
}

function ofQuantity(
  name: string,
  signature: string,
  call: (quantity: NonNullable<ReturnType<typeof quantityOf>>) => Value,
) {
  return define(name, [signature], (args) => {
    const quantity = quantityOf(args[0]);
    return quantity === undefined ? overloadError(name, args) : call(quantity);
  });
}

function number(name: string, index: 0 | 1 | 2): FunctionDef {
  return define(name, [`semver_${name}: semver.() -> int`], (args) => {
    const value = semverOf(args[0])?.numbers[index];
    if (value === undefined) return overloadError(name, args);
    return value > INT_MAX ? value - 2n ** 64n : value;
  });
}

export const VERSIONS: readonly FunctionDef[] = [
  define('quantity', ['string_to_quantity: (string) -> quantity'], (args) => {
    if (typeof args[0] !== 'string') return overloadError('quantity', args);
    const quantity = parseQuantity(args[0]);
    return quantity instanceof CelError ? quantity : quantityValue(quantity);
  }),
  define('isQuantity', ['is_quantity_string: (string) -> bool'], (args) =>
    typeof args[0] === 'string' ? !(parseQuantity(args[0]) instanceof CelError) : overloadError('isQuantity', args),
  ),
  ofQuantity('sign', 'quantity_sign: (quantity) -> int', ({ unscaled }) =>
    unscaled > 0n ? 1n : unscaled < 0n ? -1n : 0n,
  ),
  ofQuantity('asApproximateFloat', 'quantity_get_float: quantity.() -> double', approximate),
  ofQuantity(
    'asInteger',
    'quantity_get_int: quantity.() -> int',
    (quantity) => wholeOf(quantity) ?? new CelError('cannot convert value to integer'),
  ),
  ofQuantity('isInteger', 'quantity_is_integer: quantity.() -> bool', (quantity) => wholeOf(quantity) !== undefined),
  comparison('isGreaterThan', 'bool', (order) => order > 0n),
  comparison('isLessThan', 'bool', (order) => order < 0n),
  comparison('compareTo', 'int', (order) => order),
  arithmetic('add', 1n),
  arithmetic('sub', -1n),
  define(
    'semver',
    ['string_to_semver: (string) -> semver', 'string_bool_to_semver: (string, bool) -> semver'],
    (args) => {
      const version = parsed(args);
      if (version === undefined) return overloadError('semver', args);
      return version instanceof CelError ? version : semverValue(version);
    },
  ),
  define(
    'isSemver',
    ['is_semver_string: (string) -> bool', 'is_semver_string_bool: (string, bool) -> bool'],
    (args) => {
      const version = parsed(args);
      return version === undefined ? overloadError('isSemver', args) : !isError(version as Value);
    },
  ),
  number('major', 0),
  number('minor', 1),
  number('patch', 2),
];
