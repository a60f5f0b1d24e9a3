import { compare } from '../values/compare.js';
import { isDict } from '../values/dict.js';
import { equal } from '../values/equal.js';
import type { Meter } from '../values/meter.js';
import { valueText } from '../values/type-name.js';
import { CelError, isError, List, NO_OVERLOAD, noOverload, type Value } from '../values/value.js';
import { add, binary, divide, modulo, multiply, negate, subtract } from './arithmetic.js';
import { define, type FunctionDef } from './declare.js';
import { size } from './sizes.js';

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
  const match = container.find(item);
  return match !== undefined && isError(match) ? match : match !== undefined;
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

export function noSuchKey(key: Value): CelError {
  return new CelError(`no such key: ${valueText(key)}`);
}
