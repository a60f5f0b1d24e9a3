import { expect } from 'chai';
import fc from 'fast-check';
import { Entry } from '../../storage/entry.js';
import { keyOf } from '../../storage/key.js';
import { ResourceState } from '../../storage/state.js';
import { inOrder, orderedOf, type Searched, search } from './search.js';

function entry(name: string, text: string | undefined, rank = name): Entry {
  const attributes = { labels: undefined, fields: undefined, text };
  return new Entry(keyOf('things.x', '', name), 1, Buffer.from('{}'), attributes, [{ index: 'byRank', tuple: rank }]);
}

function searched(state: ResourceState): Searched {
  return { version: state.version, entries: (range) => state.range(range?.index ?? '', '') };
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
});
