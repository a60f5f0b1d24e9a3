import { expect } from 'chai';
import fc from 'fast-check';
import { OrderedMap } from './ordered-map.js';

type Operation = {
  readonly op: 'set' | 'delete' | 'clone';
  readonly map: number;
  readonly key: string;
  readonly value: number;
};

const key = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((n) => `folders/${n}`),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const operation: fc.Arbitrary<Operation> = fc.record({
  op: fc.constantFrom('set', 'set', 'set', 'delete', 'clone'),
  map: fc.nat(),
  key,
  value: fc.nat(),
});

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const sortedEntries = (model: Map<string, number>): [string, number][] =>
  [...model].sort(([a], [b]) => byCodeUnit(a, b));

function mapOf(keys: readonly string[]): OrderedMap<string> {
  return mapWith(keys.map((key) => [key, key] as const));
}

function mapWith<V>(entries: Iterable<readonly [string, V]>): OrderedMap<V> {
  const map = new OrderedMap<V>();
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

describe('OrderedMap', () => {
  it('is empty at first, and has no entries to iterate', () => {
    const map = new OrderedMap<number>();
    expect(map.size).to.equal(0);
    expect([...map]).to.deep.equal([]);
    expect([...map.entriesFrom('a', 'b')]).to.deep.equal([]);
    expect([...map.reverseFrom()]).to.deep.equal([]);
    expect([...map.reverseFrom('m')]).to.deep.equal([]);
    expect(map.firstKey()).to.equal(undefined);
    expect(map.lastKey()).to.equal(undefined);
  });

  it('tells whether a key was new or existed', () => {
    const map = new OrderedMap<number>();
    expect(map.set('a', 1)).to.equal(true);
    expect(map.set('a', 2)).to.equal(false);
    expect(map.get('a')).to.equal(2);
    expect(map.delete('a')).to.equal(true);
    expect(map.delete('a')).to.equal(false);
    expect(map.has('a')).to.equal(false);
  });

  it('orders by code unit, not by locale or code point', () => {
    const keys = ['a', 'B', 'ä', '', '\u{1F600}', '\uFFFD', 'a/b', 'a.b', 'a'];
    const map = mapOf(keys);
    expect([...map].map(([k]) => k)).to.deep.equal(['', 'B', 'a', 'a.b', 'a/b', 'ä', '\u{1F600}', '\uFFFD']);
  });

  it('includes the low bound and excludes the high one, in both directions', () => {
    const map = mapOf(['a', 'b', 'c', 'd']);
    expect([...map.entriesFrom('b', 'd')].map(([k]) => k)).to.deep.equal(['b', 'c']);
    expect([...map.reverseFrom('d', 'b')].map(([k]) => k)).to.deep.equal(['c', 'b']);
    expect([...map.reverseFrom('bb')].map(([k]) => k)).to.deep.equal(['b', 'a']);
    expect([...map.reverseFrom()].map(([k]) => k)).to.deep.equal(['d', 'c', 'b', 'a']);
  });

  it('can iterate a clone while the original is changed', () => {
    const map = mapWith(Array.from({ length: 1000 }, (_, i) => [`k${String(i).padStart(4, '0')}`, i] as const));
    const seen: number[] = [];
    for (const [k, v] of map.clone().entriesFrom('')) {
      map.delete(k);
      map.set(`${k}/later`, -1);
      seen.push(v);
    }
    expect(seen).to.deep.equal(Array.from({ length: 1000 }, (_, i) => i));
    expect(map.size).to.equal(1000);
  });

  it('agrees with a sorted Map, and clones are independent', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 400 }), (operations) => {
        const pairs = [{ map: new OrderedMap<number>(), model: new Map<string, number>() }];
        for (const { op, map: index, key: k, value } of operations) {
          const { map, model } = pairs[index % pairs.length]!;
          if (op === 'set') expect(map.set(k, value)).to.equal(!model.has(k));
          if (op === 'set') model.set(k, value);
          if (op === 'delete') expect(map.delete(k)).to.equal(model.delete(k));
          if (op === 'clone' && pairs.length < 5) pairs.push({ map: map.clone(), model: new Map(model) });
        }
        for (const { map, model } of pairs) {
          expect([...map]).to.deep.equal(sortedEntries(model));
          expect(map.size).to.equal(model.size);
        }
      }),
    );
  });

  it('has ranges that agree with a filtered sorted Map', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 300 }), key, key, (entries, low, high) => {
        const model = new Map(entries);
        const map = mapWith(entries);
        const expected = sortedEntries(model).filter(([k]) => k >= low && k < high);
        expect([...map.entriesFrom(low, high)]).to.deep.equal(expected);
        expect([...map.reverseFrom(high, low)]).to.deep.equal([...expected].reverse());
        expect(map.lastKey()).to.equal(sortedEntries(model).at(-1)?.[0]);
        expect(map.firstKey()).to.equal(sortedEntries(model)[0]?.[0]);
      }),
    );
  });
});
