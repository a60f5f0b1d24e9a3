import { CelError, Duration, noOverload, Timestamp, Uint, type Value } from './value.js';

const NAN = new CelError('NaN values cannot be ordered');

/** -1, 0 or 1, or an error for what has no order. Numbers of different types are compared. */
export function compare(a: Value, b: Value): number | CelError {
  if (typeof a === 'bigint' && typeof b === 'bigint') return order(a, b);
  if (isNumber(a)) return isNumber(b) ? compareNumbers(a, b) : noOverload(b);
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : noOverload(b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? order(Number(a), Number(b)) : noOverload(b);
  if (a instanceof Timestamp) return b instanceof Timestamp ? order(a.nanos, b.nanos) : noOverload(b);
  if (a instanceof Duration) return b instanceof Duration ? order(a.nanos, b.nanos) : noOverload(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.compare(a, b) : noOverload(b);
  return noOverload(a);
}

/** Whether values of its type have an order. */
export function isComparable(value: Value): boolean {
  return (
    isNumber(value) ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    value instanceof Timestamp ||
    value instanceof Duration ||
    value instanceof Uint8Array
  );
}

type NumberValue = bigint | number | Uint;

function isNumber(value: Value): value is NumberValue {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

function order<T extends bigint | number>(a: T, b: T): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function compareNumbers(a: NumberValue, b: NumberValue): number | CelError {
  const x = a instanceof Uint ? a.value : a;
  const y = b instanceof Uint ? b.value : b;
  if (typeof x === 'bigint' && typeof y === 'bigint') return order(x, y);
  // As in cel-go, NaN has no order.
  if (Number.isNaN(x) || Number.isNaN(y)) return NAN;
  return order(Number(x), Number(y));
}

/** By code points, as UTF-8 is ordered. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return order(orderOf(x), orderOf(y));
  }
  return order(a.length, b.length);
}

/** Surrogates stand for the highest code points. */
function orderOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
