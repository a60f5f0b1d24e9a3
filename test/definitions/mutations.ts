import type { Definition } from '../../apis/apiextensions/customresourcedefinition/schema.js';
import { seededRandom } from '../crash/workload.js';

/** Values of any type for members of definitions. */
const VALUES: readonly unknown[] = [
  ...[
    '',
    'string',
    'object',
    'array',
    'integer',
    'null',
    'Foo',
    'a-b',
    'A',
    'v1',
    'None',
    'Webhook',
    'set',
    'map',
    'atomic',
  ],
  ...['.spec.x', '.status.replicas', 'x', '.', '(', '<&>"\u00e9\u0001', 'metadata', 'https://a.b/c?d#e', 'date'],
  ...[0, 1, -1, 1.5, 10, true, false, null],
  ...[
    [],
    {},
    ['a'],
    ['a', 'a'],
    [{}],
    { type: 'object' },
    { type: 'string' },
    [{ type: 'integer' }, { type: 'string' }],
  ],
];

/** Members of schemas, with values that rules check. */
const KEYWORDS: readonly (readonly [string, readonly unknown[]])[] = [
  ['type', ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null', 'foo', '']],
  [
    'properties',
    [{ a: { type: 'string' } }, { metadata: { type: 'object' } }, { kind: {}, apiVersion: { type: 'object' } }],
  ],
  ['properties', [{ metadata: { type: 'object', properties: { name: { type: 'string' } } } }, {}]],
  ['additionalProperties', [true, false, { type: 'string' }, {}]],
  [
    'items',
    [{ type: 'object', properties: { a: { type: 'string' } } }, {}, [], [{ type: 'string' }], { type: 'string' }],
  ],
  ['items', [{ type: 'object', nullable: true, 'x-kubernetes-map-type': 'atomic' }]],
  ['anyOf', [[{ type: 'integer' }, { type: 'string' }], [{ properties: { a: { minLength: 1 } } }], [{ default: 1 }]]],
  ['allOf', [[{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { title: 'x', description: 'y' }], []]],
  ['oneOf', [[{ required: ['a'] }, { items: { maximum: 3 } }], [{ nullable: true, pattern: '[' }]]],
  ['not', [{}, { properties: { metadata: {} } }, { additionalProperties: {} }, { 'x-kubernetes-list-type': 'set' }]],
  ['default', [1, 'x', null, true]],
  ['pattern', ['^a+$', '(', 'a{2000}', '(?=x)']],
  ['nullable', [true, false]],
  ['uniqueItems', [true]],
  ['enum', [['a', null], []]],
  ['required', [['a'], []]],
  ['maximum', [0, 1.5]],
  ['maxItems', [3]],
  ['example', [{ b: 1, a: '<' }]],
  ['externalDocs', [{ url: 'x' }]],
  ['id', ['x']],
  ['$schema', ['x']],
  ['$ref', ['x', '']],
  ['definitions', [{ a: { type: 'foo' } }, {}]],
  ['patternProperties', [{ a: {} }]],
  ['dependencies', [{ a: ['b'] }, { a: { uniqueItems: true } }, {}]],
  ['additionalItems', [true, {}]],
  ['x-kubernetes-preserve-unknown-fields', [true, false]],
  ['x-kubernetes-embedded-resource', [true]],
  ['x-kubernetes-int-or-string', [true]],
  ['x-kubernetes-list-type', ['set', 'map', 'atomic', 'foo']],
  ['x-kubernetes-list-map-keys', [['a'], ['a', 'a', 'b'], []]],
  ['x-kubernetes-map-type', ['atomic', 'granular', 'foo']],
  ['x-kubernetes-validations', [[{ rule: 'true' }], [{ rule: ' ' }, { rule: 'true', message: 'a\nb', reason: 'x' }]]],
  [
    'x-kubernetes-validations',
    [
      [
        { rule: 'true\n', fieldPath: '.a', messageExpression: ' ' },
        { rule: 'true', fieldPath: '.q' },
      ],
    ],
  ],
  [
    'x-kubernetes-validations',
    [[{ rule: 'true\n&& true' }, { rule: 'true', message: ' ', fieldPath: ' ', reason: 'FieldValueInvalid' }]],
  ],
];

type Container = Record<string, unknown> | unknown[];

interface Member {
  readonly container: Container;
  readonly key: string;
  readonly value: unknown;
}

/** The definition with some random changes. */
export function mutated(base: Definition, seed: number): Definition {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const copy = structuredClone(base);
  const changes = 1 + Math.floor(random() * 3);
  for (let i = 0; i < changes; i++) {
    const members = membersOf(copy.spec);
    const schemas = members.filter(({ key, value }) => isSchemaAt(key, value));
    if (schemas.length > 0 && random() < 0.7) {
      const [name, options] = pick(KEYWORDS);
      (pick(schemas).value as Record<string, unknown>)[name] = structuredClone(pick(options));
      continue;
    }
    const { container, key } = pick(members);
    if (random() < 0.3 && !Array.isArray(container)) delete container[key];
    else (container as Record<string, unknown>)[key] = structuredClone(pick(VALUES));
  }
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isSchemaAt(key: string, value: unknown): boolean {
  return isObject(value) && (key === 'openAPIV3Schema' || key === 'items' || key === 'not' || 'type' in value);
}

function membersOf(root: object): readonly Member[] {
  const members: Member[] = [];
  const waiting: Container[] = [root as Container];
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    for (const [key, value] of Object.entries(container)) {
      members.push({ container, key, value });
      if (typeof value === 'object' && value !== null) waiting.push(value as Container);
    }
  }
  return members;
}
