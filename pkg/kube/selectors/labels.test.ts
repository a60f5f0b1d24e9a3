import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { type Labels, parseLabelSelector } from './labels.js';

function refusal(text: string): string {
  try {
    parseLabelSelector(text);
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError);
    expect((error as ApiError).code).to.equal(400);
    return (error as ApiError).message;
  }
  throw new Error(`${JSON.stringify(text)} was not refused`);
}

/** The result of k8s.io/apimachinery v0.34 for each text. */
const CANONICAL: Readonly<Record<string, string>> = {
  '': '',
  ' ': '',
  a: 'a',
  '! a': '!a',
  'a=b': 'a=b',
  'a==b': 'a==b',
  'a!=b': 'a!=b',
  'a in (y,x)': 'a in (x,y)',
  'a in(x)': 'a in (x)',
  'a notin (x, )': 'a notin (,x)',
  'a in ()': 'a in ()',
  'a in (,)': 'a in ()',
  'a in (,x)': 'a in (,x)',
  'a>1': 'a>1',
  'a<5': 'a<5',
  'a=': 'a=',
  'a==': 'a==',
  'a=,b': 'a=,b',
  'a=b ,c = d': 'a=b,c=d',
  'in in (in)': 'in in (in)',
  in: 'in',
  'notin=x': 'notin=x',
  'a= in': 'a=in',
  'in=a': 'in=a',
};

const PARSE = 'unable to parse requirement: ';
const REFUSED: Readonly<Record<string, string>> = {
  ',': "found ',', expected: !, identifier, or 'end of string'",
  'a,': "found '', expected: identifier after ','",
  'a,,b': "found ',', expected: identifier after ','",
  '=b': "found '=', expected: !, identifier, or 'end of string'",
  'a=b=c': "found '=', expected: ',' or 'end of string'",
  '!a=b': "found '=', expected: ',' or 'end of string'",
  'a in (x))': "found ')', expected: ',' or 'end of string'",
  'a > 1 2': "found '2', expected: ',' or 'end of string'",
  '!': `${PARSE}found '', expected: identifier`,
  '!!a': `${PARSE}found '!', expected: identifier`,
  'a>=1': `${PARSE}found '=', expected: identifier`,
  'a=(x)': `${PARSE}found '(', expected: identifier`,
  'a in': `${PARSE}found '' expected: '('`,
  'a in x': `${PARSE}found 'x' expected: '('`,
  'a in (x': `${PARSE}found '', expected: ',' or ')'`,
  'a in (x y)': `${PARSE}found 'y', expected: ',' or ')'`,
  [`a ${'b'.repeat(500)}`]: `${PARSE}found '${'b'.repeat(100)}', expected: in, notin, =, ==, !=, gt, lt`,
  'a b': `${PARSE}found 'b', expected: in, notin, =, ==, !=, gt, lt`,
  'a!b': `${PARSE}found '!', expected: in, notin, =, ==, !=, gt, lt`,
  'a>x': `${PARSE}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  'a<x': `${PARSE}values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  'a>x5': `${PARSE}values[0]: Invalid value: "x5": for 'Gt', 'Lt' operators, the value must be an integer`,
  'a>5x': `${PARSE}values[0]: Invalid value: "5x": for 'Gt', 'Lt' operators, the value must be an integer`,
  'a>': `${PARSE}values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
  'a>99999999999999999999': `${PARSE}values[0]: Invalid value: "99999999999999999999": for 'Gt', 'Lt' operators, the value must be an integer`,
};

const keys = ['a', 'b', 'example.com/c', 'constructor'];
const values = ['', '1', '2', '10', '007', 'x', '99999999999999999999'];
const numbers = ['1', '2', '10'];
const labels: fc.Arbitrary<Labels> = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), {
  maxKeys: 4,
});

type Generated = { readonly text: string; holds(value: string | undefined): boolean; readonly key: string };
const key = fc.constantFrom(...keys);
const some = fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const one = fc.constantFrom(...values);
const number = fc.constantFrom(...numbers);
const isNumber = (value: string | undefined): value is string => value !== undefined && /^\d{1,18}$/.test(value);

/** Requirements with a naive implementation. */
const requirement: fc.Arbitrary<Generated> = fc.oneof(
  key.map((k) => ({ key: k, text: k, holds: (v: string | undefined) => v !== undefined })),
  key.map((k) => ({ key: k, text: `!${k}`, holds: (v: string | undefined) => v === undefined })),
  fc
    .tuple(key, one, fc.constantFrom('=', '=='))
    .map(([k, w, op]) => ({ key: k, text: `${k}${op}${w}`, holds: (v: string | undefined) => v === w })),
  fc.tuple(key, one).map(([k, w]) => ({ key: k, text: `${k} != ${w}`, holds: (v: string | undefined) => v !== w })),
  fc.tuple(key, some).map(([k, set]) => ({
    key: k,
    text: `${k} in (${set})`,
    holds: (v: string | undefined) => v !== undefined && set.includes(v),
  })),
  fc.tuple(key, some).map(([k, set]) => ({
    key: k,
    text: `${k} notin (${set.join(' , ')})`,
    holds: (v: string | undefined) => v === undefined || !set.includes(v),
  })),
  fc.tuple(key, number).map(([k, n]) => ({
    key: k,
    text: `${k}>${n}`,
    holds: (v: string | undefined) => isNumber(v) && Number(v) > Number(n),
  })),
  fc.tuple(key, number).map(([k, n]) => ({
    key: k,
    text: `${k} < ${n}`,
    holds: (v: string | undefined) => isNumber(v) && Number(v) < Number(n),
  })),
);
const requirements = fc.array(requirement, { maxLength: 4 });

describe('parseLabelSelector', () => {
  // Promise: contract 3.4
  it('parses selectors as Kubernetes does', () => {
    for (const [text, canonical] of Object.entries(CANONICAL)) {
      expect(parseLabelSelector(text).toString(), text).to.equal(canonical);
    }
  });

  it('refuses what Kubernetes refuses, in the same words', () => {
    for (const [text, message] of Object.entries(REFUSED)) expect(refusal(text), text).to.equal(message);
  });

  it('refuses invalid keys and values', () => {
    expect(refusal('a/b/c=d')).to.include('"a/b/c": a valid label key must consist of');
    expect(refusal('-a=b')).to.include('"-a": name part must consist of');
    expect(refusal('A.B/c=e')).to.include('prefix part a lowercase RFC 1123 subdomain');
    expect(refusal('a=-b')).to.include('values[0][a]: Invalid value: "-b": a valid label must be');
    expect(refusal(`a=${'v'.repeat(64)}`)).to.include('must be no more than 63 bytes');
    expect(refusal('k'.repeat(64))).to.include('name part must be no more than 63 bytes');
  });

  // Promise: contract 3.4
  it('matches objects without the key only by !=, notin and !', () => {
    expect(parseLabelSelector('a!=x,a notin (y),!a').matches({})).to.equal(true);
    for (const text of ['a', 'a=', 'a in (,x)', 'a>0', 'a<9']) {
      expect(parseLabelSelector(text).matches({}), text).to.equal(false);
    }
  });

  it('ignores inherited properties', () => {
    expect(parseLabelSelector('constructor').matches({})).to.equal(false);
    expect(parseLabelSelector('!toString').matches({})).to.equal(true);
  });

  it('selects everything if it is empty', () => {
    expect(parseLabelSelector('').empty).to.equal(true);
    expect(parseLabelSelector('').matches({ a: 'b' })).to.equal(true);
    expect(parseLabelSelector('a').empty).to.equal(false);
  });

  it('agrees with a naive implementation of every requirement', () => {
    fc.assert(
      fc.property(requirements, labels, (list, object) => {
        const selector = parseLabelSelector(list.map(({ text }) => text).join(','));
        const expected = list.every(({ key: k, holds }) => holds(Object.hasOwn(object, k) ? object[k] : undefined));
        expect(selector.matches(object)).to.equal(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('names the labels that every selected object has', () => {
    const required = (text: string) => parseLabelSelector(text).required;
    expect(required('a=1, b==2, c in (3), d in (4, 4), e=')).to.deep.equal([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', '4'],
      ['e', ''],
    ]);
    expect(required('a!=1, b in (1, 2), c notin (3), d, !e, f>1')).to.deep.equal([]);
  });

  it('has a canonical text that parses to the same selector', () => {
    fc.assert(
      fc.property(requirements, labels, (list, object) => {
        const selector = parseLabelSelector(list.map(({ text }) => text).join(','));
        const reversed = parseLabelSelector(
          [...list]
            .reverse()
            .map(({ text }) => text)
            .join(' , '),
        );
        const again = parseLabelSelector(selector.toString());
        expect(again.toString()).to.equal(selector.toString());
        expect(reversed.toString()).to.equal(selector.toString());
        expect(again.matches(object)).to.equal(selector.matches(object));
      }),
    );
  });

  it('fails only with 400', () => {
    const noise = fc.string({
      unit: fc.constantFrom('a', '1', '!', '=', '(', ')', ',', '<', '>', ' ', 'in', ' notin ', '/', 'é'),
    });
    fc.assert(
      fc.property(noise, (text) => {
        try {
          parseLabelSelector(text).matches({ a: '1' });
        } catch (error) {
          expect((error as ApiError).code).to.equal(400);
        }
      }),
      { numRuns: 1000 },
    );
  });

  // Promise: security work
  it('limits the length and the number of requirements', () => {
    expect(refusal(`a in (${'x,'.repeat(40_000)})`)).to.include('longer than 65536 characters');
    expect(refusal(Array.from({ length: 101 }, (_, i) => `k${i}`).join(','))).to.include('more than 100 requirements');
    expect(parseLabelSelector(`a in (${'x,'.repeat((65_536 - 8) / 2)}x)`).empty).to.equal(false);
    expect(parseLabelSelector(Array.from({ length: 100 }, (_, i) => `k${i}`).join(',')).empty).to.equal(false);
  });
});
