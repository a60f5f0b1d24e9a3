import type { Definition } from '../../apis/apiextensions/customresourcedefinition/schema.js';
import { mutated } from './mutations.js';
import type { Question } from './ours.js';

type Members = Readonly<Record<string, unknown>>;

/** A definition of things with one version. The parts need not be valid, nor decode. */
export function things(schema: unknown, version: Members = {}, spec: Members = {}): Definition {
  const v1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version };
  const names = { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] };
  const whole = { group: 'test.example.com', scope: 'Namespaced', names, versions: [v1], ...spec };
  return { metadata: { name: 'things.test.example.com' }, spec: whole as Definition['spec'] };
}

const ROOT = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'boolean' }, c: { type: 'array', items: { type: 'string' } } },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};
const LISTS = {
  type: 'object',
  properties: {
    e: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    i: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    l: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    },
    s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
const inSpec = (spec: unknown): Members => ({ type: 'object', properties: { spec } });
const versions = (...list: readonly Members[]): Members => ({
  versions: list.map((one, i) => ({
    name: `v${i + 1}`,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema: { type: 'object', description: `${i}` } },
    ...one,
  })),
});
const webhook = (clientConfig: unknown, more: Members = {}): Members => ({
  conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig, ...more } },
});
const service = (more: Members): Members => webhook({ service: { name: 'a', namespace: 'b', ...more } });
const scale = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string): Members => ({
  subresources: { scale: { specReplicasPath, statusReplicasPath, labelSelectorPath } },
});
const columns = (...list: readonly Members[]): Members => ({ additionalPrinterColumns: list });
const fields = (...paths: readonly string[]): Members => ({
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
});
const rules = (...list: readonly Members[]): Members =>
  inSpec({ type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': list });
const named = (names: Members, name = 'things.test.example.com'): Definition => ({
  ...things(ROOT, {}, { names: { plural: 'things', kind: 'Thing', ...names } }),
  metadata: { name },
});
const inGroup = (group: string, annotation?: string): Definition => ({
  ...things(ROOT, {}, { group }),
  metadata: {
    name: `things.${group}`,
    annotations: annotation === undefined ? {} : { 'api-approved.kubernetes.io': annotation },
  },
});
const eight = {
  type: 'object',
  properties: Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])),
};

const CREATED: readonly Definition[] = [
  things(ROOT),
  things(LISTS),
  things(undefined),
  { metadata: { name: 'x' }, spec: {} },
  ...['', 'a', 'A.b', 'a..b', `${'a'.repeat(260)}.b`, 'x_y.z'].map((group) => inGroup(group)),
  ...['', 'Foo', 'Cluster'].map((scope) => things(ROOT, {}, { scope })),
  things(ROOT, {}, versions({}, {})),
  things(ROOT, {}, versions({ name: 'v2' }, {})),
  things(ROOT, {}, versions({ storage: false })),
  things(ROOT, {}, versions({}, { storage: true })),
  things(ROOT, {}, versions({ schema: undefined }, {})),
  things(ROOT, {}, versions({ schema: {} }, { served: false, schema: null })),
  things(
    ROOT,
    {},
    versions({ subresources: { status: {} } }, { ...columns({ name: 'a', type: 'date', jsonPath: '.a' }) }),
  ),
  things(ROOT, {}, { versions: [] }),
  ...['V1', '', '1', 'v-', 'a'.repeat(64)].map((name) => things(ROOT, { name })),
  ...['x', '', '\n', 'ok \u00e9', 'a\u200b', 'w'.repeat(300)].map((deprecationWarning) =>
    things(ROOT, { deprecated: true, deprecationWarning }),
  ),
  things(ROOT, { deprecationWarning: 'x' }),
  named({ kind: '' }),
  named({ plural: '' }),
  named({ plural: 'Things' }, 'Things.test.example.com'),
  named({ kind: 'Thing_' }),
  named({ kind: 'A', listKind: 'A' }),
  named({ singular: 'T', shortNames: ['a', 'B', ''], categories: ['All'], listKind: '1' }),
  named({}, 'other.test.example.com'),
  ...[undefined, '', 'x', 'unapproved, test', 'https://example.com/1', 'https://', '/a', 'a:b'].map((text) =>
    inGroup('a.k8s.io', text),
  ),
  inGroup('kubernetes.io'),
  inGroup('x-k8s.io'),
  things(ROOT, {}, { preserveUnknownFields: true }),
  things({ type: 'object', properties: { a: { type: 'string', default: 'x' } } }, {}, { preserveUnknownFields: true }),
  things(ROOT, {}, { preserveUnknownFields: true, ...service({}) }),
  ...[
    {},
    { type: 'string' },
    { type: 'object', nullable: true },
    { type: 'foo' },
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', $schema: 'x' },
    { type: 'object', id: 'x' },
    { type: 'object', $ref: '' },
    { type: 'object', $ref: '#' },
    { type: 'object', definitions: { a: { type: 'foo' } } },
    { type: 'object', dependencies: {} },
    { type: 'object', dependencies: { a: ['b'] } },
    { type: 'object', patternProperties: { a: {} } },
    { type: 'object', additionalItems: true },
    { 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
    { type: 'object', properties: { kind: { type: 'integer' }, apiVersion: {} } },
    { type: 'object', properties: { metadata: { type: 'string' } } },
    {
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: 'a' } } } },
    },
    { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    { type: 'object', properties: { metadata: { type: 'object', required: [] } } },
    {
      type: 'object',
      properties: { metadata: { type: 'object', description: 'x' }, kind: { type: 'string', default: 'x' } },
    },
    { type: 'object', anyOf: [{ properties: { a: { type: 'string' } } }], not: { required: ['a'] } },
    { type: 'object', allOf: [{ properties: { metadata: {} } }, { items: { minLength: 1 } }] },
    {
      type: 'object',
      properties: { a: { type: 'object' } },
      oneOf: [{ properties: { a: { properties: { b: {} } } } }],
    },
  ].map((schema) => things(schema)),
  ...[
    {},
    { type: 'array' },
    { type: 'array', items: [] },
    { type: 'array', items: [{ type: 'string' }] },
    { type: 'array', items: {} },
    { type: 'null' },
    { type: 'string', pattern: '(' },
    { type: 'string', pattern: '(?=a)' },
    { type: 'array', uniqueItems: true, items: { type: 'string' } },
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    { type: 'string', anyOf: [{ type: 'integer' }, { type: 'string' }] },
    { 'x-kubernetes-int-or-string': true, type: 'integer' },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }],
    },
    {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-embedded-resource': true,
    },
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', 'x-kubernetes-embedded-resource': true, additionalProperties: { type: 'string' } },
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        metadata: {
          type: 'object',
          properties: {
            x: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
        kind: {},
      },
    },
    { type: 'string', not: { title: 'a', description: 'b', nullable: true, default: 1, additionalProperties: true } },
    {
      type: 'string',
      not: {
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-int-or-string': true,
      },
    },
    {
      type: 'string',
      not: {
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-map-type': 'atomic',
        'x-kubernetes-list-map-keys': ['a'],
        'x-kubernetes-validations': [{ rule: 'true' }],
      },
    },
    { type: 'string', 'x-kubernetes-list-type': 'set', 'x-kubernetes-map-type': 'atomic' },
    { 'x-kubernetes-list-type': 'foo' },
    { type: 'object', 'x-kubernetes-map-type': 'foo' },
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'foo' },
    { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
    {
      type: 'array',
      items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      'x-kubernetes-list-type': 'set',
    },
    { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' },
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['a'] },
    {
      type: 'array',
      items: { type: 'string' },
      'x-kubernetes-list-map-keys': ['a'],
      'x-kubernetes-list-type': 'atomic',
    },
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'map' },
    { type: 'array', items: [{ type: 'string' }], 'x-kubernetes-list-type': 'map' },
    {
      type: 'array',
      items: {
        type: 'object',
        nullable: true,
        properties: { a: { type: 'object' }, b: { type: 'string', nullable: true } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'a', 'c', 'b'],
    },
    {
      type: 'array',
      items: { type: 'object', properties: { __proto__: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
    },
    { type: 'integer', default: 'x' },
    { type: 'object', properties: {}, default: { a: 1 } },
    { type: 'string', default: null },
  ].map((schema) => things(inSpec(schema))),
  ...[
    { description: 'x' },
    { maxProperties: 1 },
    { additionalProperties: false },
    { allOf: [] },
    { type: 'string' },
    { 'x-kubernetes-preserve-unknown-fields': true },
  ].map((more) => things({ ...ROOT, ...more }, { subresources: { status: {} } })),
  ...[
    [{}],
    [{ rule: ' ' }],
    [{ rule: 'true', message: ' ' }],
    [{ rule: 'true', message: 'a\nb' }],
    [{ rule: 'true\n && true' }],
    [{ rule: 'true', messageExpression: ' ' }],
    [{ rule: 'true', reason: 'Foo' }],
    [{ rule: 'true', reason: 'FieldValueRequired', fieldPath: '.a' }],
    [{ rule: 'true', fieldPath: ' ' }],
    [{ rule: 'true', fieldPath: '.b\n' }],
    [{ rule: 'true', fieldPath: '.b' }],
    [{ rule: 'true', fieldPath: "['a']" }],
    [{ rule: 'true', fieldPath: "['a" }],
    [{ rule: 'true', fieldPath: 'a' }],
  ].map((list) => things(rules(...list))),
  ...[
    scale('', ''),
    scale('.spec.a', '.status.b', '.status.c'),
    scale('spec', '.spec.a', 'x'),
    scale('.', '.status', '.a.b'),
  ].map((part) => things(ROOT, part)),
  ...[
    columns({}),
    columns({ name: 'a', type: 'foo', format: 'bar', jsonPath: 'x' }),
    columns({ name: 'a', type: 'date', format: 'date', jsonPath: '.a' }),
    columns(
      { name: 'a', type: 'string', jsonPath: '.a', priority: 1, description: 'd' },
      { name: 'a', type: 'string', jsonPath: '.[' },
    ),
  ].map((part) => things(ROOT, part)),
  ...[
    fields('.spec.a', '.spec.b'),
    fields(''),
    fields('.spec.c'),
    fields('.spec.a', '.spec.a'),
    fields('spec.a'),
    fields('.spec[a]'),
    fields('.spec.'),
    fields('.metadata.name'),
    fields('.spec'),
    fields('.spec.x'),
    fields('.spec.a.b'),
  ].map((part) => things(ROOT, part)),
  things(eight, fields(...[...'abcdefghi'].map((name) => `.${name}`))),
  things(undefined, fields('.a')),
  ...[
    { conversion: { strategy: '' } },
    { conversion: { strategy: 'Foo' } },
    { conversion: { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } },
    webhook(undefined),
    webhook({}),
    service({}),
    service({ name: '' }),
    service({ namespace: '' }),
    service({ port: 0 }),
    service({ port: 70_000 }),
    ...['', '/', '//', 'a', '/a/b/', '/a//b', '/A', '/a b'].map((path) => service({ path })),
    ...[
      'https://a.b/c',
      'http://a',
      'https://',
      'a',
      '',
      'https://u:p@a',
      'https://a/#f',
      'https://a/?q',
      ':',
      'https://a:x',
      'https://a b',
      'https://%zz',
      'https://[::1]:1/',
      '1:2',
      'https:a',
    ].map((url) => webhook({ url })),
    webhook({ url: 'https://a', service: { name: 'a', namespace: 'b' } }),
    webhook({ url: 'https://a', caBundle: 'YQ==' }),
    ...[[], ['v1', 'v1'], ['v2'], ['V1', 'v1beta1'], ['']].map((list) =>
      webhook({ url: 'https://a' }, { conversionReviewVersions: list }),
    ),
  ].map((part) => things(ROOT, {}, part)),
];

const ESTABLISHED = { conditions: [{ type: 'Established', status: 'True' }] };
const withStatus = (definition: Definition, status: Definition['status']): Definition => ({ ...definition, status });
const established = (definition: Definition): Definition => withStatus(definition, ESTABLISHED);

const UPDATED: readonly Question[] = [
  { definition: things(ROOT, {}, { scope: 'Cluster' }), old: established(things(ROOT)) },
  { definition: things(ROOT, {}, { scope: 'Cluster' }), old: things(ROOT) },
  { definition: named({ kind: 'Other' }), old: established(named({})) },
  { definition: named({ plural: 'others' }), old: established(named({})) },
  { definition: inGroup('b.example.com'), old: established(inGroup('a.example.com')) },
  { definition: inGroup('a.k8s.io'), old: inGroup('a.k8s.io') },
  { definition: inGroup('a.k8s.io'), old: inGroup('a.k8s.io', 'https://example.com') },
  { definition: inGroup('a.k8s.io', 'x'), old: inGroup('a.k8s.io', 'y') },
  { definition: things(ROOT, { name: 'v2' }), old: established(things(ROOT)) },
  {
    definition: things(ROOT, {}, versions({}, {})),
    old: withStatus(things(ROOT), { storedVersions: ['v3', 'v1', 'v4'] }),
  },
  {
    definition: things(ROOT, {}, { preserveUnknownFields: true }),
    old: things(ROOT, {}, { preserveUnknownFields: true }),
  },
  { definition: things({}, {}, { preserveUnknownFields: true }), old: things({}, {}, { preserveUnknownFields: true }) },
  { definition: things(undefined), old: things(undefined) },
  { definition: things(inSpec({ type: 'foo' })), old: things(inSpec({ type: 'bar' })) },
  {
    definition: things(inSpec({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' })),
    old: things(inSpec({ type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' })),
  },
  {
    definition: things(
      inSpec({ type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' }),
    ),
    old: things(inSpec({ type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' })),
  },
  {
    definition: things(inSpec({ type: 'object', properties: {}, default: { a: 1 } })),
    old: things(inSpec({ type: 'object', properties: {}, default: { a: 1 } })),
  },
  {
    definition: things(eight, fields(...[...'abcdefghi'].map((name) => `.${name}`))),
    old: things(eight, fields(...[...'abcdefghi'].map((name) => `.${name}`))),
  },
  { definition: things(ROOT, {}, webhook({ url: 'https://a', caBundle: 'YQ==' })), old: established(things(ROOT)) },
  {
    definition: things(ROOT, {}, webhook({ url: 'https://a', caBundle: 'YQ==' })),
    old: established(things(ROOT, {}, webhook({ url: 'https://b', caBundle: 'YQ==' }))),
  },
  {
    definition: things(ROOT, {}, webhook({ url: 'https://a' }, { conversionReviewVersions: ['v2'] })),
    old: things(ROOT, {}, webhook({ url: 'https://a' }, { conversionReviewVersions: ['v3'] })),
  },
  {
    definition: withStatus(things(ROOT), { acceptedNames: { plural: 'A', kind: 'x y' } }),
    old: things(ROOT),
    status: true,
  },
];

/** Cases for each rule, and some random ones. */
export function cases(): readonly Question[] {
  const bases = [
    things(ROOT, { ...scale('.spec.a', '.status.b'), ...fields('.spec.a') }),
    things(LISTS),
    things(LISTS, {}, { ...versions({}, {}), ...service({}) }),
  ];
  const random = bases.flatMap((base, b) =>
    Array.from({ length: 25 }, (_, i): Question => {
      const definition = mutated(base, 1000 * b + i);
      return i % 4 === 0 ? { definition, old: established(base) } : { definition };
    }),
  );
  return [...CREATED.map((definition) => ({ definition })), ...UPDATED, ...random];
}
