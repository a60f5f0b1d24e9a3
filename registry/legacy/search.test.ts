import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf } from '../../storage/key.js';
import { type Entry, MemoryEntry } from '../../storage/state/entry.js';
import { ResourceState } from '../../storage/state/resource-state.js';
import { eachInOrder, hasWords, inOrder, orderedOf, type Searched, search, searchEntries } from './search.js';

function entry(name: string, text: string | undefined, rank = name): Entry {
  const attributes = { labels: undefined, fields: undefined, text };
  return new MemoryEntry(keyOf('things.x', '', name), 1, Buffer.from('{}'), attributes, [
    { index: 'byRank', tuple: rank },
  ]);
}

function searched(state: ResourceState): Searched {
  return {
    version: state.version,
    entries: (range) => state.range(range !== undefined && 'index' in range ? range.index : '', ''),
  };
}

describe('search in the texts of many objects', () => {
  it('finds exactly the objects whose text contains the query, in index order', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', 'ü', '\ud83d\ude00'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.option(text, { nil: undefined }), { maxLength: 40 }), text, (texts, query) => {
        const entries = texts.map((one, i) => entry(`n${i}`, one));
        const expected = entries.filter(({ attributes }) => (attributes.text ?? '').includes(query));
        const list = orderedOf(entries);
        for (const time of ['first', 'second', 'third']) expect(search(list, query), time).to.deep.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('finds nothing across the end of a text or of one of its parts', () => {
    const list = orderedOf([entry('a', 'one\ntwo'), entry('b', 'three')]);
    search(list, 'one');
    for (const query of ['one\ntwo', '\n', '\0', 'two\0three', 'twothree'])
      expect(search(list, query)).to.deep.equal([]);
    expect(search(list, 't')).to.have.length(2);
  });

  it('keeps the ordered entries until the resource changes, and never finds later objects', () => {
    const state = new ResourceState();
    state.put(entry('b', 'x', '2'));
    state.put(entry('a', 'y', '3'));
    const before = inOrder(searched(state), 'byRank');
    expect(before.entries.map(({ attributes }) => attributes.text)).to.deep.equal(['x', 'y']);
    expect(inOrder(searched(state), 'byRank')).to.equal(before);
    const next = state.clone();
    expect(inOrder(searched(next), 'byRank')).to.equal(before);
    next.put(entry('c', 'z', '1'));
    expect(search(inOrder(searched(next), 'byRank'), 'z')).to.have.length(1);
    expect(search(inOrder(searched(state), 'byRank'), 'z')).to.deep.equal([]);
    next.delete(keyOf('things.x', '', 'b'));
    expect(inOrder(searched(next), 'byRank').entries.map(({ attributes }) => attributes.text)).to.deep.equal([
      'z',
      'y',
    ]);
  });

  it('finds all for an empty query, and the same in a resource', () => {
    const state = new ResourceState();
    const [one, two] = [entry('b', 'x', '2'), entry('a', 'y', '3')];
    for (const each of [one, two]) state.put(each);
    for (const query of ['', undefined])
      expect(searchEntries(searched(state), 'byRank', query)).to.deep.equal([one, two]);
    expect(searchEntries(searched(state), 'byRank', 'y')).to.deep.equal([two]);
    expect(hasWords(two, ['y'])).to.equal(true);
    expect(hasWords(entry('c', undefined), ['y'])).to.equal(false);
  });

  it('joins the texts at the second search, because a single search is faster without that', () => {
    const list = orderedOf([entry('a', 'one'), entry('b', 'two')]);
    expect(list.texts()).to.equal(undefined);
    const texts = list.texts();
    expect(texts?.whole).to.equal('one\0two\0');
    expect(list.texts()).to.equal(texts);
  });

  it('reads entries in order no further than somebody wants, unless the order is known', () => {
    const state = new ResourceState();
    for (const each of [entry('b', 'x', '2'), entry('a', 'y', '3')]) state.put(each);
    let read = 0;
    const counted: Searched = {
      version: state.version,
      *entries(range) {
        expect(range).to.deep.equal({ index: 'byRank', prefix: [] });
        for (const one of state.range('byRank', '')) {
          read++;
          yield one;
        }
      },
    };
    for (const one of eachInOrder(counted, 'byRank')) {
      expect(one.attributes.text).to.equal('x');
      break;
    }
    expect(read).to.equal(1);
    const { entries } = inOrder(counted, 'byRank');
    expect(eachInOrder(counted, 'byRank')).to.equal(entries);
    expect(read).to.equal(3);
  });
});
