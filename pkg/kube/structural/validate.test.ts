import { expect } from 'chai';
import type { JsonSchema } from './json-schema.js';
import { compile } from './structural.js';
import { type ValidateOptions, validate } from './validate.js';

function told(schema: JsonSchema, value: unknown, old?: unknown, options?: ValidateOptions): readonly string[] {
  return validate(compile(schema), value, old, options).map(({ field, message }) => `${field}: ${message}`);
}

const spec = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { spec: schema } });

describe('validate', () => {
  it('tells a wrong type in the words of Kubernetes, and checks the rest all the same', () => {
    expect(told(spec({ type: 'integer', maximum: 3 }), { spec: 4.5 })).to.deep.equal(
      [
        'spec: Invalid value: "number": spec in body must be of type integer: "number"',
        'spec: Invalid value: "": Checked value must be of type integer (default format) in spec',
        'spec: Invalid value: 4.5: spec in body should be less than or equal to 3',
      ].map((line, i) => (i === 1 ? line.replace('spec: Invalid value: ""', '<nil>: Invalid value: ""') : line)),
    );
  });

  it('has the reasons of Kubernetes', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['a'],
      properties: {
        b: { type: 'string', maxLength: 1 },
        c: { type: 'string', enum: ['x', 'y'] },
        d: { type: 'array', maxItems: 1, items: { type: 'string' } },
        e: { type: 'string' },
        f: { type: 'string', pattern: '^a' },
      },
    };
    const causes = validate(compile(spec(schema)), { spec: { b: 'xx', c: 'z', d: ['', ''], e: 1, f: '"' } });
    expect(causes).to.deep.equal([
      { reason: 'FieldValueTooLong', message: 'Too long: may not be more than 1 byte', field: 'spec.b' },
      {
        reason: 'FieldValueNotSupported',
        message: 'Unsupported value: "z": supported values: "x", "y"',
        field: 'spec.c',
      },
      { reason: 'FieldValueTooMany', message: 'Too many: 2: must have at most 1 item', field: 'spec.d' },
      {
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "integer": spec.e in body must be of type string: "integer"',
        field: 'spec.e',
      },
      {
        reason: 'FieldValueInvalid',
        message: 'Invalid value: "\\"": spec.f in body should match \'^a\'',
        field: 'spec.f',
      },
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
    ]);
  });

  it('counts the characters of Unicode', () => {
    expect(told(spec({ type: 'string', maxLength: 2 }), { spec: '😀😀' })).to.deep.equal([]);
    expect(told(spec({ type: 'string', minLength: 3 }), { spec: '😀😀' })).to.have.length(1);
  });

  it('blames the branch of an anyOf with the most checks that pass', () => {
    const branches: JsonSchema[] = [{ required: ['a', 'b'] }, { properties: { c: { minimum: 5 } }, required: ['c'] }];
    expect(told(spec({ type: 'object', anyOf: branches }), { spec: { c: 1 } })).to.deep.equal([
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.c: Invalid value: 1: spec.c in body should be greater than or equal to 5',
    ]);
  });

  it('puts the path of a part before all fields, but not into the words', () => {
    const schema: JsonSchema = { type: 'object', properties: { ready: { type: 'boolean' } } };
    expect(told(schema, { ready: 'x' }, undefined, { path: 'status' })).to.deep.equal([
      'status.ready: Invalid value: "string": ready in body must be of type boolean: "string"',
    ]);
    expect(told(schema, 1)).to.deep.equal([
      '<nil>: Invalid value: "integer":  in body must be of type object: "integer"',
    ]);
  });

  it('takes names of Object.prototype for missing, if they are', () => {
    const schema = spec({ type: 'object', required: ['constructor'], properties: { toString: { type: 'string' } } });
    expect(told(schema, { spec: {} })).to.deep.equal(['spec.constructor: Required value']);
  });

  it('takes linear time where the patterns of JavaScript would take years', () => {
    const schema = spec({ type: 'string', pattern: '^(a+)+$' });
    expect(told(schema, { spec: `${'a'.repeat(5000)}!` })).to.have.length(1);
  });

  it('tells as many errors as an answer has, each once, and that there are more', () => {
    const items: JsonSchema = { type: 'string', allOf: [{ maxLength: 1 }, { maxLength: 1 }] };
    const causes = told(spec({ type: 'array', items }), { spec: Array.from({ length: 20_000 }, () => 'xx') });
    expect(causes).to.have.length(100);
    expect(new Set(causes)).to.have.length(100);
    expect(causes.at(-1)).to.contain('there are more problems, which are not shown');
  });
});

describe('validate, with the old object', () => {
  const item: JsonSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, n: { type: 'integer', maximum: 3 } },
  };
  const list: JsonSchema = {
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };

  it('tells nothing of parts that were not changed', () => {
    const schema = spec({ type: 'object', properties: { a: { type: 'string', maxLength: 1 }, b: { type: 'string' } } });
    expect(told(schema, { spec: { a: 'xx', b: 'new' } }, { spec: { a: 'xx', b: 'old' } })).to.deep.equal([]);
    expect(told(schema, { spec: { a: 'xx' } }, { spec: { a: 'yy' } })).to.have.length(1);
  });

  it('knows the items of a list of type map by their keys', () => {
    const old = {
      spec: [
        { name: 'a', n: 9 },
        { name: 'b', n: 1 },
      ],
    };
    expect(
      told(
        spec(list),
        {
          spec: [
            { name: 'b', n: 1 },
            { name: 'a', n: 9 },
          ],
        },
        old,
      ),
    ).to.deep.equal([]);
    expect(told(spec(list), { spec: [{ name: 'a', n: 8 }] }, old)).to.have.length(1);
    expect(told(spec(list), { spec: [{ name: 'c', n: 9 }] }, old)).to.have.length(1);
  });

  it('compares other lists only as a whole', () => {
    const atomic = spec({ type: 'array', items: { type: 'integer', maximum: 3 } });
    expect(told(atomic, { spec: [9, 1] }, { spec: [9, 1] })).to.deep.equal([]);
    expect(told(atomic, { spec: [9, 2] }, { spec: [9, 1] })).to.have.length(1);
  });

  it('tells of the kind of the root in any case', () => {
    const schema: JsonSchema = { type: 'object', properties: { kind: { type: 'string', maxLength: 1 } } };
    const more: JsonSchema = { ...schema, properties: { ...schema.properties, a: { type: 'string' } } };
    expect(told(more, { kind: 'xx', a: '1' }, { kind: 'xx', a: '2' })).to.have.length(1);
  });
});
