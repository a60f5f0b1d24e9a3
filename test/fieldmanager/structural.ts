import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import type { Random } from './schemas.js';

/** A structural schema and random values of it. */
export interface RandomStructure {
  readonly schema: JsonSchema;
  value(random: Random): unknown;
}

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const NAMES = ['m', 'n', 'o', 'constructor'];

/** A random structural schema, at most `depth` levels deep. */
export function randomStructure(random: Random, depth = 3): RandomStructure {
  const { schema, value } = depth === 0 ? leaf(random) : random.of(MAKERS)(random, depth - 1);
  const nullable = random.chance(10);
  return {
    schema: { ...schema, ...(nullable && { nullable }), ...(random.chance(20) && { description: 'One.' }) },
    value: (random) => (nullable && random.chance(20) ? null : value(random)),
  };
}

type Maker = (random: Random, depth: number) => RandomStructure;

const MAKERS: readonly Maker[] = [
  leaf,
  structure,
  structure,
  structure,
  dictionary,
  listed,
  setOf,
  keyed,
  keyed,
  free,
  embedded,
  intOrString,
];

function leaf(random: Random): RandomStructure {
  return random.of<RandomStructure>([
    { schema: { type: 'string', minLength: 0 }, value: (random) => random.of(['a', 'b', 'c<&>', 'ü']) },
    { schema: { type: 'string', format: 'date-time' }, value: () => '2001-01-01T00:00:00Z' },
    { schema: { type: 'integer', format: 'int64', minimum: 0 }, value: (random) => random.below(3) },
    { schema: { type: 'number', enum: [0, 1, 2] }, value: (random) => random.below(3) },
    { schema: { type: 'boolean' }, value: (random) => random.chance(50) },
  ]);
}

function intOrString(random: Random): RandomStructure {
  const anyOf = [{ type: 'integer' }, { type: 'string' }];
  const more = random.of<JsonSchema>([
    {},
    { anyOf },
    { anyOf: [{ minimum: 1 }] },
    { allOf: [{ anyOf }, { maximum: 9 }] },
  ]);
  return {
    schema: { 'x-kubernetes-int-or-string': true, ...more },
    value: (random) => random.of<unknown>([1, '1', 'a']),
  };
}

interface Members {
  readonly properties: Record<string, JsonSchema>;
  value(random: Random): Record<string, unknown>;
}

function membersOf(random: Random, depth: number): Members {
  const members = NAMES.slice(0, 1 + random.below(NAMES.length)).map((name) => ({
    name,
    ...randomStructure(random, depth),
  }));
  return {
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    value: (random) =>
      Object.fromEntries(members.flatMap(({ name, value }) => (random.chance(60) ? [[name, value(random)]] : []))),
  };
}

function structure(random: Random, depth: number): RandomStructure {
  const { properties, value } = membersOf(random, depth);
  const more: JsonSchema = {
    ...(random.chance(20) && { [PRESERVE]: true }),
    ...(random.chance(30) && { 'x-kubernetes-map-type': random.of(['atomic', 'granular']) }),
    ...(random.chance(20) && { required: Object.keys(properties).slice(0, 2) }),
    ...(random.chance(10) && { oneOf: [{ required: ['m'] }, { properties: { m: { not: { enum: [null, 'z'] } } } }] }),
    ...(random.chance(10) && { 'x-kubernetes-validations': [{ rule: 'true', message: 'No.', optionalOldSelf: null }] }),
    ...(random.chance(10) && { default: {} }),
  };
  return {
    schema: { type: 'object', properties, ...more },
    value: (random) => ({ ...value(random), ...(more[PRESERVE] === true && { u: anything(random, 2) }) }),
  };
}

function dictionary(random: Random, depth: number): RandomStructure {
  const { schema, value } = randomStructure(random, depth);
  const isFree = random.chance(20);
  const member = (random: Random): unknown => (isFree ? anything(random, 1) : value(random));
  return {
    schema: {
      type: 'object',
      additionalProperties: isFree ? true : schema,
      ...(random.chance(20) && { 'x-kubernetes-map-type': 'atomic' }),
    },
    value: (random) =>
      Object.fromEntries(['x', 'y', 'z'].filter(() => random.chance(50)).map((name) => [name, member(random)])),
  };
}

function items(random: Random, value: () => unknown): unknown[] {
  return Array.from({ length: random.below(4) }, value);
}

function listed(random: Random, depth: number): RandomStructure {
  const { schema, value } = randomStructure(random, depth);
  const more = random.of<JsonSchema>([{}, { 'x-kubernetes-list-type': 'atomic' }, { minItems: 0, [PRESERVE]: true }]);
  return {
    schema: { type: 'array', items: schema, ...more },
    value: (random) => items(random, () => value(random)),
  };
}

function setOf(): RandomStructure {
  return {
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    value: (random) => [...new Set(items(random, () => random.of(['a', 'b', 'c'])))],
  };
}

/** A list of objects with the key `name`, or `name` and `port`. The default of a port is 80. */
function keyed(random: Random, depth: number): RandomStructure {
  const keys = random.of([['name'], ['name', 'port']]);
  const content = randomStructure(random, depth);
  const properties = {
    name: { type: 'string' },
    port: { type: 'integer', default: 80 },
    content: content.schema,
  };
  const keyOf = (one: { name: string; port?: number }): string =>
    keys.map((key) => Reflect.get({ port: 80, ...one }, key)).join('/');
  const item = (random: Random): { name: string; port?: number } => ({
    name: random.of(['a', 'b']),
    ...(random.chance(50) && { port: random.of([80, 81]) }),
    ...(random.chance(70) && { content: content.value(random) }),
  });
  return {
    schema: {
      type: 'array',
      items: { type: 'object', properties, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    },
    value: (random) => [
      ...new Map(items(random, () => item(random)).map((one) => [keyOf(one as { name: string }), one])).values(),
    ],
  };
}

/** Objects without a schema of their members, in all forms of such schemas. */
function free(random: Random): RandomStructure {
  const schema = random.of<JsonSchema>([
    { type: 'object' },
    { [PRESERVE]: true },
    { type: 'object', [PRESERVE]: true },
    { [PRESERVE]: true, properties: { m: { type: 'string' } } },
  ]);
  return {
    schema,
    value: (random) => Object.fromEntries(['u', 'v'].map((name) => [name, anything(random, 2)])),
  };
}

function embedded(random: Random, depth: number): RandomStructure {
  const spec = randomStructure(random, depth);
  const isOpen = random.chance(30);
  const more = { ...(isOpen && { [PRESERVE]: true }), ...(random.chance(50) && { required: ['spec', 'kind'] }) };
  return {
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: spec.schema }, ...more },
    value: (random) => ({
      apiVersion: 'v1',
      kind: 'Part',
      metadata: { name: 'p', ...(random.chance(50) && { labels: { x: random.of(['a', 'b']) }, finalizers: ['f'] }) },
      ...(random.chance(80) && { spec: spec.value(random) }),
      ...(isOpen && { u: anything(random, 1) }),
    }),
  };
}

function anything(random: Random, depth: number): unknown {
  const leaves = ['a', 1, true, null, [], {}, ['a', 1]];
  if (depth === 0 || random.chance(40)) return random.of(leaves);
  return Object.fromEntries(['m', 'u'].map((name) => [name, anything(random, depth - 1)]));
}
