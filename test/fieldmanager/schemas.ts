import { DEDUCED, type FieldType } from '../../pkg/kube/fieldmanager/type.js';

/** Random numbers that are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** A type for this server and for the reference, with random values. */
export interface RandomType {
  readonly ours: FieldType;
  /** The type in the schema language of structured-merge-diff. */
  readonly theirs: object;
  value(random: Random): unknown;
}

export const text: RandomType = scalar('string', (random) => random.of(['a', 'b', 'c<&>', 'ü']));
const number = scalar('numeric', (random) => random.below(3));
const flag = scalar('boolean', (random) => random.chance(50));

function scalar(name: string, value: (random: Random) => unknown): RandomType {
  return { ours: { isScalar: true }, theirs: { scalar: name }, value };
}

function members(random: Random, count: number): readonly string[] {
  return ['m', 'n', 'o', 'p'].slice(0, 1 + random.below(count));
}

export function struct(fields: Readonly<Record<string, RandomType>>, isAtomic = false): RandomType {
  const entries = Object.entries(fields);
  const map = { isAtomic, fields: new Map(entries.map(([name, { ours }]) => [name, { type: ours }])) };
  const theirs = entries.map(([name, type]) => ({ name, type: type.theirs }));
  return {
    ours: { map },
    theirs: { map: { fields: theirs, elementRelationship: isAtomic ? 'atomic' : 'separable' } },
    value: (random) =>
      Object.fromEntries(entries.flatMap(([name, type]) => (random.chance(60) ? [[name, type.value(random)]] : []))),
  };
}

export function dictionary(element: RandomType, isAtomic = false): RandomType {
  return {
    ours: { map: { isAtomic, fields: new Map(), element: element.ours } },
    theirs: { map: { elementType: element.theirs, elementRelationship: isAtomic ? 'atomic' : 'separable' } },
    value: (random) =>
      Object.fromEntries(['x', 'y', 'z'].filter(() => random.chance(50)).map((key) => [key, element.value(random)])),
  };
}

function listOf(random: Random, value: () => unknown): unknown[] {
  return Array.from({ length: random.below(4) }, value);
}

function atomicList(element: RandomType): RandomType {
  return {
    ours: { list: { isAtomic: true, keys: [], element: element.ours } },
    theirs: { list: { elementType: element.theirs, elementRelationship: 'atomic' } },
    value: (random) => listOf(random, () => element.value(random)),
  };
}

export function set(element: RandomType): RandomType {
  return {
    ours: { list: { isAtomic: false, keys: [], element: element.ours } },
    theirs: { list: { elementType: element.theirs, elementRelationship: 'associative' } },
    value: (random) => [...new Set(listOf(random, () => element.value(random)))],
  };
}

/** A list of objects with the key `name`, or `name` and `port`. The default of a port is 80. */
function keyedList(keys: readonly string[], content: RandomType): RandomType {
  const fields = { name: text, port: number, content };
  const item = struct(fields);
  const port = { type: number.ours, default: 80 };
  const map = { isAtomic: false, fields: new Map([...(item.ours.map?.fields ?? []), ['port', port]]) };
  const theirs = Object.entries(fields).map(([name, { theirs: type }]) => ({
    name,
    type,
    ...(name === 'port' && { default: 80 }),
  }));
  return {
    ours: { list: { isAtomic: false, keys, element: { map } } },
    theirs: {
      list: { elementType: { map: { fields: theirs } }, elementRelationship: 'associative', keys },
    },
    value: (random) => {
      const items = listOf(random, () => ({ ...(item.value(random) as object), name: text.value(random) }));
      const byKeys = new Map(items.map((one) => [keysOf(one as Keyed, keys), one]));
      return [...byKeys.values()];
    },
  };
}

interface Keyed {
  readonly name: string;
  readonly port?: number;
}

function keysOf({ name, port = 80 }: Keyed, keys: readonly string[]): string {
  return keys.length === 1 ? name : `${name}/${port}`;
}

/** Values without a schema. */
const deduced: RandomType = {
  ours: DEDUCED,
  theirs: { namedType: '__untyped_deduced_' },
  value: (random) => anything(random, 2),
};

function anything(random: Random, depth: number): unknown {
  const leaves = ['a', 1, true, null, [], {}, ['a', 1]];
  if (depth === 0 || random.chance(40)) return random.of(leaves);
  return Object.fromEntries(members(random, 3).map((name) => [name, anything(random, depth - 1)]));
}

/** A random type of a `spec`. */
export function randomType(random: Random, depth = 3): RandomType {
  if (depth === 0) return random.of([text, number, flag]);
  const inner = (): RandomType => randomType(random, depth - 1);
  const makers: readonly (() => RandomType)[] = [
    () => text,
    () => struct(Object.fromEntries(members(random, 4).map((name) => [name, inner()]))),
    () => struct(Object.fromEntries(members(random, 3).map((name) => [name, inner()])), random.chance(20)),
    () => dictionary(inner(), random.chance(20)),
    () => atomicList(inner()),
    () => deduced,
    () => set(random.of([text, number])),
    () => keyedList(random.of([['name'], ['name', 'port']]), inner()),
  ];
  return random.of(makers)();
}
