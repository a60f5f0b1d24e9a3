import { isDeepStrictEqual } from 'node:util';
import { isDict } from './dict.js';
import { type Meter, work } from './meter.js';
import {
  type Dict,
  Duration,
  isError,
  List,
  noOverload,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  Unknown,
  type Value,
} from './value.js';

/**
 * Whether two values are equal, as cel-go and Kubernetes see it: false, true, or an error. Values of different types
 * are not equal.
 */
export function equal(a: Value, b: Value, meter: Meter): Value {
  work(meter, 1);
  if (a === null || b === null) return a === b;
  if (typeof a !== 'object') return equalScalar(a, b);
  if (a instanceof List) return b instanceof List ? equalLists(a, b, meter) : otherKind(a.json !== undefined, b);
  if (isDict(a)) return isDict(b) ? equalDicts(a, b, meter) : otherKind(a.json !== undefined, b);
  if (isError(a)) return a;
  if (a instanceof Optional) return equalOptionals(a, b, meter);
  return equalObject(a, b, meter);
}

/** The lists and maps of Kubernetes cannot be compared with values of other types. */
function otherKind(isJson: boolean, b: Value): Value {
  return isJson ? noOverload(b) : false;
}

function equalScalar(a: boolean | string | bigint | number, b: Value): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof a === 'number') return equalNumbers(a, b);
  return false;
}

function equalNumbers(a: bigint | number, b: Value): boolean {
  const other = b instanceof Uint ? b.value : b;
  return (typeof other === 'bigint' || typeof other === 'number') && numbersEqual(a, other);
}

/** Compares as doubles, like cel-go. */
function numbersEqual(a: bigint | number, b: bigint | number): boolean {
  return typeof a === typeof b ? a === b : Number(a) === Number(b);
}

function equalObject(a: Value & object, b: Value, meter: Meter): boolean {
  if (a instanceof Uint) {
    return equalNumbers(a.value, b);
  }
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Opaque) return b instanceof Opaque && a.type === b.type && a.key === b.key;
  if (a instanceof Unknown) return b instanceof Unknown && sameJson(a.json, b.json, meter);
  return a instanceof Uint8Array && b instanceof Uint8Array && sameBytes(a, b, meter);
}

function sameBytes(a: Uint8Array, b: Uint8Array, meter: Meter): boolean {
  work(meter, a.length / 100);
  return Buffer.from(a.buffer, a.byteOffset, a.length).equals(b);
}

function equalOptionals(a: Optional, b: Value, meter: Meter): Value {
  if (!(b instanceof Optional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value, meter);
}

function equalLists(a: List, b: List, meter: Meter): Value {
  if (a.size !== b.size) return false;
  if (a.json?.type === 'set') return equalSets(a, b, meter);
  if (a.json?.type === 'map') return equalMapLists(a, b, meter);
  for (let i = 0; i < a.size; i++) {
    const same = equal(a.get(i), b.get(i), meter);
    if (same === false || (same !== true && a.json !== undefined)) return same;
  }
  return true;
}

/** The order does not matter. */
function equalSets(a: List, b: List, meter: Meter): Value {
  const keys = new Set<unknown>();
  for (let i = 0; i < a.size; i++) keys.add(setKey(a.get(i), meter));
  const seen = new Set<unknown>();
  for (let i = 0; i < b.size; i++) {
    const key = setKey(b.get(i), meter);
    if (!keys.has(key)) return false;
    seen.add(key);
  }
  return seen.size === keys.size;
}

/** A key that is the same for equal values. */
export function setKey(value: Value, meter: Meter): unknown {
  work(meter, 1);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint' || value instanceof Uint) return `n:${typeof value === 'bigint' ? value : value.value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `n:${BigInt(value)}` : value;
  if (value instanceof List) return `l:${JSON.stringify(parts(value, meter))}`;
  if (isDict(value)) return `d:${JSON.stringify(dictParts(value, meter))}`;
  if (value instanceof Timestamp || value instanceof Duration) return `t:${value.nanos}`;
  if (value instanceof Uint8Array) return `b:${Buffer.from(value).toString('latin1')}`;
  return value;
}

function parts(list: List, meter: Meter): readonly string[] {
  return Array.from({ length: list.size }, (_, i) => tagged(list.get(i), meter));
}

function dictParts(dict: Dict, meter: Meter): readonly string[] {
  const keys = dict.keys();
  return keys.map((key) => `${tagged(key, meter)}=${tagged(dict.find(key) ?? null, meter)}`).sort();
}

function tagged(value: Value, meter: Meter): string {
  const key = setKey(value, meter);
  return `${typeof value === 'bigint' || typeof value === 'number' ? 'number' : typeof value}:${String(key)}`;
}

function equalMapLists(a: List, b: List, meter: Meter): Value {
  const names = a.json?.keys ?? [];
  const mine = new Map<unknown, number>();
  for (let i = 0; i < a.size; i++) mine.set(mapKey(a.json?.items[i], names, meter), i);
  const seen = new Set<unknown>();
  for (let i = 0; i < b.size; i++) {
    const other = b.get(i);
    const key = mapKey(b.json?.items[i] ?? (isDict(other) ? other.json?.members : undefined), names, meter);
    const index = mine.get(key);
    if (index === undefined) return false;
    const same = equal(a.get(index), other, meter);
    if (same !== true) return same;
    seen.add(key);
  }
  return seen.size === mine.size;
}

/** What identifies an element of a list of type map. */
export function mapKey(item: unknown, names: readonly string[], meter: Meter): string {
  work(meter, names.length);
  const members = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
  return JSON.stringify(names.map((name) => (Object.hasOwn(members, name) ? members[name] : null)));
}

function equalDicts(a: Dict, b: Dict, meter: Meter): Value {
  if (a.size !== b.size) return false;
  return a.json === undefined ? equalMaps(a, b, meter) : equalObjects(a, b, meter);
}

function equalMaps(a: Dict, b: Dict, meter: Meter): boolean {
  return a.keys().every((key) => {
    const other = b.find(key);
    return other !== undefined && equal(a.find(key) ?? null, other, meter) !== false;
  });
}

function equalObjects(a: Dict, b: Dict, meter: Meter): Value {
  const { members, convert } = a.json ?? { members: {}, convert: () => undefined };
  for (const name of Object.keys(members)) {
    const same = convert(name) === undefined ? equalUnknown(name, members, b, meter) : equalMember(name, a, b, meter);
    if (same !== true) return same;
  }
  return true;
}

function equalMember(name: string, a: Dict, b: Dict, meter: Meter): Value {
  const mine = a.find(name);
  const other = b.find(name);
  if (mine === undefined || other === undefined) return mine === other;
  return equal(mine, other, meter);
}

/** Compares a member that the schema does not know. The other object may lack it. */
function equalUnknown(name: string, members: Readonly<Record<string, unknown>>, b: Dict, meter: Meter): Value {
  if (b.json === undefined) return noOverload(b);
  const others = b.json.members;
  return !Object.hasOwn(others, name) || sameJson(members[name], others[name], meter);
}

function sameJson(a: unknown, b: unknown, meter: Meter): boolean {
  work(meter, typeof a === 'object' ? JSON.stringify(a).length / 10 : 1);
  return isDeepStrictEqual(a, b);
}
