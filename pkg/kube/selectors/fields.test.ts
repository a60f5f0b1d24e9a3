import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { type FieldSelector, parseFieldSelector } from './fields.js';

const SUPPORTED = new Set(['metadata.name', 'metadata.namespace', 'spec.title']);
const parse = (text: string): FieldSelector => parseFieldSelector(text, SUPPORTED);

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    expect((error as ApiError).code).to.equal(400);
    return (error as ApiError).message;
  }
  throw new Error(`${JSON.stringify(text)} was not refused`);
}

const escaped = (value: string): string => value.replace(/[\\,=]/g, '\\$&');
const value = fc.oneof(fc.constantFrom('', 'a', 'b', 'a=b', 'a,b', '\\', '\\,'), fc.string());
const field = fc.constantFrom(...SUPPORTED);
const terms = fc.array(fc.tuple(field, fc.constantFrom('=', '==', '!='), value), { maxLength: 4 });
const textOf = (list: readonly (readonly [string, string, string])[]): string =>
  list.map(([f, op, v]) => `${f}${op}${escaped(v)}`).join(',');

describe('parseFieldSelector', () => {
  // Promise: contract 3.4
  it('agrees with a naive implementation for any values', () => {
    fc.assert(
      fc.property(terms, fc.dictionary(field, value), (list, object) => {
        const get = (f: string): string => object[f] ?? '';
        const expected = list.every(([f, op, v]) => (op === '!=' ? get(f) !== v : get(f) === v));
        expect(parse(textOf(list)).matches(get)).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('has a canonical text that parses to the same selector', () => {
    fc.assert(
      fc.property(terms, (list) => {
        const canonical = parse(textOf(list)).toString();
        expect(parse(canonical).toString()).to.equal(canonical);
        expect(parse(textOf([...list].reverse())).toString()).to.equal(canonical);
      }),
    );
  });

  it('returns the value that it requires of a field', () => {
    const selector = parse('metadata.name==a\\,b,spec.title!=x');
    expect(selector.requiredValue('metadata.name')).to.equal('a,b');
    expect(selector.requiredValue('spec.title')).to.equal(undefined);
    expect(selector.requiredValue('metadata.namespace')).to.equal(undefined);
  });

  it('selects everything if it is empty or has only commas', () => {
    for (const text of ['', ',', ',,']) {
      expect(parse(text).empty).to.equal(true);
      expect(parse(text).matches(() => 'x')).to.equal(true);
    }
    expect(parse('metadata.name=').empty).to.equal(false);
  });

  it('refuses a field that is not supported', () => {
    expect(refusal('spec.secret=x')).to.equal('field label not supported: spec.secret');
    expect(refusal('=x')).to.equal('field label not supported: ');
    expect(refusal('constructor=x')).to.equal('field label not supported: constructor');
  });

  it('refuses terms without an operator, unknown escapes, and = in a value without an escape', () => {
    expect(refusal('metadata.name')).to.equal("invalid selector: can't understand 'metadata.name'");
    expect(refusal('metadata.name=a\\x')).to.equal('invalid field selector: invalid escape sequence: \\x');
    expect(refusal('metadata.name=a\\')).to.equal('invalid field selector: invalid escape sequence: \\');
    expect(refusal('metadata.name=a=b')).to.equal("invalid field selector: unescaped character in value: '='");
  });

  // Promise: security work
  it('limits the length and the number of terms', () => {
    expect(refusal(`metadata.name=${'x'.repeat(65_536)}`)).to.include('longer than 65536 characters');
    expect(refusal('metadata.name!=x,'.repeat(101))).to.include('more than 100 terms');
    expect(parse(`metadata.name=${'x'.repeat(65_536 - 14)}`).empty).to.equal(false);
    expect(parse('metadata.name!=x,'.repeat(100)).empty).to.equal(false);
  });

  it('repeats no more than 100 characters of what it refuses', () => {
    for (const text of ['x'.repeat(1000), `${'x'.repeat(1000)}=y`]) {
      expect(refusal(text)).to.include('x'.repeat(100)).and.not.include('x'.repeat(101));
    }
  });
});
