import type { JsonSchema, ValidationRule } from '../../pkg/kube/structural/json-schema.js';
import { OTHER_CASES } from './other-cases.js';
import type { RuleCase } from './reference.js';
import { RULES } from './rules.js';

const text: JsonSchema = { type: 'string' };
const int: JsonSchema = { type: 'integer' };

/** A schema with a field of each kind. */
const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  s: { type: 'string', maxLength: 100 },
  t: { type: 'string', maxLength: 100 },
  i: int,
  j: int,
  d: { type: 'number' },
  b: { type: 'boolean' },
  when: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  span: { type: 'string', format: 'duration' },
  raw: { type: 'string', format: 'byte' },
  mode: { type: 'string', enum: ['fast', 'slow'] },
  port: { 'x-kubernetes-int-or-string': true },
  word: { 'x-kubernetes-int-or-string': true },
  ints: { type: 'array', maxItems: 10, items: int },
  texts: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } },
  doubles: { type: 'array', maxItems: 10, items: { type: 'number' } },
  set: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 }, 'x-kubernetes-list-type': 'set' },
  set2: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 }, 'x-kubernetes-list-type': 'set' },
  pairs: {
    type: 'array',
    maxItems: 10,
    items: { type: 'object', properties: { k: { type: 'string', maxLength: 9 }, v: int }, required: ['k'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  },
  map: { type: 'object', maxProperties: 10, additionalProperties: { type: 'string', maxLength: 20 } },
  counts: { type: 'object', maxProperties: 10, additionalProperties: int },
  nested: { type: 'object', properties: { a: int, deep: { type: 'object', properties: { z: text } }, none: text } },
  nested2: { type: 'object', properties: { a: int, deep: { type: 'object', properties: { z: text } }, none: text } },
  namespace: text,
  'x-y': int,
  'a.b/c': int,
  __under: int,
  maybe: { type: 'string', nullable: true },
  nulls: { type: 'array', maxItems: 5, items: { type: 'string', nullable: true, maxLength: 5 } },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  loose: { 'x-kubernetes-preserve-unknown-fields': true },
  lists: { type: 'array', maxItems: 4, items: { type: 'array', maxItems: 4, items: int } },
  inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
};

export const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'one' },
  s: 'hello wörld',
  t: 'a,b,c',
  i: 7,
  j: -3,
  d: 1.5,
  b: true,
  when: '2024-02-29T12:34:56.789+02:00',
  day: '2024-02-29',
  span: '1h30m',
  raw: 'aGVsbG8=',
  mode: 'fast',
  port: 80,
  word: '50%',
  ints: [3, 1, 2],
  texts: ['b', 'a', 'ccc'],
  doubles: [1, 2.5],
  set: ['x', 'y'],
  set2: ['y', 'x'],
  pairs: [
    { k: 'one', v: 1 },
    { k: 'two', v: 2 },
  ],
  map: { a: 'x', b: 'y' },
  counts: { a: 1, b: 2 },
  nested: { a: 1, deep: { z: 'q' } },
  nested2: { a: 1, deep: { z: 'q' } },
  namespace: 'ns',
  'x-y': 5,
  'a.b/c': 6,
  __under: 8,
  maybe: null,
  nulls: ['a', null],
  any: { free: [1, { x: 2 }] },
  loose: { free: true },
  lists: [[1, 2], [], [3]],
  inner: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' }, spec: {} },
};

export const OLD = { ...OBJECT, i: 6, s: 'hello', ints: [1, 2, 3], pairs: [{ k: 'two', v: 5 }], map: { a: 'x' } };

export function caseOf(rule: ValidationRule): RuleCase {
  const schema = { type: 'object', properties: PROPERTIES, 'x-kubernetes-validations': [rule] };
  return { schema, object: OBJECT, old: OLD, root: true, ratchet: false };
}

export const CASES: readonly RuleCase[] = [...RULES.map((rule) => caseOf({ rule })), ...OTHER_CASES];
