import { expect } from 'chai';
import fc from 'fast-check';
import { finished } from '../structural/work.js';
import { canonicalJson } from './canonical.js';
import { canonicalSteps } from './canonical-steps.js';

const many = <T>(count: number, value: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => value(i));
const wide = (count: number): object =>
  Object.fromEntries(many(count, (i) => [`m${(i * 7919) % count}`, { b: i, a: [i] }]));

const LARGE: Readonly<Record<string, unknown>> = {
  'a long list of numbers': { z: 1, list: many(30_000, (i) => i) },
  'a long list of objects': { list: many(10_000, (i) => ({ b: 'x', a: i, c: undefined })) },
  'many members': wide(10_000),
  'keys that are numbers': { 10: 1, 9: 2, map: Object.fromEntries(many(10_000, (i) => [`${10_000 - i}`, i])) },
  'lists in lists': many(20, (i) => many(20, () => many(50, (k) => [k, i, null, undefined]))),
  'a deep value': many(99, (i) => i).reduce<unknown>((inner, i) => ({ list: many(200, (k) => k + i), inner }), {}),
  'small ones around a large one': [1, { b: 1, a: 2 }, wide(5000), 'x', many(9000, (i) => i), undefined],
};

describe('canonical JSON in steps', () => {
  for (const [name, value] of Object.entries(LARGE)) {
    it(`is the same text, in steps of some thousand values, with ${name}`, () => {
      const parts: number[] = [];
      const steps = canonicalSteps(value, (part) => {
        const text = canonicalJson(part);
        parts.push(text.length);
        return text;
      });
      let count = 1;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) count++;
      expect(step.value).to.equal(canonicalJson(value));
      expect(count).to.be.above(3);
      expect(Math.max(...parts)).to.be.below(200_000);
    });
  }

  it('is one step for a small value', () => {
    expect(canonicalSteps({ b: 1, a: [{}] }).next()).to.deep.equal({ done: true, value: '{"a":[{}],"b":1}' });
  });

  it('is the same text for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const around = { list: [value, many(5000, () => 1), value], value };
        expect(finished(canonicalSteps(around))).to.equal(canonicalJson(around));
      }),
      { numRuns: 50 },
    );
  });
});
