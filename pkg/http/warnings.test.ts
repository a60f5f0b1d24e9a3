import { expect } from 'chai';
import { boundedWarnings, warningHeaders } from './warnings.js';

const valuesOf = (...warnings: readonly string[]) => warningHeaders(warnings)['warning'] ?? [];
const boundedOf = (...warnings: readonly string[]) => boundedWarnings(valuesOf(...warnings));
const long = (length: number) => 'x'.repeat(length);

describe('the headers with warnings', () => {
  it('are one value for each warning, and none without', () => {
    expect(warningHeaders([])).to.deep.equal({});
    expect(valuesOf('one', 'two')).to.deep.equal(['299 - "one"', '299 - "two"']);
  });

  it('are ASCII without control characters, and with escapes', () => {
    expect(valuesOf('a "b" \\c\n\td \u007f')).to.deep.equal(['299 - "a \\"b\\" \\\\c  d  "']);
    expect(valuesOf('é €~ ')).to.deep.equal(['299 - "\\u00e9 \\u20ac~ "']);
  });

  it('name a member of several items once', () => {
    const fields = ['items[0].a', 'items[1].a', 'items[12].b[3].c', 'items[7].a'].map((at) => `unknown field "${at}"`);
    expect(valuesOf(...fields, 'map[1] and map[2]', 'map[1] and map[3]')).to.deep.equal([
      '299 - "unknown field \\"items[].a\\""',
      '299 - "unknown field \\"items[12].b[3].c\\""',
      '299 - "map[1] and map[2]"',
      '299 - "map[1] and map[3]"',
    ]);
  });
});

describe('the bounds of the headers with warnings', () => {
  it('are ten, and the last one counts the others', () => {
    const ten = Array.from({ length: 10 }, (_, at) => `w${at}`);
    expect(boundedOf(...ten)).to.deep.equal(valuesOf(...ten));
    expect(boundedOf(...ten, 'w10')).to.deep.equal(valuesOf(...ten.slice(0, 9), 'and 2 more'));
    expect(boundedOf(...ten, 'w9')).to.deep.equal(valuesOf(...ten));
    const many = Array.from({ length: 92 }, (_, at) => `w${at}`);
    expect(boundedOf(...many)).to.deep.equal(valuesOf(...many.slice(0, 9), 'and 83 more'));
  });

  it('are 2 KiB in all, and a warning that does not fit is cut', () => {
    expect(boundedOf(long(4000))).to.deep.equal(valuesOf(long(256)));
    expect(boundedOf(long(1500), long(900), 'more')).to.deep.equal(valuesOf(long(1500), long(256), 'more'));
    for (const sizes of [[2000], [1999, 300, 300], [1000, 1000, 1000], Array(200).fill(250)])
      expect(boundedOf(...sizes.map((size, at) => `${at}${long(size)}`)).join('').length).to.be.at.most(2048);
    expect(boundedOf(long(1990), long(1991), long(1992))).to.deep.equal(valuesOf(long(1990), 'and 2 more'));
  });

  it('never cut an escape', () => {
    const [cut = ''] = boundedOf('€"'.repeat(1000));
    expect(JSON.parse(cut.slice('299 - '.length))).to.equal('€"'.repeat(128));
  });
});
