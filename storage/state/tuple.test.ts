import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeTuple, encodeTuple, firstElements, prefixEnd, type Tuple } from './tuple.js';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const number = fc.oneof(fc.double({ noNaN: true }), fc.integer());
const tuple = fc.array(fc.oneof(text, number, fc.constantFrom('', 'a', 'aa', 0, -0, 1, -1)), { maxLength: 4 });

/** A naive implementation of the order: an absent element first, then numbers, then strings by code points. */
function compare(a: Tuple, b: Tuple): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = compareElements(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareElements(a: string | number | undefined, b: string | number | undefined): number {
  const rank = (value: unknown): number => (value === undefined ? 0 : typeof value === 'number' ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const sign = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

describe('encodeTuple', () => {
  it('keeps the order of tuples, as JavaScript strings and as bytes', () => {
    fc.assert(
      fc.property(tuple, tuple, (a, b) => {
        const [one, other] = [encodeTuple(a), encodeTuple(b)];
        expect(sign(one, other)).to.equal(Math.sign(compare(a, b)));
        expect(Buffer.compare(Buffer.from(one), Buffer.from(other))).to.equal(Math.sign(compare(a, b)));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes what a damaged object has in place of a text, so that a server starts and the object can be found', () => {
    const damaged = (element: unknown): string => encodeTuple(['a', element as string]);
    expect(damaged(undefined)).to.equal(encodeTuple(['a', 'undefined']));
    expect(damaged(null)).to.equal(encodeTuple(['a', 'null']));
    expect(damaged({})).to.equal(encodeTuple(['a', '[object Object]']));
    expect(encodeTuple([1, undefined as unknown as string])).to.equal(encodeTuple([1, 'undefined']));
  });

  it('has a range for exactly the tuples that begin with a prefix', () => {
    fc.assert(
      fc.property(tuple, tuple, (prefix, other) => {
        const from = encodeTuple(prefix);
        const isIn = (one: Tuple): boolean => encodeTuple(one) >= from && encodeTuple(one) < prefixEnd(from);
        expect(isIn([...prefix, ...other])).to.equal(true);
        const extends_ = prefix.every((element, i) => compareElements(element, other[i]) === 0);
        expect(isIn(other)).to.equal(extends_);
      }),
    );
  });

  it('writes ASCII only, at most 1024 characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 400 })), (parts) => {
        const encoded = encodeTuple(parts);
        expect(encoded.length).to.be.at.most(1024);
        expect(encoded).to.match(/^[!-~]*$/);
      }),
    );
  });

  it('keeps long tuples distinct and ordered by their prefix', () => {
    const [a, b] = [`${'x'.repeat(1200)}a`, `${'x'.repeat(1200)}b`];
    expect(encodeTuple([a]))
      .to.equal(encodeTuple([a]))
      .and.not.equal(encodeTuple([b]));
    expect(decodeTuple(encodeTuple([a]))).to.equal(undefined);
    expect(encodeTuple([`a${'x'.repeat(1200)}`]) < encodeTuple([`b${'x'.repeat(1200)}`])).to.equal(true);
  });

  it('can be decoded', () => {
    fc.assert(
      fc.property(tuple, (one) => {
        const decoded = decodeTuple(encodeTuple(one));
        expect(decoded).to.deep.equal(one.map((element) => (element === 0 ? 0 : element)));
      }),
      { numRuns: 1000 },
    );
    for (const one of ['a b', '!', '"', '}', 'ü', '# |']) expect(decodeTuple(encodeTuple([one]))).to.deep.equal([one]);
  });

  it('can be cut behind an element', () => {
    fc.assert(
      fc.property(tuple, fc.nat(5), (one, count) => {
        expect(firstElements(encodeTuple(one), count)).to.equal(encodeTuple(one.slice(0, count)));
      }),
    );
  });

  it('is whole up to a thousand characters, and is not cut again behind an element', () => {
    const longest = ['a', 'x'.repeat(995)];
    const text = encodeTuple(longest);
    expect([text.length, decodeTuple(text), firstElements(text, 1)]).to.deep.equal([1000, longest, 'sa!']);
    const cut = encodeTuple(['a', 'x'.repeat(996)]);
    expect([cut.length, decodeTuple(cut), firstElements(cut, 1)]).to.deep.equal([1024, undefined, cut]);
    const one = encodeTuple(['x'.repeat(2000)]);
    expect(firstElements(one, 1)).to.equal(one);
  });

  it('has the form that is in stores', () => {
    expect(encodeTuple(['#|~\u007f\u0080'])).to.equal('s#|}7e}7f}c2}80!');
    expect(encodeTuple(['default', 'Team "a"', 'Grüße 🙂}', ''])).to.equal(
      'sdefault!sTeam"20"22a"22!sGr}c3}bc}c3}9fe"20}f0}9f}99}82}7d!s!',
    );
    expect(encodeTuple([1, -2.5, 2 ** 40])).to.equal('nbff0000000000000n3ffbffffffffffffnc270000000000000');
    expect(encodeTuple(['x'.repeat(1200)])).to.equal(
      `s${'x'.repeat(959)}${createHash('sha256')
        .update(`s${'x'.repeat(1200)}!`)
        .digest('hex')}`,
    );
    expect(encodeTuple(['x'.repeat(998)])).to.equal(`s${'x'.repeat(998)}!`);
    expect(encodeTuple(['#|"}\u0080'])).to.equal('s#|"22}7d}c2}80!');
    for (const length of [455, 3000]) {
      const digest = createHash('sha256')
        .update(`s${'}e4}b8}96'.repeat(length)}!`)
        .digest('hex');
      expect(encodeTuple(['世'.repeat(length)]).slice(960)).to.equal(digest);
    }
  });

  it('encodes 0 and -0 alike', () => {
    expect(encodeTuple([-0])).to.equal(encodeTuple([0]));
  });
});
