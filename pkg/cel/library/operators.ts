import { compare } from '../values/compare.js';
import { isDict } from '../values/dict.js';
import { equal } from '../values/equal.js';
import { concatenated, GrowingList } from '../values/list.js';
import type { Meter } from '../values/meter.js';
import { DURATION_OVERFLOW, durationOf, timestampOf } from '../values/time.js';
import { valueText } from '../values/type-name.js';
import {
  CelError,
  Duration,
  INT_MAX,
  INT_MIN,
  isError,
  List,
  NO_OVERLOAD,
  noOverload,
  Timestamp,
  UINT_MAX,
  Uint,
  type Value,
} from '../values/value.js';
import { define, type FunctionDef } from './declare.js';
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

/** An operator for which the left side decides what it means. */
function binary(name: string, call: Binary): (args: readonly Value[]) => Value {
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

function add(a: Value, b: Value, meter: Meter): Value {
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

function subtract(a: Value, b: Value): Value {
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

function multiply(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a * b) : noOverload(b);
  if (typeof a === 'number') return typeof b === 'number' ? a * b : noOverload(b);
  if (a instanceof Uint) return b instanceof Uint ? uintOf(a.value * b.value) : noOverload(b);
  return NO_OVERLOAD;
}

const DIVISION = new CelError('division by zero');
const MODULUS = new CelError('modulus by zero');

function divide(a: Value, b: Value): Value {
  if (typeof a === 'bigint') return typeof b !== 'bigint' ? noOverload(b) : b === 0n ? DIVISION : intOf(a / b);
  if (typeof a === 'number') return typeof b === 'number' ? a / b : noOverload(b);
  if (a instanceof Uint)
    return !(b instanceof Uint) ? noOverload(b) : b.value === 0n ? DIVISION : uintOf(a.value / b.value);
  return NO_OVERLOAD;
}

function modulo(a: Value, b: Value): Value {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return noOverload(b);
    if (b === 0n) return MODULUS;
    return a === INT_MIN && b === -1n ? INT_OVERFLOW : a % b;
  }
  if (a instanceof Uint)
    return !(b instanceof Uint) ? noOverload(b) : b.value === 0n ? MODULUS : new Uint(a.value % b.value);
  return NO_OVERLOAD;
}

function negate(a: Value): Value {
  if (typeof a === 'bigint') return intOf(-a);
  if (typeof a === 'number') return -a;
  if (a instanceof Duration) return a.nanos === INT_MIN ? DURATION_OVERFLOW : new Duration(-a.nanos);
  return new CelError('no such overload: -_');
}

function ordered(name: string, holds: (order: number) => boolean): (args: readonly Value[]) => Value {
  return ([a = null, b = null]) => {
    const order = compare(a, b);
    if (typeof order === 'number') return holds(order);
    return order === NO_OVERLOAD && typeof compare(a, a) !== 'number'
      ? new CelError(`no such overload: ${name}`)
      : order;
  };
}

/** Whether the list has an element, or the map a key. */
function contains(item: Value, container: Value, meter: Meter): Value {
  if (container instanceof List) return listContains(container, item, meter);
  if (!isDict(container)) return noOverload(container);
  const found = container.find(item);
  return found !== undefined && isError(found) ? found : found !== undefined;
}

export function listContains(list: List, item: Value, meter: Meter): Value {
  let failed: Value | undefined;
  for (let i = 0; i < list.size; i++) {
    const same = equal(
      list.json === undefined ? item : list.get(i),
      list.json === undefined ? list.get(i) : item,
      meter,
    );
    if (same === true) return true;
    if (same !== false && list.json !== undefined) failed ??= noOverload(same);
  }
  return failed ?? false;
}

/** The number of characters, bytes, elements or entries. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return characters(value);
  if (value instanceof List || isDict(value)) return value.size;
  return value instanceof Uint8Array ? value.length : undefined;
}

const LONG = 1000;
const KEPT = 4;
const counts = new Map<string, number>();

/** The characters of a text. Those of the last long ones are kept, because a loop may ask for them again and again, at the cost of one. */
export function characters(text: string): number {
  if (text.length < LONG) return counted(text);
  const known = counts.get(text);
  if (known !== undefined) return known;
  const count = counted(text);
  if (counts.size >= KEPT) counts.clear();
  counts.set(text, count);
  return count;
}

/** Without making an array of them. */
function counted(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) pairs++;
  }
  return text.length - pairs;
}

function size([a = null]: readonly Value[]): Value {
  const found = sizeOf(a);
  return found === undefined ? new CelError('no such overload: size') : BigInt(found);
}

const COMPARED = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const NUMERIC = ['int', 'uint', 'double'];
const IDS: Readonly<Record<string, string>> = { int: 'int64', uint: 'uint64' };

function relation(name: string, id: string, holds: (order: number) => boolean): FunctionDef {
  const of = (type: string) => IDS[type] ?? type;
  const overloads = COMPARED.flatMap((left) => {
    const others = NUMERIC.includes(left) ? NUMERIC : [left];
    return others.map((right) => {
      const suffix = left === right ? of(left) : `${of(left)}_${of(right)}`;
      return `${id}_${suffix}: (${left}, ${right}) -> bool`;
    });
  });
  return define(name, overloads, ordered(name, holds));
}

const never = () => NO_OVERLOAD;

export const OPERATORS: readonly FunctionDef[] = [
  define('_?_:_', ['conditional: (bool, A, A) -> A'], never),
  define('_&&_', ['logical_and: (bool, bool) -> bool'], never),
  define('_||_', ['logical_or: (bool, bool) -> bool'], never),
  define('!_', ['logical_not: (bool) -> bool'], ([a = null]) => (typeof a === 'boolean' ? !a : noOverload(a))),
  define('@not_strictly_false', ['not_strictly_false: (bool) -> bool'], ([a = null]) => a !== false),
  define('_==_', ['equals: (A, A) -> bool'], ([a = null, b = null], meter) => equal(a, b, meter)),
  define('_!=_', ['not_equals: (A, A) -> bool'], ([a = null, b = null], meter) => equal(a, b, meter) !== true),
  define(
    '_+_',
    [
      'add_bytes: (bytes, bytes) -> bytes',
      'add_double: (double, double) -> double',
      'add_duration_duration: (duration, duration) -> duration',
      'add_duration_timestamp: (duration, timestamp) -> timestamp',
      'add_timestamp_duration: (timestamp, duration) -> timestamp',
      'add_int64: (int, int) -> int',
      'add_list: (list(A), list(A)) -> list(A)',
      'add_string: (string, string) -> string',
      'add_uint64: (uint, uint) -> uint',
    ],
    (args, meter) => binary('_+_', (a, b) => add(a, b, meter))(args),
  ),
  define(
    '_-_',
    [
      'subtract_double: (double, double) -> double',
      'subtract_duration_duration: (duration, duration) -> duration',
      'subtract_int64: (int, int) -> int',
      'subtract_timestamp_duration: (timestamp, duration) -> timestamp',
      'subtract_timestamp_timestamp: (timestamp, timestamp) -> duration',
      'subtract_uint64: (uint, uint) -> uint',
    ],
    binary('_-_', subtract),
  ),
  define(
    '_*_',
    [
      'multiply_double: (double, double) -> double',
      'multiply_int64: (int, int) -> int',
      'multiply_uint64: (uint, uint) -> uint',
    ],
    binary('_*_', multiply),
  ),
  define(
    '_/_',
    [
      'divide_double: (double, double) -> double',
      'divide_int64: (int, int) -> int',
      'divide_uint64: (uint, uint) -> uint',
    ],
    binary('_/_', divide),
  ),
  define('_%_', ['modulo_int64: (int, int) -> int', 'modulo_uint64: (uint, uint) -> uint'], binary('_%_', modulo)),
  define('-_', ['negate_double: (double) -> double', 'negate_int64: (int) -> int'], ([a = null]) => negate(a)),
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
  define(
    '_[_]',
    [
      'index_list: (list(A), int) -> A',
      'index_map: (map(A, B), A) -> B',
      'optional_list_index_int: (optional(list(V)), int) -> optional(V)',
      'optional_map_index_value: (optional(map(K, V)), K) -> optional(V)',
    ],
    never,
  ),
  define(
    '_[?_]',
    [
      'list_optindex_optional_int: (list(V), int) -> optional(V)',
      'optional_list_optindex_optional_int: (optional(list(V)), int) -> optional(V)',
      'map_optindex_optional_value: (map(K, V), K) -> optional(V)',
      'optional_map_optindex_optional_value: (optional(map(K, V)), K) -> optional(V)',
    ],
    never,
  ),
  define('_?._', ['select_optional_field: (dyn, string) -> optional(V)'], never),
  define('@in', ['in_list: (A, list(A)) -> bool', 'in_map: (A, map(A, B)) -> bool'], ([a = null, b = null], meter) =>
    contains(a, b, meter),
  ),
  define(
    'size',
    [
      'size_bytes: (bytes) -> int',
      'bytes_size: bytes.() -> int',
      'size_list: (list(A)) -> int',
      'list_size: list(A).() -> int',
      'size_map: (map(A, B)) -> int',
      'map_size: map(A, B).() -> int',
      'size_string: (string) -> int',
      'string_size: string.() -> int',
    ],
    size,
  ),
];

/** What is not there, in the words of cel-go. */
export function noSuchKey(key: Value): CelError {
  return new CelError(`no such key: ${valueText(key)}`);
}
