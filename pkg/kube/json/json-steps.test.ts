import { expect } from 'chai';
import fc from 'fast-check';
import { runSteps } from '../../system/yielding/steps.js';
import { canonicalJson } from './canonical.js';
import { CANONICAL, jsonSteps, PLAIN, type Style } from './json-steps.js';

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
  'long texts': many(60, (i) => ({ id: i, text: 'x'.repeat(100_000) })),
  'small ones around a large one': [1, { b: 1, a: 2 }, wide(5000), 'x', many(9000, (i) => i), undefined],
};

const STYLES: readonly (readonly [string, Style])[] = [
  ['canonical JSON', CANONICAL],
  ['plain JSON', PLAIN],
];

describe('JSON in steps', () => {
  for (const [style, { names, write }] of STYLES)
    for (const [name, value] of Object.entries(LARGE)) {
      it(`is the same text as ${style}, in steps of some thousand values, with ${name}`, () => {
        const parts: number[] = [];
        const written = (part: unknown): string => {
          const text = write(part);
          parts.push(text.length);
          return text;
        };
        const steps = jsonSteps(value, { names, write: written });
        let count = 1;
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) count++;
        expect(String(step.value)).to.equal(write(value));
        expect(Buffer.isBuffer(step.value), 'it is never one text').to.equal(true);
        expect(count).to.be.above(3);
        expect(Math.max(...parts)).to.be.below(1_200_000);
      });
    }

  it('is one step for a small value', () => {
    const value = { b: 1, a: [{}] };
    expect(jsonSteps(value, CANONICAL).next()).to.deep.equal({ done: true, value: '{"a":[{}],"b":1}' });
    expect(jsonSteps(value, PLAIN).next()).to.deep.equal({ done: true, value: '{"b":1,"a":[{}]}' });
  });

  it('is the same text for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const around = { list: [value, many(5000, () => 1), value], value };
        expect(String(runSteps(jsonSteps(around, CANONICAL)))).to.equal(canonicalJson(around));
        expect(String(runSteps(jsonSteps(around, PLAIN)))).to.equal(JSON.stringify(around));
      }),
      { numRuns: 50 },
    );
  });
});
