import { expect } from 'chai';
import { DEFAULT_LIMITS, limitsOf } from './limits.js';

const MIB = 2 ** 20;

describe('The limits of a document', () => {
  it('follow from the size of a body, so that definitions of that size are taken', () => {
    expect(limitsOf(16 * MIB)).to.deep.equal({ depth: 100, values: 1_118_481 });
    expect(limitsOf(3 * MIB).values).to.equal(209_715);
  });

  it('are never less than what takes no time', () => {
    for (const bytes of [0, 1024, 64 * 1024, MIB / 2]) expect(limitsOf(bytes)).to.deep.equal(DEFAULT_LIMITS);
    expect(DEFAULT_LIMITS.values).to.equal(45_000);
  });
});
