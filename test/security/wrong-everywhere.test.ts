import { expect } from 'chai';
import { type Defined, define } from '../custom/definition.js';
import type { Answer } from '../harness/answer.js';
import { freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { answerWithTurns, expectBounded } from './short-answer.js';

const ROLES = '/apis/iam.svc.app/v1beta1/namespaces/default/roles';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

const many = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);
const long = (length: number): string => 'x'.repeat(length);
const text = { type: 'string' };
const listOf = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });

/** The schema of the member `list`, and its value: as large as bodies may be, and wrong in each item. */
const CASES: Readonly<Record<string, readonly [object, unknown]>> = {
  'a long enum': [
    listOf({ ...text, enum: Array.from({ length: 3000 }, (_, i) => `${i}${long(100)}`) }),
    many(40_000, 'a value that is in no enum'),
  ],
  'a pattern': [listOf({ ...text, pattern: '^[a-z]+(-[a-z]+)*$' }), many(40_000, 'A value with spaces')],
  'a format': [listOf({ ...text, format: 'date-time' }), many(40_000, 'not a time')],
  'the type': [listOf(text), many(40_000, 1)],
  branches: [
    listOf({ ...text, oneOf: Array.from({ length: 20 }, (_, i) => ({ enum: [`e${i}`], maxLength: 1 })) }),
    many(40_000, 'no branch'),
  ],
  'a set of lists': [
    listOf(listOf(text, { 'x-kubernetes-list-type': 'set' }), { 'x-kubernetes-list-type': 'atomic' }),
    many(13_000, ['twice', 'twice']),
  ],
  'the number of characters': [listOf({ ...text, maxLength: 3 }), many(40_000, 'too long')],
  'too few characters': [listOf({ ...text, minLength: 30 }), many(40_000, 'too short')],
  bounds: [listOf({ type: 'integer', minimum: 5, exclusiveMinimum: true }), many(40_000, 5)],
  'a factor': [listOf({ type: 'number', multipleOf: 0.7 }), many(40_000, 1.5)],
  'the number of items': [listOf(listOf(text, { minItems: 1 })), many(40_000, [])],
  'the number of members': [listOf({ type: 'object', additionalProperties: text, minProperties: 1 }), many(40_000, {})],
  'required members': [
    listOf({ type: 'object', required: ['a', 'b', 'c'], properties: { a: text, b: text, c: text } }),
    many(40_000, {}),
  ],
  'unknown members with a wrong one': [
    listOf({ type: 'object', properties: { a: text } }),
    many(12_000, { a: 1, b: 2 }),
  ],
  nulls: [listOf(text), many(40_000, null)],
  'anything but one': [listOf({ ...text, not: { enum: ['x'] } }), many(40_000, 'x')],
  'all branches': [
    listOf({ ...text, allOf: [{ maxLength: 1 }, { pattern: '^a' }, { minLength: 9 }] }),
    many(40_000, 'xyz'),
  ],
  'any branch': [listOf({ ...text, anyOf: [{ maxLength: 1 }, { pattern: '^a' }] }), many(40_000, 'xyz')],
  'numbers or texts': [listOf({ 'x-kubernetes-int-or-string': true }), many(40_000, 1.5)],
  'a map': [{ type: 'object', additionalProperties: { type: 'integer' } }, labels(40_000, 'no number')],
  'keys of a list': [
    {
      ...listOf({ type: 'object', required: ['k'], properties: { k: text } }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    many(20_000, { k: 'twice' }),
  ],
  rules: [
    listOf({ ...text, maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self != "x"' }] }, { maxItems: 40_000 }),
    many(40_000, 'x'),
  ],
  'embedded resources': [
    listOf({ type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    many(20_000, { kind: '' }),
  ],
};

oneStore('a body that is wrong everywhere', (server) => {
  const answered = (path: string, method: string, body: unknown, headers: Record<string, string> = {}) =>
    answerWithTurns(server(), method, path, { body: JSON.stringify(body), headers });

  const expectShort = ({ answer }: { readonly answer: Answer }): void => {
    expect(answer.status, answer.text.slice(0, 300)).to.be.oneOf([400, 413, 422]);
    expectBounded(answer);
  };

  for (const [name, [schema, list]] of Object.entries(CASES)) {
    it(`by ${name} gets a short answer, and others get their turns`, async () => {
      const plural = freshName('wrongs');
      const spec = { type: 'object', properties: { list: schema } };
      const version = {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      };
      const kind: Defined = await define(server, { plural, kind: `K${plural}`, words: {}, versions: [version] });
      const object = kind.object('a', { list } as never);
      const answer = await answered(`${kind.objects.path()}?dryRun=All`, 'POST', object, {
        'content-type': 'application/json',
      });
      expectShort(answer);
      expect(answer.turns).to.be.above(1);
    });
  }

  const object = (group: string, kind: string, spec: object, metadata: object = {}): object => ({
    apiVersion: `${group}/v1beta1`,
    kind,
    metadata: { name: freshName('wrong'), ...metadata },
    spec,
  });

  for (const [name, path, body] of [
    ['permissions', ROLES, object('iam.svc.app', 'Role', { permissions: many(20_000, { action: 1 }) })],
    ['labels', FOLDERS, object('folder.svc.app', 'Folder', { title: 'a' }, { labels: labels(1000, `${long(200)}!`) })],
    ['types of labels', FOLDERS, object('folder.svc.app', 'Folder', { title: 'a' }, { labels: labels(40_000, 1) })],
    [
      'owners',
      FOLDERS,
      object('folder.svc.app', 'Folder', { title: 'a' }, { ownerReferences: many(1000, { uid: '' }) }),
    ],
    ['unknown names', FOLDERS, object('folder.svc.app', 'Folder', labels(40_000, 1))],
  ] as const) {
    it(`by ${name} gets a short answer from a compiled kind`, async () => {
      expectShort(await answered(path, 'POST', body, { 'content-type': 'application/json' }));
    });
  }

  it('by the fields of another manager gets a short answer, and others get their turns', async () => {
    const plural = freshName('taken');
    const list = {
      ...listOf({ type: 'object', required: ['k'], properties: { k: text, a: text } }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    };
    const schema = { type: 'object', properties: { spec: { type: 'object', properties: { list } } } };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const kind: Defined = await define(server, { plural, kind: `K${plural}`, words: {}, versions: [version] });
    const applied = (manager: string, a: string) => {
      const items = Array.from({ length: 5000 }, (_, i) => ({ k: `k${i}`, a }));
      const path = `${kind.objects.path('a')}?fieldManager=${manager}`;
      return answered(path, 'PATCH', kind.object('a', { list: items } as never), {
        'content-type': 'application/apply-patch+yaml',
      });
    };
    expect((await applied('one', 'x')).answer.status).to.equal(201);
    const { answer, turns } = await applied('two', 'y');
    expect(answer.status).to.equal(409);
    expect(answer.text).to.include('Apply failed with 5000 conflicts: ');
    expectBounded(answer);
    expect(turns).to.be.above(10);
  });

  it('by its patch gets a short answer', async () => {
    const made = object('folder.svc.app', 'Folder', { title: 'a' }) as { readonly metadata: { readonly name: string } };
    expect((await answered(FOLDERS, 'POST', made, { 'content-type': 'application/json' })).answer.status).to.equal(201);
    const path = `${FOLDERS}/${made.metadata.name}?fieldValidation=Strict`;
    const adds = Array.from({ length: 10_000 }, (_, i) => ({ op: 'add', path: `/spec/m${i}`, value: 1 }));
    expectShort(await answered(path, 'PATCH', adds, { 'content-type': 'application/json-patch+json' }));
    expectShort(
      await answered(path, 'PATCH', { spec: labels(20_000, 1) }, { 'content-type': 'application/merge-patch+json' }),
    );
  });
});

function labels<T>(count: number, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, value]));
}
