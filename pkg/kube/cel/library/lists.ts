import { compare, isComparable } from '../values/compare.js';
import { inserted, isDict, isGrowing } from '../values/dict.js';
import { equal } from '../values/equal.js';
import { GrowingList, listOf, valuesOf } from '../values/list.js';
import { type Meter, work, workOnText } from '../values/meter.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, Duration, isError, List, noOverload, Uint, type Value } from '../values/value.js';
import { define, type FunctionDef, type Implementation } from './declare.js';
import { listContains, OPERATORS } from './operators.js';
import { indexOfText } from './text-index.js';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const SUMMABLE = ['int', 'uint', 'double', 'duration'];

function onList(call: (list: List, args: readonly Value[], meter: Meter, overload?: string) => Value): Implementation {
  return ([list = null, ...args], meter, overload) => {
    if (!(list instanceof List)) return noOverload(list);
    work(meter, list.size);
    return call(list, args, meter, overload);
  };
}

function isSorted(list: List): Value {
  for (let i = 1; i < list.size; i++) {
    const order = compare(list.get(i - 1), list.get(i));
    if (order === 1) return false;
  }
  return true;
}

const plus = OPERATORS.find(({ name }) => name === '_+_')?.call;

/** The sum. Without elements, it is the zero of the type, if the type is known. */
function sum(list: List, meter: Meter, overload = ''): Value {
  let total = list.size === 0 ? zeroOf(overload) : zeroLike(list.get(0));
  for (let i = 0; i < list.size; i++) {
    total = plus?.([total, list.get(i)], meter) ?? total;
    if (isError(total)) return total;
  }
  return total;
}

function zeroOf(overload: string): Value {
  if (overload.endsWith('_duration')) return new Duration(0n);
  if (overload.endsWith('_uint')) return new Uint(0n);
  return overload.endsWith('_double') ? 0 : 0n;
}

function zeroLike(value: Value): Value {
  if (typeof value === 'number') return 0;
  if (value instanceof Uint) return new Uint(0n);
  return value instanceof Duration ? new Duration(0n) : 0n;
}

/** The smallest element if `order` is 1, and the greatest if it is -1. */
function extreme(name: string, order: number): Implementation {
  return onList((list) => {
    if (list.size === 0) return new CelError(`${name} called on empty list`);
    let best = list.get(0);
    for (let i = 1; i < list.size; i++) {
      if (compare(best, list.get(i)) === order) best = list.get(i);
    }
    return best;
  });
}

function indexOf(list: List, item: Value, meter: Meter, isLast: boolean): Value {
  for (let n = 0; n < list.size; n++) {
    const i = isLast ? list.size - 1 - n : n;
    if (equal(list.get(i), item, meter) === true) return BigInt(i);
  }
  return -1n;
}

/** The index of an element in a list, or of a part in a string. */
function index(isLast: boolean): Implementation {
  return (args, meter) => {
    const [target = null, item = null] = args;
    if (target instanceof List) return indexOf(target, item, meter, isLast);
    return indexOfText(isLast ? 'lastIndexOf' : 'indexOf', args, isLast, meter);
  };
}

function slice(list: List, [start = null, end = null]: readonly Value[]): Value {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return noOverload(start, end);
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(list.size) < end) return new CelError(`${call}, list is length ${list.size}`);
  const first = Number(start);
  return new List(Number(end) - first, (i) => list.get(first + i));
}

function flatten(list: List, depth: bigint, meter: Meter, into: Value[] = []): Value {
  if (depth < 0n) return new CelError('level must be non-negative');
  work(meter, list.size);
  for (let i = 0; i < list.size; i++) {
    const value = list.get(i);
    if (value instanceof List && depth > 0n) flatten(value, depth - 1n, meter, into);
    else into.push(value);
  }
  return listOf(into);
}

const RANGE_LIMIT = 1_000_000n;

function range([n = null]: readonly Value[], meter: Meter): Value {
  if (typeof n !== 'bigint') return noOverload(n);
  if (n < 0n) return new CelError(`lists.range: size must be non-negative, got ${n}`);
  if (n > RANGE_LIMIT) return new CelError(`lists.range: size ${n} exceeds maximum allowed (${RANGE_LIMIT})`);
  work(meter, 1);
  return new List(Number(n), (i) => BigInt(i));
}

function distinct(list: List, meter: Meter): Value {
  const known = simpleValues(list);
  if (known !== undefined) return listOf([...known]);
  const results: Value[] = [];
  for (const value of valuesOf(list)) {
    if (!results.some((other) => equal(value, other, meter) === true)) results.push(value);
  }
  return listOf(results);
}

function sorted(list: List, keys: Value, meter: Meter): Value {
  if (!(keys instanceof List)) return noOverload(keys);
  if (list.size !== keys.size) {
    const text = '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got';
    return new CelError(`${text} ${list.size} and ${keys.size} elements respectively`);
  }
  if (list.size === 0) return list;
  const values = valuesOf(keys);
  if (!isComparable(values[0] ?? null)) return new CelError('list elements must be comparable');
  const type = typeNameOf(values[0] ?? null);
  if (values.some((value) => typeNameOf(value) !== type)) return new CelError('list elements must have the same type');
  const order = values.map((_, i) => i).sort((a, b) => orderOf(values[a] ?? null, values[b] ?? null, meter));
  return listOf(order.map((i) => list.get(i)));
}

function orderOf(a: Value, b: Value, meter: Meter): number {
  if (typeof a === 'string' && typeof b === 'string') workOnText(meter, Math.min(a.length, b.length));
  const order = compare(a, b);
  return typeof order === 'number' ? order : 0;
}

/**
 * The different values of a list of texts, integers and booleans, which are equal if they are the same. Undefined if
 * there are others.
 */
function simpleValues(list: List): ReadonlySet<Value> | undefined {
  const results = new Set<Value>();
  for (let i = 0; i < list.size; i++) {
    const value = list.get(i);
    if (typeof value !== 'string' && typeof value !== 'bigint' && typeof value !== 'boolean') return undefined;
    results.add(value);
  }
  return results;
}

/** Whether all of `b` is in `a`. */
function includesAll(a: List, b: List, meter: Meter): Value {
  const [all, wanted] = [simpleValues(a), simpleValues(b)];
  if (all !== undefined && wanted !== undefined) return [...wanted].every((value) => all.has(value));
  for (let i = 0; i < b.size; i++) {
    const isContained = listContains(a, b.get(i), meter);
    if (isContained !== true) return isContained;
  }
  return true;
}

const sets =
  (call: (a: List, b: List, meter: Meter) => Value): Implementation =>
  ([a = null, b = null], meter) =>
    a instanceof List && b instanceof List ? call(a, b, meter) : noOverload(a, b);

function intersects(a: List, b: List, meter: Meter): Value {
  const [mine, others] = [simpleValues(a), simpleValues(b)];
  if (mine !== undefined && others !== undefined) return [...mine].some((value) => others.has(value));
  for (let i = 0; i < a.size; i++) {
    if (listContains(b, a.get(i), meter) === true) return true;
  }
  return false;
}

function equivalent(a: List, b: List, meter: Meter): Value {
  const isIncluded = includesAll(a, b, meter);
  return isIncluded === true ? includesAll(b, a, meter) : isIncluded;
}

function insert([into = null, key = null, value]: readonly Value[]): Value {
  if (!isGrowing(into)) return noOverload(into);
  if (value !== undefined) return inserted(into, key, value);
  if (!isDict(key)) return noOverload(key);
  for (const item of key.keys()) {
    const result = inserted(into, item, key.find(item) ?? null);
    if (isError(result)) return result;
  }
  return into;
}

const each = (types: readonly string[], text: (type: string) => string) => types.map(text);

export const LISTS: readonly FunctionDef[] = [
  define(
    'isSorted',
    each(COMPARABLE, (t) => `list_${t}_is_sorted_bool: list(${t}).() -> bool`),
    onList(isSorted),
  ),
  define(
    'sum',
    each(SUMMABLE, (t) => `list_${t}_sum_${t}: list(${t}).() -> ${t}`),
    onList((list, _, meter, overload) => sum(list, meter, overload)),
  ),
  define(
    'max',
    each(COMPARABLE, (t) => `list_${t}_max_${t}: list(${t}).() -> ${t}`),
    extreme('max', -1),
  ),
  define(
    'min',
    each(COMPARABLE, (t) => `list_${t}_min_${t}: list(${t}).() -> ${t}`),
    extreme('min', 1),
  ),
  define(
    'indexOf',
    [
      'list_a_index_of_int: list(A).(A) -> int',
      'string_index_of_string: string.(string) -> int',
      'string_index_of_string_int: string.(string, int) -> int',
    ],
    index(false),
  ),
  define(
    'lastIndexOf',
    [
      'list_a_last_index_of_int: list(A).(A) -> int',
      'string_last_index_of_string: string.(string) -> int',
      'string_last_index_of_string_int: string.(string, int) -> int',
    ],
    index(true),
  ),
  define('slice', ['list_slice: list(T).(int, int) -> list(T)'], onList(slice)),
  define(
    'flatten',
    ['list_flatten: list(list(T)).() -> list(T)', 'list_flatten_int: list(dyn).(int) -> list(dyn)'],
    onList((list, [depth = 1n], meter) =>
      typeof depth === 'bigint' ? flatten(list, depth, meter) : noOverload(depth),
    ),
  ),
  define(
    'sort',
    each(COMPARABLE, (t) => `list_${t}_sort: list(${t}).() -> list(${t})`),
    onList((list, _, meter) => sorted(list, list, meter)),
  ),
  define(
    '@sortByAssociatedKeys',
    each(COMPARABLE, (t) => `list_${t}_sortByAssociatedKeys: list(T).(list(${t})) -> list(T)`),
    onList((list, [keys = null], meter) => sorted(list, keys, meter)),
  ),
  define('lists.range', ['lists_range: (int) -> list(int)'], range),
  define(
    'reverse',
    ['list_reverse: list(T).() -> list(T)'],
    onList((list) => new List(list.size, (i) => list.get(list.size - 1 - i))),
  ),
  define(
    'distinct',
    ['list_distinct: list(T).() -> list(T)'],
    onList((list, _, meter) => distinct(list, meter)),
  ),
  define('sets.contains', ['list_sets_contains_list: (list(T), list(T)) -> bool'], sets(includesAll)),
  define('sets.equivalent', ['list_sets_equivalent_list: (list(T), list(T)) -> bool'], sets(equivalent)),
  define('sets.intersects', ['list_sets_intersects_list: (list(T), list(T)) -> bool'], sets(intersects)),
  define(
    'cel.@mapInsert',
    [
      '@mapInsert_map_key_value: (map(K, V), K, V) -> map(K, V)',
      '@mapInsert_map_map: (map(K, V), map(K, V)) -> map(K, V)',
    ],
    insert,
  ),
];

/** A list that a loop has filled, as one that nothing changes any more. */
export function finished(value: Value): Value {
  return value instanceof GrowingList ? listOf(value.items) : value;
}
