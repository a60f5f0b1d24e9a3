import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from './canonical.js';
import { isSameJson } from './same.js';

describe('isSameJson', () => {
  it('ignores the order of members but not of elements', () => {
    expect(isSameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).to.equal(true);
    expect(isSameJson([1, 2], [2, 1])).to.equal(false);
  });

  it('treats an undefined member as absent on either side, and null as a value', () => {
    expect(isSameJson({ a: 1, b: undefined }, { a: 1 })).to.equal(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).to.equal(true);
    expect(isSameJson({ a: 1, b: null }, { a: 1 })).to.equal(false);
    expect(isSameJson({ a: 1 }, { a: 1, b: null })).to.equal(false);
  });

  it('distinguishes arrays from objects, and own members from inherited ones', () => {
    expect(isSameJson([], {})).to.equal(false);
    expect(isSameJson({ 0: 1 }, [1])).to.equal(false);
    expect(isSameJson(null, {})).to.equal(false);
    expect(isSameJson({}, JSON.parse('{"toString":1}'))).to.equal(false);
    expect(isSameJson(JSON.parse('{"toString":1}'), {})).to.equal(false);
    expect(isSameJson(JSON.parse('{"__proto__":{}}'), {})).to.equal(false);
  });

  it('agrees with the canonical text', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const same = fc.property(value, value, (a, b) => {
      expect(isSameJson(a, b)).to.equal(canonicalJson(a) === canonicalJson(b));
      expect(isSameJson(a, JSON.parse(canonicalJson(a)))).to.equal(true);
    });
    fc.assert(same, { numRuns: 500, verbose: 1 });
  });
});
