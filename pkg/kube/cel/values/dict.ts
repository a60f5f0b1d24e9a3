import { CelError, type Dict, Uint, type Value } from './value.js';

export function isDict(value: Value): value is Dict {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'dict';
}

type Entry = readonly [key: Value, value: Value];

/** A map that an expression makes. Int and uint keys of one number are the same key. */
export function dictOf(entries: readonly Entry[]): Dict {
  return dictOfMap(new Map(entries.map((entry) => [keyOf(entry[0]) ?? entry[0], entry])));
}

function dictOfMap(byKey: ReadonlyMap<unknown, Entry>): Dict {
  return {
    kind: 'dict',
    size: byKey.size,
    find: (key) => byKey.get(keyOf(key))?.[1],
    keys: () => [...byKey.values()].map(([key]) => key),
  };
}

/** The same map with one key more. An error if it has the key. */
export function inserted(into: GrowingDict, key: Value, value: Value): Value {
  const own = keyOf(key);
  if (into.entries.has(own)) return new CelError(`insert failed: key ${textOfKey(key)} already exists`);
  into.entries.set(own, [key, value]);
  return into;
}

/** A map that a loop fills. */
export interface GrowingDict extends Dict {
  readonly entries: Map<unknown, Entry>;
}

export function growingDict(): GrowingDict {
  const entries = new Map<unknown, Entry>();
  return {
    kind: 'dict',
    entries,
    get size() {
      return entries.size;
    },
    find: (key) => entries.get(keyOf(key))?.[1],
    keys: () => [...entries.values()].map(([key]) => key),
  };
}

export function isGrowing(value: Value): value is GrowingDict {
  return isDict(value) && 'entries' in value;
}

/** The same for equal keys. Undefined for what cannot be a key. */
export function keyOf(key: Value): unknown {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof Uint) return key.value;
  if (typeof key === 'number' && Number.isInteger(key)) return BigInt(key);
  return undefined;
}

function textOfKey(key: Value): string {
  return key instanceof Uint ? String(key.value) : String(key);
}
