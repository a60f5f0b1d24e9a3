import { expect } from 'chai';
import { keyOf } from '../key.js';
import { encodeText } from './codec.js';
import { type Entry, MemoryEntry } from './entry.js';
import type { Attributes } from './resource.js';
import { ResourceState } from './resource-state.js';
import { entryOf, RESOURCE } from './testing/held.js';
import { encodeTuple } from './tuple.js';

describe('the reads of a resource', () => {
  const named = (name: string, owners: readonly string[] = [], namespace = 'default') =>
    entryOf({ namespace, name, owners }, 1);
  const names = (entries: Iterable<Entry>) => [...entries].map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
  const filled = (...entries: readonly Entry[]): ResourceState => {
    const state = new ResourceState();
    for (const entry of entries) state.put(entry);
    return state;
  };
  const [low, high] = [keyOf(RESOURCE, 'default', 'b'), keyOf(RESOURCE, 'default', 'd')];

  it('give the first objects of a range, at most so many', () => {
    const state = filled(...['a', 'b', 'c', 'd'].map((name) => named(name)));
    expect(names(state.first(low, high, 9))).to.deep.equal(['b', 'c']);
    expect(names(state.first('', '~', 3))).to.deep.equal(['a', 'b', 'c']);
    expect(names(state.first('', '~', 1))).to.deep.equal(['a']);
    expect(names(state.entries(low, high))).to.deep.equal(['b', 'c']);
    expect(state.first('', '~', 9, { index: 'none', tuple: '' })).to.deep.equal([]);
  });

  it('give all objects whose tuple in an index begins with a prefix', () => {
    const state = filled(named('a', ['u']), named('b', ['u1', 'v']), named('c', ['w']));
    const prefix = encodeTuple(['u']).slice(0, -1);
    expect(names(state.list('owner', encodeTuple(['u'])))).to.deep.equal(['a']);
    expect(names(state.list('owner', prefix))).to.deep.equal(['a', 'b']);
    expect(names(state.list('owner', ''))).to.deep.equal(['a', 'b', 'b', 'c']);
    expect(names(state.range('owner', prefix))).to.deep.equal(['a', 'b']);
    expect(state.list('none', '')).to.deep.equal([]);
  });

  it('tell by one object whether the content is the same', () => {
    const state = filled(named('a'));
    const { version } = state;
    const clone = state.clone();
    expect([clone.version, state.version]).to.deep.equal([version, version]);
    state.delete(named('none').key);
    expect(state.version).to.equal(version);
    state.put(named('b'));
    expect(state.version).to.not.equal(version);
    expect(clone.version).to.equal(version);
    const before = state.version;
    state.delete(named('b').key);
    expect(state.version).to.not.equal(before);
    clone.put(named('a'));
    expect(clone.version).to.not.equal(version);
  });

  it('tell by another object whether all objects are where they were', () => {
    const at = (attributes: Partial<Attributes>): Entry => {
      const key = keyOf(RESOURCE, 'default', 'a');
      return new MemoryEntry(key, 1, encodeText('{"metadata":{}}', 1), {
        labels: undefined,
        fields: undefined,
        ...attributes,
      });
    };
    const place: Partial<Attributes> = { container: 'x', scopes: ['as:uid:a', 'as:id:1'], about: 'y' };
    const state = filled(at(place));
    const { layout, version } = state;
    state.put(at({ ...place, isRestricted: false, summary: 'Another title', text: 'another title' }));
    expect([state.layout, state.clone().layout, state.version === version]).to.deep.equal([layout, layout, false]);
    const others: readonly Partial<Attributes>[] = [
      { container: 'z' },
      { about: 'z' },
      { isRestricted: true },
      { isWaiting: true },
      { scopes: ['as:uid:a'] },
      { scopes: ['as:uid:a', 'as:id:2'] },
    ];
    for (const other of others) {
      const clone = state.clone();
      clone.put(at({ ...place, ...other }));
      expect(clone.layout, JSON.stringify(other)).to.not.equal(layout);
    }
    expect(state.layout).to.equal(layout);
    state.delete(named('none').key);
    expect(state.layout).to.equal(layout);
    state.put(named('b'));
    const before = state.layout;
    expect(before).to.not.equal(layout);
    state.delete(named('b').key);
    expect(state.layout).to.not.equal(before);
  });

  it('and writes give what was replaced or removed', () => {
    const state = new ResourceState();
    const [first, second] = [named('a'), named('a', ['u'])];
    expect([state.put(first), state.put(second), state.delete(first.key), state.delete(first.key)]).to.deep.equal([
      undefined,
      first,
      second,
      undefined,
    ]);
    expect([state.size, state.bytes, state.count('default')]).to.deep.equal([0, 0, 0]);
  });

  it('follow the rows of the newest entry of an object, whatever rows it had before', () => {
    const key = keyOf(RESOURCE, 'default', 'a');
    const rowsOf = (...rows: readonly (readonly [string, string])[]) =>
      new MemoryEntry(
        key,
        1,
        encodeText('{"metadata":{"name":"a"}}', 1),
        { labels: undefined, fields: undefined },
        rows.map(([index, owner]) => ({ index, tuple: encodeTuple([owner]) })),
      );
    const all = [
      rowsOf(['owner', 'u'], ['other', 'v']),
      rowsOf(['other', 'u'], ['owner', 'v']),
      rowsOf(['other', 'u'], ['owner', 'u']),
      rowsOf(['owner', 'u']),
      rowsOf(['owner', 'u'], ['owner', 'v']),
      rowsOf(['owner', 'v'], ['owner', 'u']),
      rowsOf(),
      rowsOf(['owner', 'u'], ['other', 'v']),
      rowsOf(['owner', 'u'], ['other', 'v']),
    ];
    const state = new ResourceState();
    for (const entry of all) {
      const rows = entry.rows.map(({ index, tuple }) => `${index} ${tuple}`);
      state.put(entry);
      for (const index of ['owner', 'other'])
        for (const owner of ['u', 'v']) {
          const tuple = encodeTuple([owner]);
          expect([...state.range(index, tuple)], `${index} ${owner}`).to.deep.equal(
            rows.includes(`${index} ${tuple}`) ? [entry] : [],
          );
        }
    }
    state.delete(key);
    expect([state.list('owner', ''), state.list('other', '')]).to.deep.equal([[], []]);
  });

  it('are right if the objects came in another order, in several namespaces, or with a row twice', async () => {
    const entries = [named('b', ['u', 'u']), named('a', ['v'], 'other'), named('a', ['u']), named('c', [], 'other')];
    const state = await ResourceState.of(entries);
    expect(names(state.entries('', '~'))).to.deep.equal(['a', 'b', 'a', 'c']);
    expect([state.count('default'), state.count('other'), state.count('none')]).to.deep.equal([2, 2, 0]);
    expect(names(state.list('owner', ''))).to.deep.equal(['a', 'b', 'a']);
    expect(state.bytes).to.equal(entries.reduce((sum, { footprint }) => sum + footprint, 0));
    expect((await ResourceState.of([])).size).to.equal(0);
  });
});
