import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson } from './canonical.js';

const json = fc.jsonValue({ maxDepth: 5 });
/**
 * Keys that JavaScript does not enumerate in code-unit order, that have a meaning in JavaScript, or that need escaping.
 */
const awkwardKey = fc.constantFrom(
  '10',
  '9',
  '1',
  'a',
  'B',
  '',
  '__proto__',
  'constructor',
  'toJSON',
  '"',
  '\u2028',
  '\ud800',
  'é',
);
const awkward = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  object: fc.uniqueArray(fc.tuple(awkwardKey, tie('value')), { selector: ([k]) => k, maxLength: 8 }).map(fromEntries),
  value: fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'binary' }), fc.integer(), tie('object'), fc.array(tie('object'))),
})).object;

function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return fromEntries(
    Object.entries(value)
      .reverse()
      .map(([k, v]) => [k, shuffled(v)]),
  );
}

/** A naive implementation: sorts all keys and writes every leaf by JSON.stringify. */
function naive(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(naive).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((k) => `${JSON.stringify(k)}:${naive((value as Record<string, unknown>)[k])}`).join(',')}}`;
}

describe('canonicalJson', () => {
  it('sorts keys at every level by code unit', () => {
    expect(canonicalJson({ b: 1, a: { d: [{ z: 0, y: null }], c: 'x' } })).to.equal(
      '{"a":{"c":"x","d":[{"y":null,"z":0}]},"b":1}',
    );
  });

  it('sorts keys that look like numbers as strings', () => {
    expect(canonicalJson({ 9: 'nine', 10: 'ten' })).to.equal('{"10":"ten","9":"nine"}');
  });

  it('drops undefined members and writes undefined elements as null, as JSON.stringify does, for any order of keys', () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).to.equal('{"b":[null]}');
    expect(canonicalJson({ c: 1, b: [undefined], a: undefined })).to.equal('{"b":[null],"c":1}');
  });

  it('writes a date as JSON.stringify does, for any order of keys', () => {
    const at = new Date(0);
    expect(canonicalJson({ a: at, b: 1 })).to.equal('{"a":"1970-01-01T00:00:00.000Z","b":1}');
    expect(canonicalJson({ b: 1, a: at })).to.equal('{"a":"1970-01-01T00:00:00.000Z","b":1}');
  });

  it('does not change its argument', () => {
    const value = Object.freeze({ b: Object.freeze([2, 1]), a: 1 });
    canonicalJson(value);
    expect(Object.keys(value)).to.deep.equal(['b', 'a']);
  });

  it('gives text that parses back to the value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('gives the same text for any order of keys, and the text of the naive implementation', () => {
    fc.assert(
      fc.property(fc.oneof(json, awkward), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(plain)).to.equal(naive(plain));
        expect(canonicalJson(shuffled(plain))).to.equal(canonicalJson(plain));
      }),
    );
  });

  it('is a fixed point', () => {
    fc.assert(
      fc.property(fc.oneof(json, awkward), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).to.equal(text);
      }),
    );
  });
});
