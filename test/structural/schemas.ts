import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import type { Random } from '../fieldmanager/schemas.js';
import { FORMATS } from './formats.js';
import { NAMES, scalar, valueFor } from './values.js';

type Mutable = { -readonly [Name in keyof JsonSchema]: JsonSchema[Name] };

const PATTERNS = [
  '^a',
  'b$',
  '^[a-z]+$',
  'a.c',
  '^(a|b)*$',
  '\\d{2}',
  '^\\p{L}+$',
  '^.{2}$',
  '\\bb\\b',
  '[',
  '(?i)ABC',
];

/** A random structural schema of a resource. */
export function rootSchema(random: Random): JsonSchema {
  const schema: Mutable = {
    type: 'object',
    properties: { spec: valueSchema(random, 3), status: valueSchema(random, 1) },
  };
  if (random.chance(20))
    schema.properties = {
      ...schema.properties,
      metadata: { type: 'object', properties: { name: valueSchema(random, 0) } },
    };
  if (random.chance(30))
    schema.properties = { ...schema.properties, kind: { type: 'string' }, apiVersion: { type: 'string' } };
  if (random.chance(5)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (random.chance(20)) schema.required = random.chance(50) ? ['spec'] : ['spec', 'gone'];
  return schema;
}

function valueSchema(random: Random, depth: number): JsonSchema {
  const schema = bareSchema(random, depth);
  if (random.chance(12)) schema.nullable = true;
  if (random.chance(18)) schema.default = random.chance(80) ? valueFor(schema, random, 2) : null;
  if (random.chance(10)) schema.enum = Array.from({ length: 1 + random.below(3) }, () => scalar(random));
  if (random.chance(8)) schema.enum = [...(schema.enum ?? []), valueFor(schema, random, 1)];
  if (random.chance(12)) addJunctors(schema, random);
  return schema;
}

function bareSchema(random: Random, depth: number): Mutable {
  const kind = random.below(depth > 0 ? 14 : 6);
  if (kind <= 1) return stringSchema(random);
  if (kind <= 3) return numberSchema(random);
  if (kind === 4) return { type: 'boolean' };
  if (kind === 5)
    return {
      'x-kubernetes-int-or-string': true,
      ...(random.chance(40) ? { pattern: '^a', maximum: 5 } : {}),
      ...(random.chance(30) ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
    };
  if (kind <= 8) return objectSchema(random, depth);
  if (kind === 9) return mapSchema(random, depth);
  if (kind <= 12) return listSchema(random, depth);
  return openSchema(random, depth);
}

function stringSchema(random: Random): Mutable {
  const schema: Mutable = { type: 'string' };
  if (random.chance(35)) schema.format = random.of(Object.keys(FORMATS));
  if (random.chance(20)) schema.minLength = random.below(4);
  if (random.chance(20)) schema.maxLength = random.below(5);
  if (random.chance(20)) schema.pattern = random.of(PATTERNS);
  return schema;
}

function numberSchema(random: Random): Mutable {
  const schema: Mutable = { type: random.of(['integer', 'number']) };
  if (random.chance(40)) schema.format = random.of(['int32', 'int64', 'float', 'double', 'date']);
  if (random.chance(25)) schema.minimum = random.of([0, 1, 2.5, -3, 3e10]);
  if (random.chance(25)) schema.maximum = random.of([0, 2, 2.5, 100, 3e10, 1e6]);
  if (random.chance(20)) schema.multipleOf = random.of([1, 2, 0.5, 2.5, 0.1, 3, 1e6]);
  if (random.chance(20)) schema.exclusiveMinimum = true;
  if (random.chance(20)) schema.exclusiveMaximum = true;
  return schema;
}

function objectSchema(random: Random, depth: number): Mutable {
  const names = NAMES.filter(() => random.chance(40));
  const schema: Mutable = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, valueSchema(random, depth - 1)])),
  };
  if (random.chance(25)) schema.required = ['a', 'b', 'zz'].filter(() => random.chance(50));
  if (random.chance(12)) schema.minProperties = random.below(4);
  if (random.chance(12)) schema.maxProperties = random.below(4);
  if (random.chance(12)) schema['x-kubernetes-preserve-unknown-fields'] = true;
  if (random.chance(12))
    return { ...schema, 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
  return schema;
}

function mapSchema(random: Random, depth: number): Mutable {
  const schema: Mutable = { type: 'object', additionalProperties: valueSchema(random, depth - 1) };
  if (random.chance(10)) schema.additionalProperties = random.chance(70);
  if (random.chance(15)) schema.maxProperties = random.below(4);
  if (random.chance(5)) schema.properties = { a: valueSchema(random, 0) };
  return schema;
}

function listSchema(random: Random, depth: number): Mutable {
  const schema: Mutable = { type: 'array', items: valueSchema(random, depth - 1) };
  if (random.chance(20)) schema.minItems = random.below(3);
  if (random.chance(20)) schema.maxItems = random.below(4);
  if (random.chance(10)) schema.uniqueItems = true;
  if (random.chance(20)) schema['x-kubernetes-list-type'] = random.of(['set', 'atomic']);
  else if (random.chance(50)) return { ...schema, ...keyedList(random, depth) };
  return schema;
}

function keyedList(random: Random, depth: number): Mutable {
  const keys = random.of([['name'], ['name', 'a'], ['a']]);
  const properties = { name: stringSchema(random), a: numberSchema(random), b: valueSchema(random, depth - 1) };
  return {
    items: { type: 'object', properties, required: keys },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  };
}

function openSchema(random: Random, depth: number): Mutable {
  if (random.chance(50)) return { 'x-kubernetes-preserve-unknown-fields': true };
  return { ...bareSchema(random, depth - 1), 'x-kubernetes-preserve-unknown-fields': true };
}

function addJunctors(schema: Mutable, random: Random): void {
  const branches = (): JsonSchema[] => Array.from({ length: 1 + random.below(3) }, () => branch(schema, random));
  if (random.chance(40)) schema.anyOf = branches();
  if (random.chance(40)) schema.oneOf = branches();
  if (random.chance(40)) schema.allOf = branches();
  if (random.chance(30)) schema.not = branch(schema, random);
}

/** Constraints for values of the schema, mostly without a type. */
function branch(schema: JsonSchema, random: Random): JsonSchema {
  const of = random.chance(80) ? schema : bareSchema(random, 1);
  if (of.type === 'string') return { ...stringSchema(random), ...(random.chance(80) ? { type: '' } : {}) };
  if (of.type === 'integer' || of.type === 'number')
    return { ...numberSchema(random), ...(random.chance(70) ? { type: '' } : {}) };
  if (of.type === 'object') {
    const { properties, required, maxProperties } = objectSchema(random, 1);
    return {
      properties: properties ?? {},
      required: required ?? ['a'],
      ...(maxProperties === undefined ? {} : { maxProperties }),
    };
  }
  if (of.type === 'array') return { items: { minimum: 2, minLength: 2 }, minItems: random.below(3) };
  return { enum: [scalar(random), scalar(random)] };
}
