import type { JsonSchema } from '../../pkg/structural/json-schema.js';
import { Random } from '../fieldmanager/schemas.js';
import { randomMeta } from './metadata.js';

export interface Case {
  readonly schema: JsonSchema;
  readonly object: Readonly<Record<string, unknown>>;
  readonly old: Readonly<Record<string, unknown>>;
}

type Mutable = { -readonly [Name in keyof JsonSchema]: JsonSchema[Name] };
type Members = Record<string, unknown>;

const NAMES = ['a', 'b', 'c', 'name', 'kind', 'x-y', ''];
const TEXTS = ['', 'a', 'b', 'abc', 'Zürich', '😀😀', 'a b\n"', '<&>', '12', 'A', 'x'.repeat(30), 'my-name', 'a.b'];
const NUMBERS = [
  0, 1, 2, 3, 5, 65, 100, -1, -7, 1.5, 2.5, 0.1, 1e6, 1e21, 3e40, 2147483647, 2147483648, -2147483649, 1.0000000001,
];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901'],
  uri: [
    'http://a.b/c?d#e',
    '/path',
    'a',
    'http://[::1]:80/',
    'http://[::1%25en0]/',
    'http://a:b:c/',
    'x://a:b:1',
    'mailto:a',
    'http://a%20b',
    'http://a/%zz',
    '://a',
    'http://u:p@h/',
    '*',
    'http://[1.2.3.4]/',
  ],
  email: [
    'a@b.c',
    'A <a@b.c>',
    'a',
    '"a b"@c',
    'a@[1.2.3.4]',
    'a@[x]',
    'a..b@c',
    'x (y) <a@b>',
    'g: a@b;',
    'g: a@b, c@d;',
    'a@b (c',
    '""@b',
    'a@b (c)',
    'ü@b',
  ],
  hostname: [
    'a',
    'a.b',
    'a.bc',
    'a-b',
    'ab-c',
    'ab-c.de',
    '-a',
    'a.b.',
    'ü.de',
    '1.2',
    '😀.de',
    'x'.repeat(64),
    `${'ab.'.repeat(90)}de`,
  ],
  ipv4: ['1.2.3.4', '01.2.3.4', '1.2.3', '256.1.1.1', '::1.2.3.4', '::1'],
  ipv6: [
    '::1',
    '1::2::3',
    '1:2:3:4:5:6:7:8',
    '1.2.3.4',
    '::1.2.3.4',
    '::01.2.3.4',
    'fe80::1%en0',
    '00001::',
    '1:2:3:4:5:6:7::',
    ':::',
    '1:2:3:4:5:6:7:8::',
  ],
  cidr: ['1.2.3.4/8', '1.2.3.4/33', '::/0', '::/129', '01.2.3.4/08', '1.2.3.4', '/8', '1.2.3.4/'],
  mac: [
    '01:23:45:67:89:ab',
    '01-23-45-67-89-ab',
    '0123.4567.89ab',
    '0123456789ab',
    '01:23:45:67:89',
    '01:23-45:67:89:ab',
    '01:23:45:67:89:ab:cd:ef',
  ],
  uuid: ['01234567-89ab-cdef-0123-456789ABCDEF', '0123456789abcdef0123456789abcdef', 'x'],
  uuid3: ['01234567-89ab-3def-0123-456789ABCDEF', '01234567-89ab-4def-0123-456789ABCDEF'],
  uuid4: ['01234567-89ab-4def-8123-456789ABCDEF', '01234567-89ab-4def-0123-456789ABCDEF'],
  uuid5: ['01234567-89ab-5def-8123-456789ABCDEF', '01234567-89ab-4def-0123-456789ABCDEF'],
  isbn: ['0321751043', '978-0321751041', '0321751044', '978 0321751041', '080442957X'],
  isbn10: ['0321751043', '978-0321751041', '080442957X'],
  isbn13: ['0321751043', '978-0321751041', '978-0321751042'],
  creditcard: ['4111 1111 1111 1111', '4111111111111112', '5555x555555554444', ''],
  ssn: ['111-11-1111', '111 11 1111', '111111111', '11111111111'],
  hexcolor: ['#fff', 'FFFFFF', '#ffff'],
  rgbcolor: ['rgb(0,0,0)', 'rgb( 1 , 29, 255 )', 'rgb(25,20,19)', 'rgb(256,0,0)', 'rgb (0,0,0)', 'rgb(0,0)'],
  byte: ['YQ==', 'YWI=', 'YWJj', '', 'YQ=', 'Y===', 'YW-_'],
  password: ['', 'x'],
  date: ['2024-02-29', '2023-02-29', '2024-2-1', '0000-01-01', '2024-13-01', '2024-04-31'],
  duration: [
    '1h',
    '22 ns',
    '1.5h',
    '-1m',
    '0',
    '1.s',
    '.5s',
    '3 days',
    '1h 2',
    'h',
    '1 fortnight',
    '9999999h',
    '99999999999999999999s',
    '1minutes',
    '2 hr',
    '1us',
    '1µs',
    '1μs',
    '+5s',
    '1m2',
    '',
  ],
  datetime: [
    '2014-12-15T19:30:20.000Z',
    '2014-12-15t19:30:20+01:00',
    '2014-12-15T24:00:00Z',
    '2014-12-15T19:30:20',
    '2014-12-15T19:30:20ZTx',
    '2014-12-15 19:30:20Z',
    '2014-12-15T19:30:20,5Z',
  ],
  'date-time': ['2014-12-15T19:30:20Z', 'x'],
  'k8s-short-name': ['a', 'a-b', 'A', '-a', 'x'.repeat(64), 'a.b'],
  'k8s-long-name': ['a', 'a.b', 'a..b', 'A.b', `${'x'.repeat(100)}.${'x'.repeat(160)}`],
  unknown: ['a'],
};
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

/** A random structural schema, an object that more or less fits it, and the object that it replaces. */
export function randomCase(seed: number): Case {
  const random = new Random(seed);
  const schema = rootSchema(random);
  const object = objectOf(schema, random) as Members;
  const old = random.chance(70) ? changedObject(object, random) : (objectOf(schema, random) as Members);
  return { schema, object, old };
}

function rootSchema(random: Random): JsonSchema {
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
  if (random.chance(18)) schema.default = random.chance(80) ? valueOf(schema, random, 2) : null;
  if (random.chance(10)) schema.enum = Array.from({ length: 1 + random.below(3) }, () => scalar(random));
  if (random.chance(8)) schema.enum = [...(schema.enum ?? []), valueOf(schema, random, 1)];
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
  if (random.chance(20)) schema.pattern = random.of(PATTERNS.filter((pattern) => pattern !== '['));
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

/** Constraints for the sort of value that the schema has, mostly without a type. */
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

function objectOf(schema: JsonSchema, random: Random): unknown {
  const object = valueOf({ ...schema, default: undefined, nullable: false }, random, 5) as Members;
  const meta: Members = random.chance(90)
    ? { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name: 'a' } }
    : {};
  return { ...meta, ...(typeof object === 'object' && !Array.isArray(object) ? object : {}) };
}

function valueOf(schema: JsonSchema, random: Random, depth: number): unknown {
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
  return Array.from({ length: depth > 0 ? random.below(4) : 0 }, () => valueOf(items, random, depth - 1));
}

function membersOf(schema: JsonSchema, random: Random, depth: number): unknown {
  const members: Members = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (random.chance(75)) members[name] = valueOf(property, random, depth - 1);
  }
  const { additionalProperties: more } = schema;
  if (typeof more === 'object' && more !== null) {
    for (const name of ['k', 'l.m', 'a']) if (random.chance(50)) members[name] = valueOf(more, random, depth - 1);
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

function scalar(random: Random): unknown {
  return random.of([null, true, false, random.of(TEXTS), random.of(TEXTS), random.of(NUMBERS), random.of(NUMBERS)]);
}

function changedObject(object: Members, random: Random): Members {
  const kept = Object.entries(object).filter(() => random.chance(97));
  return Object.fromEntries(kept.map(([name, member]) => [name, changed(member, random)]));
}

/** A copy with a few parts that are different. */
function changed(value: unknown, random: Random): unknown {
  if (random.chance(4)) return scalar(random);
  if (Array.isArray(value)) {
    const items = value.filter(() => random.chance(93)).map((item) => changed(item, random));
    return random.chance(20) ? items.reverse() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(() => random.chance(95));
  return Object.fromEntries(kept.map(([name, member]) => [name, changed(member, random)]));
}
