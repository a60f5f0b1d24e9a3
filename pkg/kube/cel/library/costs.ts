import { isDict } from '../values/dict.js';
import { type Meter, work } from '../values/meter.js';
import { List, Opaque, Optional, type Value } from '../values/value.js';
import { formatOf } from './formats.js';
import { addressSize } from './net.js';
import { sizeOf } from './sizes.js';

/** What one call costs in the units of cel-go. */
export type CallCost = (args: readonly Value[], result: Value, meter: Meter) => number;

const PER_CHARACTER = 0.1;
const PER_PATTERN_CHARACTER = 0.25;
export const LIST_COST = 10;
export const MAP_COST = 30;

function actualSize(value: Value | undefined): number {
  if (value === undefined) return 1;
  if (value instanceof Optional && value.value !== undefined) return actualSize(value.value);
  if (value instanceof Opaque) return addressSize(value) ?? 1;
  return sizeOf(value) ?? 1;
}

const scan = (value: Value | undefined, factor = 1) => Math.ceil(actualSize(value) * factor * PER_CHARACTER);

/** The cost of a visit to each part of a value. */
function traversal(value: Value | undefined, meter: Meter): number {
  work(meter, 1);
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * PER_CHARACTER);
  if (value instanceof Uint8Array) return Math.floor(value.length * PER_CHARACTER);
  if (value instanceof List)
    return Array.from({ length: value.size }, (_, i) => traversal(value.get(i), meter)).reduce(sum, 0);
  if (value === undefined || !isDict(value)) return 1;
  return value
    .keys()
    .map((key) => traversal(key, meter) + traversal(value.find(key), meter))
    .reduce(sum, 0);
}

function sum(a: number, b: number): number {
  return a + b;
}

const one: CallCost = () => 1;
const ofTraversal: CallCost = ([a], _, meter) => traversal(a, meter);
const ofScan: CallCost = ([a]) => scan(a);
const ofTwoScans: CallCost = ([a]) => scan(a, 2);
const ofPattern: CallCost = ([a, b]) => patternCost(a, actualSize(b));
const ofSmaller: CallCost = ([a, b]) => Math.ceil(Math.min(actualSize(a), actualSize(b)) * PER_CHARACTER);
const ofBoth: CallCost = ([a, b]) => Math.ceil((actualSize(a) + actualSize(b)) * PER_CHARACTER);
const ofSets =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + actualSize(a) * actualSize(b) * factor;
const ofResultList: CallCost = (_, result) => actualSize(result) + 1 + LIST_COST;
const ofFlatten: CallCost = ([a, depth]) =>
  Math.floor(actualSize(a) * (typeof depth === 'bigint' ? (depth < 0n ? 1 : Number(depth)) : 1)) + 1 + LIST_COST;

function patternCost(text: Value | undefined, pattern: number): number {
  return Math.ceil((1 + actualSize(text)) * PER_CHARACTER) * Math.ceil(pattern * PER_PATTERN_CHARACTER);
}

function compared(list: Value | undefined): number {
  const size = actualSize(list);
  const first = list instanceof List && list.size > 0 ? list.get(0) : null;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + PER_CHARACTER : 2;
  return Math.floor(size * size * factor) + 1 + LIST_COST;
}

function equality(args: readonly Value[], result: Value, meter: Meter): number {
  return args[0] instanceof Opaque ? 1 : ofSmaller(args, result, meter);
}

function containsAddress(extra: boolean, isText: boolean): CallCost {
  return ([network, other]) => {
    const masked = extra ? scan(network) + 1 : 0;
    return Math.ceil(2 * actualSize(network) * PER_CHARACTER) + masked + (isText ? scan(other) : 0);
  };
}

/** By the name of the overload, as cel-go's extensions count. They go before those of Kubernetes. */
const BY_EXTENSION: Readonly<Record<string, CallCost>> = {
  list_sets_contains_list: ofSets(1),
  list_sets_intersects_list: ofSets(1),
  list_sets_equivalent_list: ofSets(2),
  list_slice: ofResultList,
  list_flatten: ofFlatten,
  list_flatten_int: ofFlatten,
  lists_range: ofResultList,
  list_reverse: ofResultList,
  list_distinct: ([a]) => compared(a),
};

/** By the name of the function, as Kubernetes counts. */
const BY_NAME: Readonly<Record<string, CallCost>> = {
  ...Object.fromEntries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, ofTraversal])),
  ...Object.fromEntries(['url', 'lowerAscii', 'upperAscii', 'substring', 'trim'].map((name) => [name, ofScan])),
  ...Object.fromEntries(
    ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name) => [name, ofScan]),
  ),
  replace: ofTwoScans,
  split: ofTwoScans,
  join: (_, result) => scan(result, 2),
  find: ofPattern,
  findAll: ofPattern,
  ip: ofScan,
  'ip.isCanonical': ofTwoScans,
  validate: ([format, text]) => patternCost(text, formatOf(format)?.size ?? 0),
  '_==_': equality,
};

/** By the name of the overload, as cel-go counts its standard functions. */
const BY_OVERLOAD: Readonly<Record<string, CallCost>> = {
  starts_with_string: ([, b]) => scan(b),
  ends_with_string: ([, b]) => scan(b),
  string_to_bytes: ofScan,
  bytes_to_string: ofScan,
  strings_quote: ofScan,
  string_format: ofScan,
  in_list: ([, b]) => actualSize(b),
  less_string: ofSmaller,
  greater_string: ofSmaller,
  less_equals_string: ofSmaller,
  greater_equals_string: ofSmaller,
  less_bytes: ofSmaller,
  greater_bytes: ofSmaller,
  less_equals_bytes: ofSmaller,
  greater_equals_bytes: ofSmaller,
  not_equals: ofSmaller,
  add_string: ofBoth,
  add_bytes: ofBoth,
  matches: ofPattern,
  matches_string: ofPattern,
  contains_string: ([a, b]) => scan(a) * scan(b),
};

/** Whether the cost of a call is only known after it. */
export function dependsOnResult(name: string, overload = ''): boolean {
  return name === 'join' || (Object.hasOwn(BY_EXTENSION, overload) && BY_EXTENSION[overload] === ofResultList);
}

/** The cost of calls of a function. `overload` is undefined if several may be meant. */
export function callCost(name: string, overload: string | undefined): CallCost {
  const id = overload ?? '';
  if (Object.hasOwn(BY_EXTENSION, id)) return BY_EXTENSION[id] ?? one;
  if (/^list_\w+_sort$/.test(id)) return ([a]) => compared(a);
  if (id.endsWith('_sortByAssociatedKeys')) return ([, b]) => compared(b);
  if (name === 'ip' && id === 'cidr_ip') return one;
  if (name === 'containsIP') return containsAddress(false, id === 'cidr_contains_ip_string');
  if (name === 'containsCIDR') return containsAddress(true, id === 'cidr_contains_cidr_string');
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name] ?? one;
  return Object.hasOwn(BY_OVERLOAD, id) ? (BY_OVERLOAD[id] ?? one) : one;
}
