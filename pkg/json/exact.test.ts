import { expect } from 'chai';
import fc from 'fast-check';
import { ApiError } from '../status/status.js';
import { decodeJson, decodeYaml } from './decode.js';

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
    for (const number of ['9007199254740993', '-9007199254740993', '18446744073709551615', '1e400', '-1e999']) {
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
    expect(refusal(() => decodeJson(bytes('9007199254740993')))).to.include('the body: the number');
  });

  it('are taken if a double holds them, and in texts', () => {
    for (const number of [
      '9007199254740991',
      '9007199254740992',
      '-18446744073709552000',
      '1e300',
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
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        const why = refusal(() => {
          const [value] = decodeJson(bytes(`[${integer}]`)).value as [number];
          expect(BigInt(JSON.stringify(value).replace(/^(.*)e.*$/, () => String(BigInt(value))))).to.equal(integer);
        });
        // What this server has written comes back unchanged.
        const written = JSON.stringify([Number(integer)]);
        expect(JSON.stringify(decodeJson(bytes(written)).value)).to.equal(written);
        if (integer <= 2n ** 53n && integer >= -(2n ** 53n)) expect(why).to.equal('');
      }),
    );
  });
});
