import { expect } from 'chai';
import fc from 'fast-check';
import type { Entry } from '../../registry/read/reader.js';
import type { SearchMatch } from './search-items.js';
import { NewestPage } from './search-newest.js';

describe('a search by the last change', () => {
  const match = (revision: number): SearchMatch => ({
    kind: 'dashboard/Dashboard',
    entry: { revision } as unknown as Entry,
  });

  it('has the newest first on its pages, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1000)), fc.nat(20), fc.integer({ min: 1, max: 10 }), (all, first, limit) => {
        const page = new NewestPage({ first, limit });
        for (const revision of all) page.add(match(revision));
        const expected = all.toSorted((a, b) => b - a).slice(first, first + limit);
        expect(page.matches().map(({ entry }) => entry.revision)).to.deep.equal(expected);
      }),
    );
    expect(() => new NewestPage({ first: 9_999, limit: 2 })).to.throw('at most the newest 10000');
  });
});
