import { expect } from 'chai';
import { JsonSchema } from './json-schema.js';

const issuesOf = (value: unknown): readonly unknown[] =>
  JsonSchema.safeParse(value).error?.issues.map((issue) => [
    issue.path.join('.'),
    issue.code === 'unrecognized_keys' ? issue.keys : issue.message,
  ]) ?? [];

describe('the type of schemas', () => {
  const nested = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'string', enum: ['x'], default: 'x' } }, b: { not: null } },
    additionalProperties: false,
    allOf: [{ required: ['a'] }],
    dependencies: { a: ['b'], b: { type: 'object' } },
    'x-kubernetes-validations': [{ rule: 'true' }],
    default: null,
  };

  it('takes what is right as it is', () => {
    expect(JsonSchema.parse(nested)).to.equal(nested);
    expect(issuesOf(null)).to.have.length(1);
    expect(issuesOf([])).to.have.length(1);
  });

  it('names unknown members and values of wrong types wherever they are', () => {
    const wrong = {
      type: 1,
      x: 1,
      properties: { a: { items: { y: 2, minLength: 'z' } }, b: { allOf: [{}, { z: 3 }] } },
      additionalProperties: { additionalItems: { pattern: [], u: 0 } },
    };
    expect(issuesOf(wrong)).to.have.deep.members([
      ['type', 'Invalid input: expected string, received number'],
      ['', ['x']],
      ['properties.a.items.minLength', 'Invalid input: expected number, received string'],
      ['properties.a.items', ['y']],
      ['properties.b.allOf.1', ['z']],
      ['additionalProperties.additionalItems.pattern', 'Invalid input: expected string, received array'],
      ['additionalProperties.additionalItems', ['u']],
    ]);
    expect(issuesOf({ properties: { a: 1 } })).to.deep.equal([
      ['properties.a', 'Invalid input: expected object, received number'],
    ]);
    expect(issuesOf(JSON.parse('{"__proto__":{"type":"string"},"toString":1}'))).to.deep.equal([
      ['', ['__proto__', 'toString']],
    ]);
  });

  it('adds defaults', () => {
    const schema = { properties: { a: { 'x-kubernetes-validations': [{ message: 'm' }] } } };
    expect(JsonSchema.parse(schema)).to.deep.equal({
      properties: { a: { 'x-kubernetes-validations': [{ rule: '', message: 'm' }] } },
    });
  });
});
