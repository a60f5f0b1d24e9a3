import { expect } from 'chai';
import type { Steps } from '../../system/yielding/steps.js';
import { result } from './copy.js';
import { applyDefaults, startDefaults } from './defaults.js';
import { coerce, startCoerce } from './embedded.js';
import { prune, startPrune } from './prune.js';
import { compile } from './structural.js';

const text = { type: 'string' };
const schema = compile({
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'object', properties: { a: text, b: { ...text, default: 'b' } } } },
    map: { type: 'object', additionalProperties: text },
    embedded: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
});
const COUNT = 15_000;
const numbers = Array.from({ length: COUNT }, (_, i) => i);
const object = {
  list: numbers.map((i) => ({ a: `${i}`, unknown: i })),
  map: Object.fromEntries(numbers.map((i) => [`m${i}`, 'x'])),
  embedded: numbers.map((i) => ({ apiVersion: 'v1', kind: 'K', metadata: { name: `${i}`, unknown: 1 } })),
};

/** The result, and the number of steps to it. */
function counted<Result>(steps: Steps<Result>): readonly [Result, number] {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return [step.value, count];
  }
}

describe('structural: an object with thousands of values', () => {
  it('is pruned, coerced and completed in steps of about a thousand values, as it is at once', () => {
    const [pruned, prunings] = counted(result(startPrune(schema, object, { isResourceRoot: true })));
    expect(prunings).to.be.above((4 * COUNT) / 1100);
    expect(pruned).to.deep.equal(prune(schema, object, { isResourceRoot: true }));
    expect(pruned.unknown).to.have.length(100);
    const [coerced, coercions] = counted(result(startCoerce(schema, pruned.object)));
    expect(coercions).to.be.above(COUNT / 1100);
    expect(coerced).to.deep.equal(coerce(schema, pruned.object));
    const [completed, completions] = counted(result(startDefaults(schema, coerced.object)));
    expect(completions).to.be.above((3 * COUNT) / 1100);
    expect(completed).to.deep.equal(applyDefaults(schema, coerced.object));
  });

  it('is there at once if it is small, without steps', () => {
    const small = { list: [{ a: 'a' }], map: { a: 'b' }, embedded: [{ apiVersion: 'v1', kind: 'K', metadata: {} }] };
    expect(startPrune(schema, small, { isResourceRoot: true })).to.deep.equal({ object: small, unknown: [] });
    expect(startCoerce(schema, small)).to.deep.include({ object: small, causes: [] });
    expect(startDefaults(schema, small)).to.have.nested.property('list[0].b', 'b');
  });
});
