import { concatenated, GrowingList } from '../values/list.js';
import type { Meter } from '../values/meter.js';
import { DURATION_OVERFLOW, durationOf, timestampOf } from '../values/time.js';
import {
  CelError,
  Duration,
  INT_MAX,
  INT_MIN,
  List,
  NO_OVERLOAD,
  noOverload,
  Timestamp,
  UINT_MAX,
  Uint,
  type Value,
} from '../values/value.js';
import { mergeLists } from './merge.js';

const INT_OVERFLOW = new CelError('integer overflow');
const UINT_OVERFLOW = new CelError('unsigned integer overflow');

function intOf(value: bigint): Value {
  return value < INT_MIN || value > INT_MAX ? INT_OVERFLOW : value;
}

function uintOf(value: bigint): Value {
  return value < 0n || value > UINT_MAX ? UINT_OVERFLOW : new Uint(value);
}

type Binary = (a: Value, b: Value) => Value;

/** An operator whose meaning depends on its left side. */
export function binary(name: string, call: Binary): (args: readonly Value[]) => Value {
  return ([a = null, b = null]) => {
    const result = call(a, b);
    return result === NO_OVERLOAD && !hasOperator(name, a) ? new CelError(`no such overload: ${name}`) : result;
  };
}

/** Whether the operator is known for values of this type on the left. */
function hasOperator(name: string, a: Value): boolean {
  if (typeof a === 'bigint' || a instanceof Uint) return true;
  if (typeof a === 'number') return name !== '_%_';
  if (name === '_+_') return typeof a === 'string' || isAddable(a);
  return name === '_-_' && (a instanceof Timestamp || a instanceof Duration);
}

function isAddable(a: Value): boolean {
  return a instanceof List || a instanceof Uint8Array || a instanceof Timestamp || a instanceof Duration;
}

export function add(a: Value, b: Value, meter: Meter): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a + b) : noOverload(b);
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a + b : noOverload(b);
  if (a instanceof List) return b instanceof List ? addLists(a, b, meter) : noOverload(b);
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value + b.value) : noOverload(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.concat([a, b]) : noOverload(b);
  return addTimes(a, b);
}

function addTimes(a: Value, b: Value): Value {
  if (a instanceof Duration) {
    if (b instanceof Duration) return durationOf(a.nanos + b.nanos);
    return b instanceof Timestamp ? timestampOf(a.nanos + b.nanos, b.offset) : noOverload(b);
  }
  if (a instanceof Timestamp) return b instanceof Duration ? timestampOf(a.nanos + b.nanos, a.offset) : noOverload(b);
  return NO_OVERLOAD;
}

function addLists(a: List, b: List, meter: Meter): Value {
  if (a instanceof GrowingList) {
    for (let i = 0; i < b.size; i++) a.append(b.get(i));
    return a;
  }
  if (a.json?.type === 'set' || a.json?.type === 'map') return mergeLists(a, b, meter);
  return concatenated(a, b);
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a - b) : noOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a - b : noOverload(b);
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value - b.value) : noOverload(b);
  if (a instanceof Duration) return b instanceof Duration ? durationOf(a.nanos - b.nanos) : noOverload(b);
  if (a instanceof Timestamp) {
    if (b instanceof Duration) return timestampOf(a.nanos - b.nanos, a.offset);
    return b instanceof Timestamp ? durationOf(a.nanos - b.nanos) : noOverload(b);
  }
  return NO_OVERLOAD;
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a * b) : noOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a * b : noOverload(b);
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value * b.value) : noOverload(b);
  return NO_OVERLOAD;
}

const DIVISION = new CelError('division by zero');
const MODULUS = new CelError('modulus by zero');

export function divide(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b !== 'bigint' ? noOverload(b) : b === 0n ? DIVISION : intOf(a / b);
  if (typeof a === 'number') return typeof b === 'number' ? a / b : noOverload(b);
  if (a instanceof Uint)
    return !(b instanceof Uint) ? noOverload(b) : b.value === 0n ? DIVISION : uintOf(a.value / b.value);
  return NO_OVERLOAD;
}

export function modulo(a: Value, b: Value): Value {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return noOverload(b);
    if (b === 0n) return MODULUS;
    return a === INT_MIN && b === -1n ? INT_OVERFLOW : a % b;
  }
  if (a instanceof Uint)
    return !(b instanceof Uint) ? noOverload(b) : b.value === 0n ? MODULUS : new Uint(a.value % b.value);
  return NO_OVERLOAD;
}

export function negate(a: Value): Value {
  if (typeof a === 'bigint') return intOf(-a);
  if (typeof a === 'number') return -a;
  if (a instanceof Duration) return a.nanos === INT_MIN ? DURATION_OVERFLOW : new Duration(-a.nanos);
  return new CelError('no such overload: -_');
}
