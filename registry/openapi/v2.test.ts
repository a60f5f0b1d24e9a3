import { expect } from 'chai';
import type { Schema } from '../../pkg/kube/openapi/schema.js';
import type { Operation } from './operations.js';
import { encodeV2, joinV2, V2_JSON } from './v2.js';
import type { OpenApiV3, PathItem } from './v3.js';

const OPTIONS = { title: 'Lights', version: 'v9' };
const LAMP = { $ref: '#/components/schemas/Lamp' };
const LAMP_IN_V2 = { $ref: '#/definitions/Lamp' };
const VERBOSE = { name: 'verbose', in: 'query', description: 'More.', schema: { type: 'boolean' } } as const;
const VERBOSE_IN_V2 = { name: 'verbose', in: 'query', description: 'More.', type: 'boolean' };

const operation = (more: Partial<Operation> = {}): Operation => ({
  tags: ['light_v1'],
  description: 'Does it.',
  operationId: 'doIt',
  responses: { 200: { description: 'OK', content: { 'application/json': { schema: LAMP } } } },
  'x-kubernetes-action': 'get',
  'x-kubernetes-group-version-kind': { kind: 'Lamp' },
  ...more,
});
const documentOf = (paths: Readonly<Record<string, PathItem>>, schemas = {}) =>
  ({ paths, components: { schemas } }) as unknown as OpenApiV3;

interface Converted {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly definitions: Readonly<Record<string, unknown>>;
}
const converted = (...documents: readonly OpenApiV3[]): Converted => {
  const parts = documents.map((document) => encodeV2(document, V2_JSON));
  return JSON.parse(Buffer.from(joinV2(parts, OPTIONS, V2_JSON)).toString());
};
const get = (more: Partial<Operation> = {}): unknown =>
  converted(documentOf({ '/x': { get: operation(more) } })).paths['/x']?.['get'];
const schema = (one: Schema): unknown => converted(documentOf({}, { One: one })).definitions['One'];

describe('the document of OpenAPI 2.0', () => {
  it('joins the paths and schemas of all documents', () => {
    const one = documentOf({ '/a': {} }, { A: { type: 'string' } });
    const two = documentOf({ '/b': {}, '/c': {} }, { B: { type: 'object' } });
    expect(converted(one, two)).to.deep.equal({
      swagger: '2.0',
      info: { title: 'Lights', version: 'v9' },
      paths: { '/a': {}, '/b': {}, '/c': {} },
      definitions: { A: { type: 'string' }, B: { type: 'object' } },
    });
  });

  it('has the type of a parameter beside its name', () => {
    const { paths } = converted(documentOf({ '/x': { parameters: [VERBOSE], get: operation() }, '/y': {} }));
    expect(paths['/x']?.['parameters']).to.deep.equal([VERBOSE_IN_V2]);
    expect(paths['/y']).to.deep.equal({});
  });
});

describe('an operation in OpenAPI 2.0', () => {
  it('without a body takes any, and keeps what both versions have', () => {
    expect(get()).to.deep.equal({
      tags: ['light_v1'],
      description: 'Does it.',
      operationId: 'doIt',
      'x-kubernetes-action': 'get',
      'x-kubernetes-group-version-kind': { kind: 'Lamp' },
      consumes: ['*/*'],
      produces: ['application/json'],
      parameters: [],
      responses: { 200: { description: 'OK', schema: LAMP_IN_V2 } },
    });
  });

  it('has its body as the last parameter, once for all types of it', () => {
    const content = { 'application/json': { schema: LAMP }, 'application/yaml': { schema: LAMP } };
    const body = { name: 'body', in: 'body', schema: LAMP_IN_V2 };
    expect(get({ parameters: [VERBOSE], requestBody: { content } })).to.deep.include({
      consumes: ['application/json', 'application/yaml'],
      parameters: [VERBOSE_IN_V2, body],
    });
    expect(get({ requestBody: { required: true, content } })).to.deep.include({
      parameters: [{ ...body, required: true }],
    });
  });

  it('answers in JSON, or with what is not described', () => {
    const text = { 'text/plain': { schema: { type: 'string' } } };
    expect(get({ responses: { 204: { description: 'Gone', content: text } } })).to.deep.include({
      produces: ['application/json'],
      responses: { 204: { description: 'Gone' } },
    });
  });
});

describe('a schema in OpenAPI 2.0', () => {
  it('is left open where it has alternatives', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const some = [{ type: 'string' }, { type: 'number' }];
    expect(schema({ description: 'Either.', anyOf: some })).to.deep.equal({ description: 'Either.', ...open });
    expect(schema({ oneOf: some })).to.deep.equal(open);
    expect(schema({ type: 'object', properties: { a: { anyOf: some }, b: { type: 'string' } } })).to.deep.equal({
      type: 'object',
      properties: { a: open, b: { type: 'string' } },
    });
  });

  it('lists no members where others are allowed, because kubectl and Terraform would refuse these', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    const properties = { title: { type: 'string' } };
    expect(schema({ type: 'object', description: 'Open.', properties, ...open })).to.deep.equal({
      description: 'Open.',
      ...open,
    });
  });

  it('has no null and no negation', () => {
    expect(schema({ type: 'string', nullable: true, not: { type: 'object' } })).to.deep.equal({ type: 'string' });
  });

  it('refers to definitions', () => {
    expect(schema({ type: 'array', items: LAMP })).to.deep.equal({ type: 'array', items: LAMP_IN_V2 });
    expect(schema({ type: 'object', additionalProperties: LAMP })).to.deep.equal({
      type: 'object',
      additionalProperties: LAMP_IN_V2,
    });
  });

  it('has the description of a reference beside it, because Go clients do not follow allOf', () => {
    expect(schema({ description: 'The lamp.', allOf: [LAMP] })).to.deep.equal({
      description: 'The lamp.',
      ...LAMP_IN_V2,
    });
  });

  it('keeps any other allOf', () => {
    for (const allOf of [[{ type: 'object' }], [], [{ type: 'object' }, { type: 'object' }]])
      expect(schema({ allOf })).to.deep.equal({ allOf });
    expect(schema({ allOf: [LAMP, LAMP] })).to.deep.equal({ allOf: [LAMP_IN_V2, LAMP_IN_V2] });
  });
});
