import { expect } from 'chai';
import { formatTest } from './formats.js';

const NAMES =
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime date-time k8s-short-name k8s-long-name';
/** Enough that anything more than proportional would take minutes. */
const LONG = 512 * 1024;
const LONG_PARTS = ['1', 'a', '-', '.', ':', '(', '"', '\\', ' ', '1 ', 'a.', 'a@', '%25', '[', 'ü', 'AAAA'];

describe('formatTest', () => {
  it('knows the formats of Kubernetes, with and without dashes', () => {
    for (const name of NAMES.split(' ')) expect(formatTest(name), name).to.be.a('function');
    expect(formatTest('int32')).to.equal(undefined);
    expect(formatTest('constructor')).to.equal(undefined);
    expect(formatTest('')).to.equal(undefined);
  });

  it('takes time in proportion to the size of any text', () => {
    for (const name of NAMES.split(' ')) {
      for (const part of LONG_PARTS) {
        const text = part.repeat(LONG / part.length);
        const started = performance.now();
        formatTest(name)?.(text);
        expect(performance.now() - started, `${name} of many ${part}`).to.be.below(3000);
      }
    }
  });
});
