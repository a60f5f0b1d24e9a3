import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { canonicalJson } from './canonical.js';
import { decodeJson, decodeYaml } from './decode.js';
import { compareNumbers, integerOf } from './exact.js';
import { parseExactly, parseJson } from './parse.js';
import { toYaml } from './to-yaml.js';

const near = (power: bigint) => fc.bigInt({ min: -3000n, max: 3000n }).map((offset) => power + offset);
const around = fc.oneof(near(2n ** 53n), near(-(2n ** 53n)), near(2n ** 63n), near(-(2n ** 63n)), near(10n ** 18n));
const integers = fc.oneof(around, fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }));
const int64 = fc.oneof(around, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n })).map((one) => BigInt.asIntN(64, one));

const bytes = (text: string): Uint8Array => Buffer.from(text);

function refusal(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) return error.message;
    throw error;
  }
  return '';
}

describe('numbers in a body', () => {
  it('are refused with their path if they would be stored as other numbers', () => {
    for (const number of ['9223372036854775809', '-9223372036854775809', '18446744073709551615', '1e400', '-1e999']) {
      const said = `spec.list[1].v: the number ${number} would be changed`;
      const json = `{"spec":{"list":[1,{"v":${number}}]}}`;
      expect(
        refusal(() => decodeJson(bytes(json))),
        number,
      ).to.include(said);
      expect(
        refusal(() => decodeYaml(bytes(`spec:\n  list:\n  - 1\n  - v: ${number}\n`))),
        number,
      ).to.include(said);
    }
    expect(refusal(() => decodeJson(bytes('9223372036854775809')))).to.include('the body: the number');
  });

  // Promise: contract 5.1
  it('are taken if a double holds them, and in texts', () => {
    for (const number of [
      '9007199254740991',
      '9007199254740992',
      '-18446744073709552000',
      '1e300',
      '1e-400',
      '0.1234567890123456789',
      '0.1',
      '12345678901.25',
      '-0',
    ]) {
      expect(decodeJson(bytes(`[${number}]`)).value, number).to.deep.equal([Number(number)]);
      expect(decodeYaml(bytes(`- ${number}`)).value, number).to.deep.equal([Number(number)]);
    }
    expect(decodeJson(bytes('["9007199254740993"]')).value).to.deep.equal(['9007199254740993']);
  });

  it('are read back as they were sent, or refused', () => {
    fc.assert(
      fc.property(integers, (integer) => {
        const why = refusal(() => {
          const [value] = decodeJson(bytes(`[${integer}]`)).value as [number | bigint];
          expect(integerOf(value)).to.equal(integer);
          expect(JSON.stringify(value)).to.equal(typeof value === 'number' ? String(value) : `${integer}`);
          expect(decodeYaml(bytes(`- ${integer}`)).value).to.deep.equal([value]);
          expect(parseJson(`${integer}`)).to.equal(value);
          expect(parseJson(`{"a":[ ${integer}\n]}`)).to.deep.equal({ a: [value] });
        });
        // What this server has written comes back unchanged.
        const written = JSON.stringify([Number(integer)]);
        expect(JSON.stringify(decodeJson(bytes(written)).value)).to.equal(written);
        if (BigInt.asIntN(64, integer) === integer) expect(why).to.equal('');
      }),
    );
  });

  it('have one form each, so that === compares them, and an order', () => {
    const number = (text: bigint) => (decodeJson(bytes(`[${text}]`)).value as [number | bigint])[0];
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        expect(number(a) === number(b)).to.equal(a === b);
        expect(Math.sign(compareNumbers(number(a), number(b)))).to.equal(a < b ? -1 : a > b ? 1 : 0);
        expect(typeof number(a) === 'bigint').to.equal(String(Number(a)) !== String(a));
      }),
    );
  });

  it('are exact beside everything else that JSON has, as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseExactly(text)).to.deep.equal(JSON.parse(text));
        expect(parseJson(`{"big":-9007199254740993,"value":${text}}`)).to.deep.equal({
          big: -9007199254740993n,
          value: JSON.parse(text),
        });
      }),
    );
    const proto = parseExactly('{"__proto__":{"a":9007199254740993},"":1}') as object;
    expect(Object.keys(proto)).to.deep.equal(['__proto__', '']);
    expect(Object.getPrototypeOf(proto)).to.equal(Object.prototype);
  });

  it('are written as numbers in a text of any form, also beside those of JSON.stringify', () => {
    const value = { list: [9223372036854775807n, 1], of: { b: -9007199254740993n, a: 1.5 } };
    expect(JSON.stringify(value)).to.equal('{"list":[9223372036854775807,1],"of":{"b":-9007199254740993,"a":1.5}}');
    expect(JSON.stringify(value, null, 1)).to.include('\n  9223372036854775807,\n');
    expect(canonicalJson(value)).to.equal('{"list":[9223372036854775807,1],"of":{"a":1.5,"b":-9007199254740993}}');
    expect(toYaml(value)).to.equal('list:\n- 9223372036854775807\n- 1\nof:\n  b: -9007199254740993\n  a: 1.5\n');
    expect(canonicalJson({ 10: 1, b: 9223372036854775807n })).to.equal('{"10":1,"b":9223372036854775807}');
  });
});
