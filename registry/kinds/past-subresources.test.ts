import { expect } from 'chai';
import { library } from '../testing/library.js';
import { pastSubresources } from './past-subresources.js';

const names = (past: Parameters<typeof pastSubresources>[0]) =>
  pastSubresources(past, 'svc.app').map(({ name, verbs }) => [name, ...verbs].join(' '));

describe('the subresources with the past of an object', () => {
  it('are those of kinds that keep versions, or deleted objects', () => {
    const both = ['history get', 'restore create'];
    for (const past of [{ history: {} }, { trash: true }, { history: {}, trash: true }, { history: {}, trash: false }])
      expect(names(past), JSON.stringify(past)).to.deep.equal(both);
    for (const past of [{}, { trash: false }]) expect(names(past), JSON.stringify(past)).to.deep.equal([]);
  });

  it('belong to a kind beside its own', () => {
    const { book, shelf, writer, set } = library();
    const of = ({ subresources }: typeof book) => subresources.map(({ name }) => name);
    expect([of(book), of(shelf), of(writer)]).to.deep.equal([
      ['status', 'history', 'restore'],
      ['history', 'restore'],
      [],
    ]);
    expect(of(set)).to.include('apply').and.not.include('history');
  });
});
