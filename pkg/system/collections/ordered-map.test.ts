import { expect } from 'chai';
import fc from 'fast-check';
import { entriesFrom, type OrderedMap, orderedMap } from './ordered-map.js';

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

function all<V>(map: OrderedMap<V>): readonly (readonly [string, V])[] {
  return [...entriesFrom(map, '')];
}

function mapWith<V>(entries: Iterable<readonly [string, V]>): OrderedMap<V> {
  const map = orderedMap<V>();
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

describe('OrderedMap', () => {
  it('is empty at first, and has no entries to iterate', () => {
    const map = orderedMap<number>();
    expect(map.size).to.equal(0);
    expect(all(map)).to.deep.equal([]);
    expect([...entriesFrom(map, 'a', 'b')]).to.deep.equal([]);
  });

  it('tells whether a key was new or existed', () => {
    const map = orderedMap<number>();
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
    expect(all(map).map(([k]) => k)).to.deep.equal(['', 'B', 'a', 'a.b', 'a/b', 'ä', '\u{1F600}', '\uFFFD']);
  });

  it('includes the low bound and excludes the high one', () => {
    const map = mapOf(['a', 'b', 'c', 'd']);
    expect([...entriesFrom(map, 'b', 'd')].map(([k]) => k)).to.deep.equal(['b', 'c']);
  });

  it('can iterate a clone while the original is changed', () => {
    const map = mapWith(Array.from({ length: 1000 }, (_, i) => [`k${String(i).padStart(4, '0')}`, i] as const));
    const seen: number[] = [];
    for (const [k, v] of entriesFrom(map.clone(), '')) {
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
        const pairs = [{ map: orderedMap<number>(), model: new Map<string, number>() }];
        for (const { op, map: index, key: k, value } of operations) {
          const { map, model } = pairs[index % pairs.length]!;
          if (op === 'set') expect(map.set(k, value)).to.equal(!model.has(k));
          if (op === 'set') model.set(k, value);
          if (op === 'delete') expect(map.delete(k)).to.equal(model.delete(k));
          if (op === 'clone' && pairs.length < 5) pairs.push({ map: map.clone(), model: new Map(model) });
        }
        for (const { map, model } of pairs) {
          expect(all(map)).to.deep.equal(sortedEntries(model));
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
        expect([...entriesFrom(map, low, high)]).to.deep.equal(expected);
      }),
    );
  });
});
