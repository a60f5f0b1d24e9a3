import { expect } from 'chai';
import fc from 'fast-check';
import { mergePatch, mergeSteps } from './merge.js';

/** RFC 7386, appendix A: target, patch, result. */
const VECTORS: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

const json = fc.jsonValue({ maxDepth: 4 });
const freeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};
const leafPaths = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((n, v) => n + leafPaths(v), 0)
    : value === null
      ? 1
      : 0;

describe('mergePatch', () => {
  it('gives the results of RFC 7386', () => {
    for (const [target, patch, result] of VECTORS) {
      expect(mergePatch(freeze(target), freeze(patch)), JSON.stringify(patch)).to.deep.equal(result);
    }
  });

  it('changes neither argument, and is idempotent', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = mergePatch(freeze(target), freeze(patch));
        expect(JSON.stringify(mergePatch(once, patch))).to.equal(JSON.stringify(once));
      }),
    );
  });

  it('leaves no null from an object of the patch, outside of arrays', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.constant(null), fc.dictionary(fc.string(), fc.constant(null)))),
        (patch) => {
          expect(leafPaths(mergePatch(undefined, patch))).to.equal(0);
        },
      ),
    );
  });

  it('sets no prototype for any keys', () => {
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":{"polluted":1}}',
    );
    const result = mergePatch({ a: 1 }, patch) as Record<string, unknown>;
    expect(Object.getPrototypeOf(result)).to.equal(Object.prototype);
    expect(Object.keys(result)).to.have.members(['a', '__proto__', 'constructor', 'toString']);
    for (const victim of [{}, Object, Object.prototype.toString]) expect('polluted' in victim).to.equal(false);
  });

  it('pauses after some members, wherever they are', () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, { a: i }]));
    const patch = { spec: { a: members(10_000), b: members(10_000) } };
    const steps = mergeSteps({ spec: { c: 1 } }, patch);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses++;
    expect(pauses).to.be.within(20, 100);
    expect(step.value).to.deep.equal({ spec: { c: 1, ...patch.spec } });
  });
});
