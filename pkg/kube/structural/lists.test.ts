import { expect } from 'chai';
import type { JsonSchema } from './json-schema.js';
import { listSteps, validateLists } from './lists.js';
import { compile } from './structural.js';

const set: JsonSchema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
const map = (...keys: string[]): JsonSchema => ({
  type: 'array',
  items: { type: 'object', properties: { inner: set } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

function told(schema: JsonSchema, value: unknown, old?: unknown): readonly string[] {
  const structural = compile({ type: 'object', properties: { spec: schema } });
  const before = old === undefined ? undefined : { spec: old };
  return validateLists(structural, { spec: value }, before).map(({ field, message }) => `${field}: ${message}`);
}

describe('validateLists', () => {
  it('refuses an item of a set that is there twice, and tells of it once', () => {
    expect(told(set, ['a', 'b', 'a', 'a', 1, '1', null])).to.deep.equal(['spec[2]: Duplicate value: "a"']);
    expect(
      told(set, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).to.deep.equal(['spec[1]: Duplicate value: {"a":1,"b":2}']);
  });

  it('refuses keys of a map that are there twice, also if they are not given', () => {
    expect(told(map('k'), [{ k: 1 }, { k: '1' }, { k: 1, x: 2 }])).to.deep.equal(['spec[2]: Duplicate value: {"k":1}']);
    expect(told(map('k', 'l'), [{ k: 1 }, null, { k: 1, x: 2 }, {}])).to.deep.equal([
      'spec[2]: Duplicate value: {"k":1}',
      'spec[3]: Duplicate value: {}',
    ]);
  });

  it('refuses what is no object in a map, before all else', () => {
    expect(told(map('k'), [{ k: 1 }, { k: 1 }, 'x'])).to.deep.equal([
      'spec[2]: Invalid value: "x": must be an object for an array of list-type map',
    ]);
  });

  it('finds lists in lists, and names members of maps with brackets', () => {
    expect(told(map('k'), [{ k: 1, inner: ['a', 'a'] }])).to.deep.equal(['spec[0].inner[1]: Duplicate value: "a"']);
    expect(told({ type: 'object', additionalProperties: set }, { 'x.y': ['a', 'a'] })).to.deep.equal([
      'spec[x.y][1]: Duplicate value: "a"',
    ]);
  });

  it('tells nothing if the old object broke a rule already', () => {
    expect(told(set, ['a', 'a'], ['b', 'b'])).to.deep.equal([]);
    expect(told(set, ['a', 'a'], ['b'])).to.have.length(1);
  });

  it('compares the items of a long list in steps', () => {
    const items = Array.from({ length: 5000 }, (_, i) => ({ k: i % 4999 }));
    let pauses = 0;
    const steps = listSteps(compile(map('k')), items);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses).to.be.at.least(4);
    expect(step.value.map(({ field }) => field)).to.deep.equal(['[4999]']);
  });
});
