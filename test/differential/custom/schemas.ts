import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import type { Random } from '../../fieldmanager/schemas.js';
import { rulesFor } from './rules.js';

type Properties = Readonly<Record<string, JsonSchema>>;

const text = (more: Partial<JsonSchema> = {}): JsonSchema => ({ type: 'string', maxLength: 20, ...more });
const whole = (more: Partial<JsonSchema> = {}): JsonSchema => ({ type: 'integer', ...more });

/** Fields as people write them. Some have random keywords. */
const FIELDS: Readonly<Record<string, (random: Random) => JsonSchema>> = {
  title: (random) => text({ ...some(random, { default: 'untitled' }), ...some(random, { minLength: 1 }) }),
  count: (random) => whole({ ...some(random, { minimum: 0, maximum: 100 }), ...some(random, { default: 1 }) }),
  mode: (random) => text({ enum: ['fast', 'slow', 'off'], ...some(random, { default: 'fast' }) }),
  ratio: (random) => ({ type: 'number', ...some(random, { multipleOf: 0.5 }), ...some(random, { format: 'double' }) }),
  isOn: (random) => ({ type: 'boolean', ...some(random, { default: true }) }),
  slug: () => text({ pattern: '^[a-z][a-z0-9-]*$' }),
  when: () => text({ format: 'date-time', maxLength: 40 }),
  address: (random) => text({ format: random.of(['ipv4', 'uri', 'duration', 'date', 'byte', 'uuid', 'cidr']) }),
  port: (random) => ({ 'x-kubernetes-int-or-string': true, ...some(random, { default: 80 }) }),
  maybe: () => text({ nullable: true }),
  open: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  labels: (random) => ({
    type: 'object',
    additionalProperties: text(some(random, { minLength: 1 })),
    maxProperties: 4,
  }),
  tags: () => ({ type: 'array', items: text(), 'x-kubernetes-list-type': 'set', maxItems: 5 }),
  lines: (random) => ({
    type: 'array',
    items: text(),
    maxItems: 4,
    ...some(random, { 'x-kubernetes-list-type': 'atomic' }),
    ...some(random, { default: ['x'] }),
  }),
  ports: (random) => ({
    type: 'array',
    maxItems: 4,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'protocol'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: text(), protocol: text({ default: 'TCP' }), port: whole(some(random, { default: 80 })) },
    },
  }),
  places: () => ({
    type: 'array',
    maxItems: 3,
    items: { type: 'object', properties: { x: whole(), y: whole({ default: 0 }) }, required: ['x'] },
  }),
  nested: (random) => ({
    type: 'object',
    ...some(random, { default: {} }),
    ...some(random, { 'x-kubernetes-map-type': 'atomic' }),
    ...some(random, { required: ['a'] }, 20),
    properties: {
      a: text(some(random, { default: 'a' }, 60)),
      b: whole(),
      deep: { type: 'object', properties: { c: text({ default: 'c' }) } },
    },
  }),
  template: () => ({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  either: () => ({
    type: 'object',
    properties: { p: text(), q: text() },
    oneOf: [{ required: ['p'] }, { required: ['q'] }],
  }),
};

export const FIELD_NAMES = Object.keys(FIELDS);

/** The schema of a field, sometimes with rules. */
export function fieldSchema(random: Random, name: string): JsonSchema {
  return withRules(random, (FIELDS[name] as (random: Random) => JsonSchema)(random), 25);
}

/** The schema of whole objects with these fields in the spec. */
export function objectSchema(random: Random, fields: Properties): JsonSchema {
  const required = Object.keys(fields).filter(() => random.chance(10));
  const spec: JsonSchema = {
    type: 'object',
    properties: { ...fields, replicas: whole(some(random, { default: 1 })) },
    ...(required.length > 0 && { required }),
  };
  const status: JsonSchema = {
    type: 'object',
    properties: {
      phase: withRules(random, text(), 30),
      replicas: whole(),
      selector: text(),
      conditions: {
        type: 'array',
        maxItems: 4,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type'],
          properties: { type: text(), status: text({ default: 'Unknown' }) },
        },
      },
    },
  };
  const whole_: JsonSchema = {
    type: 'object',
    properties: { spec: withRules(random, spec, 40), status, ...(random.chance(15) && { extra: text() }) },
    ...(random.chance(15) && { required: ['spec'] }),
  };
  return withRules(random, whole_, 15, true);
}

function withRules(random: Random, schema: JsonSchema, percent: number, isRoot = false): JsonSchema {
  if (!random.chance(percent)) return schema;
  const rules = rulesFor(random, schema, isRoot);
  return rules.length === 0 ? schema : { ...schema, 'x-kubernetes-validations': rules };
}

export function some<T extends object>(random: Random, more: T, percent = 35): Partial<T> {
  return random.chance(percent) ? more : {};
}
