import { expect } from 'chai';
import { encodeText } from '../codec.js';
import { entryOf } from '../entry.js';
import { type Key, keyOf } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import { encodeTuple, rowKey } from '../tuple.js';
import { ChangedSince } from './changed-since.js';
import type { Event } from './event.js';
import { Ring } from './ring.js';

const NAMES: ResourceDefinition = {
  resource: 'r',
  cached: false,
  extract: () => ({ labels: undefined, fields: undefined }),
  rows: (object) => [
    { index: 'other', tuple: encodeTuple(['x']) },
    ...(object as { tags: readonly string[] }).tags.map((tag) => ({ index: 'tag', tuple: encodeTuple([tag]) })),
  ],
};

const key = (name: string): Key => keyOf('r', '', name);
const row = (name: string, tag: string): string => rowKey(encodeTuple([tag]), key(name));
const ALL = { from: '', to: '\uffff' };

/** A change of an object; `before` are its tags until then. Without them, it was created. */
function changed(name: string, revision: number, before?: readonly string[]): Event {
  const entry = (at: number, tags: readonly string[]) =>
    entryOf(NAMES, key(name), at, encodeText(JSON.stringify({ metadata: { name: 'x' }, tags }), at));
  return {
    key: key(name),
    revision,
    current: entry(revision, ['new']),
    previous: before && entry(revision - 1, before),
  };
}

function since(...events: readonly Event[]): ChangedSince {
  const ring = new Ring(0);
  for (const event of events) ring.push(event);
  const result = new ChangedSince(NAMES, 'tag', 0);
  result.follow(ring);
  return result;
}

const rowsOf = (from: ChangedSince, bounds = ALL): readonly string[] => [...from.rows(bounds)].map((one) => one.rowKey);

describe('ChangedSince', () => {
  it('has the rows of the index as they were before the first change of each object', () => {
    const all = since(changed('a', 2, ['old', 'older']), changed('a', 3, ['later']), changed('b', 4));
    expect(rowsOf(all)).to.deep.equal([row('a', 'old'), row('a', 'older')]);
    expect([...all.rows(ALL)].map(({ entry }) => entry.revision)).to.deep.equal([1, 1]);
    expect(['a', 'b', 'c'].map((name) => all.has(key(name)))).to.deep.equal([true, true, false]);
    expect(all.reached).to.equal(4);
  });

  it('has the rows of a range, from its beginning up to before its end', () => {
    const all = since(changed('a', 2, ['a', 'b', 'c']));
    const [first, second, third] = ['a', 'b', 'c'].map((tag) => row('a', tag));
    expect(rowsOf(all, { from: first ?? '', to: third ?? '' })).to.deep.equal([first, second]);
    expect(rowsOf(all, { from: second ?? '', to: '\uffff' })).to.deep.equal([second, third]);
  });

  it('has the objects themselves if there is no index', () => {
    const all = new ChangedSince(NAMES, undefined, 0);
    const ring = new Ring(0);
    ring.push(changed('a', 2, ['x']));
    all.follow(ring);
    expect(rowsOf(all)).to.deep.equal([key('a')]);
  });

  it('has no rows of a resource without indexes', () => {
    const { rows: _, ...bare } = NAMES;
    const all = new ChangedSince(bare, 'tag', 0);
    const ring = new Ring(0);
    ring.push(changed('a', 2, ['x']));
    all.follow(ring);
    expect(rowsOf(all)).to.deep.equal([]);
  });

  it('continues in a ring where it was, and in another ring after the last change', () => {
    const [first, second] = [new Ring(0), new Ring(2)];
    const all = new ChangedSince(NAMES, 'tag', 0);
    first.push(changed('a', 2, ['a']));
    all.follow(first);
    first.push(changed('b', 3, ['b']));
    all.follow(first);
    for (const [name, at] of [
      ['b', 3],
      ['c', 4],
    ] as const)
      second.push(changed(name, at, [`${name}2`]));
    all.follow(second);
    expect(rowsOf(all)).to.deep.equal([row('a', 'a'), row('b', 'b'), row('c', 'c2')]);
  });

  it('only notes objects of the log that had no row within the bounds', () => {
    const all = new ChangedSince(NAMES, 'tag', 0);
    const bounds = { from: row('b', 'b'), to: row('d', 'd') };
    const names = ['a', 'b', 'c', 'd', 'e'];
    const events = [
      ...names.map((name, i) => changed(name, i + 2, [name])),
      changed('f', 9, ['a', 'c', 'e']),
      changed('g', 10),
    ];
    all.addCommit({ end: 12, events }, bounds);
    expect([...names, 'f', 'g'].every((name) => all.has(key(name)))).to.equal(true);
    expect(rowsOf(all)).to.have.members([row('b', 'b'), row('c', 'c'), ...['a', 'c', 'e'].map((tag) => row('f', tag))]);
    expect(all.reached).to.equal(12);
  });
});
