import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import type { Random } from '../fieldmanager/schemas.js';
import { FORMATS } from './formats.js';
import { randomMeta } from './metadata.js';

type Members = Record<string, unknown>;

export const NAMES = ['a', 'b', 'c', 'name', 'kind', 'x-y', ''];
const TEXTS = ['', 'a', 'b', 'abc', 'Zürich', '😀😀', 'a b\n"', '<&>', '12', 'A', 'x'.repeat(30), 'my-name', 'a.b'];
const NUMBERS = [
  0, 1, 2, 3, 5, 65, 100, -1, -7, 1.5, 2.5, 0.1, 1e6, 1e21, 3e40, 2147483647, 2147483648, -2147483649, 1.0000000001,
];

/** A value that mostly fits the schema. */
export function valueFor(schema: JsonSchema, random: Random, depth: number): unknown {
  if (schema.type !== 'object' || depth < 5) {
    if (random.chance(5)) return null;
    if (random.chance(6)) return anything(random, 2);
    if (schema.enum !== undefined && schema.enum !== null && random.chance(60)) return random.of(schema.enum);
  }
  if (schema['x-kubernetes-int-or-string'] === true) return random.chance(50) ? random.of(TEXTS) : random.of(NUMBERS);
  if (schema.type === 'string') return random.of(FORMATS[random.chance(85) ? (schema.format ?? '') : ''] ?? TEXTS);
  if (schema.type === 'integer')
    return random.chance(80) ? random.of(NUMBERS.filter(Number.isInteger)) : random.of(NUMBERS);
  if (schema.type === 'number') return random.of(NUMBERS);
  if (schema.type === 'boolean') return random.chance(50);
  if (schema.type === 'array') return listOf(schema, random, depth);
  return schema.type === 'object' ? membersOf(schema, random, depth) : anything(random, 2);
}

function listOf(schema: JsonSchema, random: Random, depth: number): unknown {
  const items = (schema.items ?? {}) as JsonSchema;
  return Array.from({ length: depth > 0 ? random.below(4) : 0 }, () => valueFor(items, random, depth - 1));
}

function membersOf(schema: JsonSchema, random: Random, depth: number): unknown {
  const members: Members = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (random.chance(75)) members[name] = valueFor(property, random, depth - 1);
  }
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && more !== null) {
    for (const name of ['k', 'l.m', 'a']) if (random.chance(50)) members[name] = valueFor(more, random, depth - 1);
  }
  if (random.chance(12)) members[random.of(['unknown', 'metadata', 'kind', 'b'])] = anything(random, 2);
  return schema['x-kubernetes-embedded-resource'] === true ? { ...members, ...randomMeta(random, anything) } : members;
}

function anything(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 5 : 3);
  if (kind < 3) return scalar(random);
  if (kind === 3) return Array.from({ length: random.below(3) }, () => anything(random, depth - 1));
  return Object.fromEntries(NAMES.filter(() => random.chance(30)).map((name) => [name, anything(random, depth - 1)]));
}

export function scalar(random: Random): unknown {
  return random.of([null, true, false, random.of(TEXTS), random.of(TEXTS), random.of(NUMBERS), random.of(NUMBERS)]);
}
