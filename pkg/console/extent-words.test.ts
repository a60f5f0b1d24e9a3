import { expect } from 'chai';
import { shownExtent } from './client/pages/access/extent-words.js';

describe('how far a verb is allowed', () => {
  it('is half only with some of the objects that there are', () => {
    const some = (objects?: number, of?: number): string => {
      const numbers = { ...(objects !== undefined && { objects }), ...(of !== undefined && { of }) };
      const { mark, short } = shownExtent({ extent: 'some', ...numbers });
      return `${mark} ${short}`.trim();
    };
    expect([some(0, 8), some(3, 8), some(7, 8), some(), some(2)]).to.deep.equal([
      '– 0 of 8',
      '◐ 3 of 8',
      '◐ all but 1',
      '◐',
      '◐ 2',
    ]);
    expect(some(0, 0), 'there may be objects later').to.equal('◐');
  });
});
