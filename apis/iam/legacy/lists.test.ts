import { expect } from 'chai';
import fc from 'fast-check';
import { byKeys, pageOf, slicePage, sortOf } from './lists.js';

const FIELDS = ['name', 'email', 'memberCount'] as const;
const sort = (text: string) => sortOf(new URLSearchParams(text), FIELDS);

interface Row {
  readonly name: string;
  readonly email: string;
  readonly memberCount: number;
}
const VALUES = {
  name: (row: Row) => row.name,
  email: (row: Row) => row.email,
  memberCount: (row: Row) => row.memberCount,
};

describe('sorting and paging of the legacy API', () => {
  it('takes several keys in the order asked for', () => {
    expect(sort('sort=memberCount-desc,name-asc')).to.deep.equal([
      { field: 'memberCount', descending: true },
      { field: 'name', descending: false },
    ]);
    expect(sort('sort=name-asc&sort=email-desc').map(({ field }) => field)).to.deep.equal(['name', 'email']);
  });

  it('goes by the first of two that name the same field', () => {
    expect(sort('sort=name-desc,name-asc')).to.deep.equal([{ field: 'name', descending: true }]);
  });

  it('sorts by nothing when nothing is asked for', () => {
    expect(sort('')).to.deep.equal([]);
    expect(sort('sort=')).to.deep.equal([]);
  });

  for (const wrong of ['name', 'name-up', 'login-asc', '__proto__-asc', 'name-asc,x', 'constructor-desc', '$gt']) {
    it(`refuses ${wrong} with 400`, () => {
      expect(() => sort(`sort=${wrong}`))
        .to.throw('BadRequest')
        .with.property('body')
        .that.includes({ statusCode: 400, messageId: 'unknown sorting option' });
    });
  }

  it('orders as a sort by each key from the last to the first does', () => {
    const row = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      email: fc.constantFrom('x', 'y'),
      memberCount: fc.nat(2),
    });
    const key = fc.record({ field: fc.constantFrom(...FIELDS), descending: fc.boolean() });
    fc.assert(
      fc.property(fc.array(row), fc.uniqueArray(key, { selector: ({ field }) => field }), (rows, keys) => {
        const expected = keys.toReversed().reduce((sorted, one) => sorted.toSorted(byKeys([one], VALUES)), rows);
        expect(rows.toSorted(byKeys(keys, VALUES))).to.deep.equal(expected);
      }),
    );
  });

  it('pages by perpage and page, 1000 and 1 where they are left out or not positive', () => {
    const page = (text: string) => pageOf(new URLSearchParams(text));
    expect(page('')).to.deep.equal({ page: 1, perPage: 1000 });
    expect(page('perpage=10&page=3')).to.deep.equal({ page: 3, perPage: 10 });
    for (const wrong of ['0', '-1']) {
      expect(page(`perpage=${wrong}&page=${wrong}`)).to.deep.equal({ page: 1, perPage: 1000 });
    }
    expect(page('page=99999999999').page, 'beyond the end').to.equal(999_999_999);
  });

  it('gives every row once, on pages of any size, and nothing beyond the end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 7 }), (all, perPage) => {
        const pages = Array.from({ length: Math.ceil(all.length / perPage) }, (_, i) =>
          slicePage(all, { page: i + 1, perPage }),
        );
        expect(pages.flat()).to.deep.equal(all);
        expect(slicePage(all, { page: pages.length + 1, perPage })).to.deep.equal([]);
      }),
    );
  });
});
