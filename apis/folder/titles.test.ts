import { expect } from 'chai';
import fc from 'fast-check';
import { searched } from './titles.js';

describe('a searched text', () => {
  it('is in lower case, composed, and has spaces for control characters', () => {
    expect(searched('Team A ~')).to.equal('team a ~');
    expect(searched('GRU\u0308SSE\t1\u007f')).to.equal('grüsse 1 ');
    expect(searched('')).to.equal('');
  });

  it('is the same by the short way and by the long one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        // Folding does not change this character, but it takes the slow path.
        expect(`${searched(text)}世`).to.equal(searched(`${text}世`));
      }),
    );
  });
});
