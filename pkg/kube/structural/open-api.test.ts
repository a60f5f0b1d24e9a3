import { expect } from 'chai';
import { TYPE_META } from '../openapi/meta.js';
import { META } from '../openapi/schema.js';
import type { JsonSchema } from './json-schema.js';
import { openApiV2Object, openApiV3Object } from './open-api.js';

const KIND = { group: 'stable.example.com', version: 'v1', kind: 'CronTab' };
const GVK = { 'x-kubernetes-group-version-kind': [KIND] };
const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true };
const V3_METADATA = {
  description: 'Standard metadata of the object.',
  allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }],
};
const V2_METADATA = {
  description: 'Standard metadata of the object.',
  $ref: `#/definitions/${META}.ObjectMeta`,
};
const object = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
type Published = { readonly properties: Readonly<Record<string, unknown>> };
const v3 = (spec: JsonSchema): unknown => (openApiV3Object(object({ spec }), KIND) as Published).properties['spec'];
const v2 = (spec: JsonSchema): unknown => (openApiV2Object(object({ spec }), KIND) as Published).properties['spec'];

describe('the OpenAPI 3.0 schema of a custom kind', () => {
  it('has the members of every object in place of its own, and its group, version and kind', () => {
    const own = object({ spec: { type: 'string' }, metadata: object({ name: { type: 'string' } }), kind: {} });
    expect(openApiV3Object({ ...own, description: 'A job.', required: ['spec'] }, KIND)).to.deep.equal({
      type: 'object',
      description: 'A job.',
      required: ['spec'],
      properties: { ...TYPE_META, metadata: V3_METADATA, spec: { type: 'string' } },
      ...GVK,
    });
  });

  it('is open if there is no schema', () => {
    expect(openApiV3Object(undefined, KIND)).to.deep.equal({ type: 'object', ...GVK });
    expect(openApiV2Object(undefined, KIND)).to.deep.equal({ type: 'object', ...GVK });
  });

  it('keeps the extensions, defaults, examples and validations', () => {
    const kept: JsonSchema = {
      type: 'array',
      title: 'Ports',
      default: [],
      example: [{ port: 1 }],
      nullable: true,
      minItems: 0,
      maxItems: 9,
      externalDocs: { url: 'https://example.com' },
      items: object({ port: { type: 'integer', default: 0, minimum: 0, exclusiveMinimum: true } }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port'],
    };
    expect(v3(kept)).to.deep.equal(kept);
    const marked = object({ a: {} }, { 'x-kubernetes-map-type': 'atomic', ...PRESERVE });
    expect(v3(marked)).to.deep.equal(marked);
  });

  it('leaves out what says nothing', () => {
    const silent: JsonSchema = {
      type: 'object',
      description: '',
      nullable: false,
      default: null,
      required: [],
      enum: null,
      maximum: null,
      allOf: [],
      properties: {},
      additionalProperties: null,
      uniqueItems: false,
      'x-kubernetes-list-type': null,
      'x-kubernetes-validations': [{ rule: 'true', message: '', optionalOldSelf: null }],
    };
    expect(v3(silent)).to.deep.equal({ type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] });
  });

  it('has the alternatives, but not the additional properties below them', () => {
    const spec = object(
      { a: { type: 'string' } },
      {
        anyOf: [{ required: ['a'], additionalProperties: { minLength: 1 } }],
        not: { properties: { a: { enum: [null] } } },
      },
    );
    expect(v3(spec)).to.deep.equal({ ...spec, anyOf: [{ required: ['a'] }] });
  });

  it('says what an integer or a string may be, once', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string' }];
    const mark = { 'x-kubernetes-int-or-string': true };
    expect(v3(mark)).to.deep.equal({ ...mark, anyOf });
    expect(v3({ ...mark, anyOf })).to.deep.equal({ ...mark, anyOf });
    expect(v3({ ...mark, allOf: [{ anyOf }, { minimum: 1 }] })).to.deep.equal({
      ...mark,
      allOf: [{ anyOf }, { minimum: 1 }],
    });
    const others = [{ minimum: 1 }];
    expect(v3({ ...mark, anyOf: others, allOf: [{ maximum: 9 }] })).to.deep.equal({
      ...mark,
      anyOf: others,
      allOf: [{ anyOf }, { maximum: 9 }],
    });
  });

  it('gives embedded resources the members of every object, wherever they are', () => {
    const part = object({ spec: {} }, { 'x-kubernetes-embedded-resource': true, required: ['spec', 'kind'] });
    const full = {
      ...part,
      required: ['spec', 'kind', 'apiVersion'],
      properties: { ...TYPE_META, metadata: V3_METADATA, spec: {} },
    };
    expect(v3({ type: 'array', items: part })).to.deep.equal({ type: 'array', items: full });
    expect(v3({ type: 'object', additionalProperties: part })).to.deep.equal({
      type: 'object',
      additionalProperties: full,
    });
    expect(v3(object({ part }))).to.deep.equal(object({ part: full as JsonSchema }));
  });

  it('may have members with the names of the prototype', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}');
    expect(Object.keys((v3(object(properties)) as Published).properties)).to.deep.equal(['__proto__', 'constructor']);
    expect(Object.keys((v2(object(properties)) as Published).properties)).to.deep.equal(['__proto__', 'constructor']);
  });
});

describe('the OpenAPI 2.0 schema of a custom kind', () => {
  it('refers to the definitions of 2.0', () => {
    expect(openApiV2Object(object({}), KIND)).to.deep.equal({
      type: 'object',
      properties: { ...TYPE_META, metadata: V2_METADATA },
      ...GVK,
    });
  });

  it('has no members if unknown ones are preserved, because clients would refuse these', () => {
    expect(openApiV2Object(object({ spec: {} }, PRESERVE), KIND)).to.deep.equal({ type: 'object', ...GVK });
    expect(v2(object({ a: {} }, PRESERVE))).to.deep.equal(PRESERVE);
    expect(v2({ type: 'array', items: { type: 'string' }, ...PRESERVE })).to.deep.equal(PRESERVE);
    const part = object({ spec: {} }, { 'x-kubernetes-embedded-resource': true, ...PRESERVE });
    expect(v2(part)).to.deep.equal({ 'x-kubernetes-embedded-resource': true, ...PRESERVE });
  });

  it('has no alternatives', () => {
    const some = [{ minimum: 1 }];
    expect(v2({ type: 'integer', allOf: some, anyOf: some, oneOf: some, not: { minimum: 9 } })).to.deep.equal({
      type: 'integer',
    });
    expect(v2({ 'x-kubernetes-int-or-string': true })).to.deep.equal({ 'x-kubernetes-int-or-string': true });
  });

  it('has no type for what may be null, and does not require it', () => {
    const may = object({ b: {} }, { nullable: true, description: 'One.' });
    expect(v2(object({ a: may, b: { type: 'string' } }, { required: ['a', 'b'] }))).to.deep.equal(
      object({ a: { description: 'One.' }, b: { type: 'string' } }, { required: ['b'] }),
    );
    expect(v2(object({ a: may }, { required: ['a'] }))).to.deep.equal(object({ a: { description: 'One.' } }));
    const values = { type: 'object', additionalProperties: { type: 'string', nullable: true }, required: ['a'] };
    expect(v2(values)).to.deep.equal({ type: 'object', additionalProperties: {} });
  });
});
