import { expect } from 'chai';
import type { Entry } from '../../registry/read/reader.js';
import type { SearchMatch } from './search-items.js';
import { RankedPage, rankOf } from './search-rank.js';

describe('the rank of a search', () => {
  it('is that of an equal title, of its beginning, of its words, and of any part', () => {
    const titles = ['data', 'data rates', 'big data', 'metadata', 'meta-data', 'metadata of data', 'größe·data'];
    expect(titles.map((title) => rankOf(title, ['data']))).to.deep.equal([0, 1, 2, 3, 2, 2, 2]);
    expect(rankOf('data of the shop', ['data', 'shop'])).to.equal(2);
    expect(rankOf('data shop', ['data', 'shop'])).to.equal(0);
    expect(rankOf('the workshop data', ['data', 'shop'])).to.equal(3);
    expect(rankOf('anything', [])).to.equal(1);
  });

  const match = (kind: SearchMatch['kind'], text: string) =>
    ({ kind, entry: { attributes: { text } } as unknown as Entry }) satisfies SearchMatch;
  const titles = (page: RankedPage) => page.matches().map(({ entry }) => entry.attributes.text);

  it('puts folders before dashboards, and keeps the order of equal ones', () => {
    const page = new RankedPage(['data'], { first: 0, limit: 10 });
    for (const text of ['a metadata', 'big data', 'data', 'data b']) page.add(match('dashboard/Dashboard', text));
    for (const text of ['a data', 'b metadata', 'data']) page.add(match('folder/Folder', text));
    expect(titles(page)).to.deep.equal(['data', 'data', 'data b', 'a data', 'big data', 'b metadata', 'a metadata']);
    expect(page.matches()[0]?.kind).to.equal('folder/Folder');
  });

  it('divides the matches into pages', () => {
    const all = Array.from({ length: 50 }, (_, at) => `${['data', 'data x', 'x data', 'xdata'][at % 4]}${at}`);
    const pageAt = (first: number, limit: number): readonly unknown[] => {
      const page = new RankedPage(['data'], { first, limit });
      for (const text of all) page.add(match('dashboard/Dashboard', text));
      return titles(page);
    };
    const pages = [0, 7, 14, 21, 28, 35, 42, 49].flatMap((first) => pageAt(first, 7));
    expect(pages).to.deep.equal(pageAt(0, 100));
    expect(pages).to.have.length(50);
    expect(() => new RankedPage([], { first: 9_999, limit: 2 })).to.throw('at most the best 10000');
  });
});
