import { isDict } from '../values/dict.js';
import { listOf, valuesOf } from '../values/list.js';
import { type Meter, work } from '../values/meter.js';
import { valueText } from '../values/type-name.js';
import {
  CelError,
  Duration,
  List,
  NO_OVERLOAD,
  NONE,
  noOverload,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.js';
import { define, type FunctionDef } from './declare.js';

/** The zero time is the first of January of the year 1. */
const ZERO_TIME = -62_135_596_800n * 1_000_000_000n;

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === ZERO_TIME;
  if (value instanceof Optional) return value.value === undefined;
  if (value instanceof Uint8Array) return value.length === 0;
  // As in Kubernetes, lists and maps that are parts of the object are never zero, even if they are empty.
  if (value instanceof List || isDict(value)) return value.json === undefined && value.size === 0;
  return false;
}

function dereferenced(value: Value): Value {
  if (!(value instanceof Optional)) return noOverload(value);
  return value.value ?? (value.value === null ? null : new CelError('optional.none() dereference'));
}

function unwrapped(list: Value, meter: Meter): Value {
  if (!(list instanceof List)) return noOverload(list);
  work(meter, list.size);
  const results: Value[] = [];
  for (const value of valuesOf(list)) {
    if (!(value instanceof Optional)) return new CelError(`value ${valueText(value)} is not optional`);
    if (value.value !== undefined) results.push(value.value);
  }
  return listOf(results);
}

function at(list: Value, index: (size: number) => number): Value {
  if (!(list instanceof List)) return noOverload(list);
  return list.size === 0 ? NONE : new Optional(list.get(index(list.size)));
}

export const OPTIONALS: readonly FunctionDef[] = [
  define('optional.of', ['optional_of: (V) -> optional(V)'], ([value = null]) => new Optional(value)),
  define('optional.ofNonZeroValue', ['optional_ofNonZeroValue: (V) -> optional(V)'], ([value = null]) =>
    isZero(value) ? NONE : new Optional(value),
  ),
  define('optional.none', ['optional_none: () -> optional(V)'], () => NONE),
  define('value', ['optional_value: optional(V).() -> V'], ([value = null]) => dereferenced(value)),
  define('hasValue', ['optional_hasValue: optional(V).() -> bool'], ([value = null]) =>
    value instanceof Optional ? value.value !== undefined : noOverload(value),
  ),
  define('or', ['optional_or_optional: optional(V).(optional(V)) -> optional(V)'], () => NO_OVERLOAD),
  define('orValue', ['optional_orValue_value: optional(V).(V) -> V'], () => NO_OVERLOAD),
  define('last', ['list_last: list(V).() -> optional(V)'], ([list = null]) => at(list, (size) => size - 1)),
  define('first', ['list_first: list(V).() -> optional(V)'], ([list = null]) => at(list, () => 0)),
  define('optional.unwrap', ['optional_unwrap: (list(optional(V))) -> list(V)'], ([list = null], meter) =>
    unwrapped(list, meter),
  ),
  define('unwrapOpt', ['optional_unwrapOpt: list(optional(V)).() -> list(V)'], ([list = null], meter) =>
    unwrapped(list, meter),
  ),
];
