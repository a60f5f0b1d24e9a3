import { expect } from 'chai';
import type { Backend, IndexRange, IndexRow, Row } from '../../backend.js';
import { type Key, keyOf, partsOf } from '../../key.js';
import { behind } from '../../range.js';
import { encodeTuple, prefixEnd, rowKey, type Tuple } from '../../tuple.js';
import { type Current, key, plainRow, RESOURCE, type Wish, write } from './fixture.js';

function row(index: string, ...tuple: Tuple): IndexRow {
  return { index, tuple: encodeTuple(tuple) };
}

async function names(backend: Backend, range: Partial<IndexRange> = {}): Promise<readonly string[]> {
  const whole: IndexRange = { index: 'byTime', from: '', to: prefixEnd(''), limit: 1000 };
  return namesOf(await backend.range(RESOURCE, { ...whole, ...range }));
}

function namesOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ stored }) => partsOf(stored.key).name);
}

/** All pages of `limit` rows. */
async function pages(backend: Backend, range: IndexRange): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (let rest = range; ; ) {
    const page = await backend.range(RESOURCE, rest);
    const last = page.at(-1)?.rowKey;
    if (last === undefined) return found;
    found.push(namesOf(page));
    rest = behind(rest, last);
  }
}

export function rangeSuite(current: Current): void {
  describe('range', () => {
    const times = { late: 1700000000000, early: -5, middle: 3, zero: 0, same: 3, fraction: 0.5 };

    async function fill(backend: Backend): Promise<void> {
      const wishes = Object.entries(times).map(
        ([name, time]): Wish => ({ key: key(name), value: name, rows: [row('byTime', time)] }),
      );
      await write(backend, wishes);
    }

    it('returns objects in the order of tuples, then keys', async () => {
      const { backend } = current();
      await fill(backend);
      expect(await names(backend)).to.deep.equal(['early', 'zero', 'fraction', 'middle', 'same', 'late']);
      const [first] = await backend.range(RESOURCE, { index: 'byTime', from: '', to: '~', limit: 1 });
      expect(first && plainRow(first)).to.deep.equal({
        rowKey: rowKey(encodeTuple([-5]), key('early')),
        stored: { key: key('early'), revision: 2, value: '"early"' },
      });
    });

    it('includes the lower bound and excludes the upper bound, in both directions', async () => {
      const { backend } = current();
      await fill(backend);
      const bounds = { from: encodeTuple([0]), to: encodeTuple([3]) };
      expect(await names(backend, bounds)).to.deep.equal(['zero', 'fraction']);
      expect(await names(backend, { ...bounds, reverse: true })).to.deep.equal(['fraction', 'zero']);
      expect(await names(backend, { from: encodeTuple([3]) })).to.deep.equal(['middle', 'same', 'late']);
      expect(await names(backend, { from: bounds.to, to: bounds.from })).to.deep.equal([]);
      expect(await names(backend, { from: bounds.to, to: bounds.to })).to.deep.equal([]);
      expect(await names(backend, { from: bounds.to, to: bounds.from, reverse: true })).to.deep.equal([]);
    });

    it('applies the limit from the side where it starts', async () => {
      const { backend } = current();
      await fill(backend);
      expect(await names(backend, { limit: 2 })).to.deep.equal(['early', 'zero']);
      expect(await names(backend, { limit: 3, reverse: true })).to.deep.equal(['late', 'same', 'middle']);
      expect(await names(backend, { limit: 0 })).to.deep.equal([]);
    });

    it('separates indexes and resources', async () => {
      const { backend } = current();
      await write(backend, [
        { key: key('a'), value: '1', rows: [row('byTime', 1), row('byTime2', 2), row('by', 3)] },
        { key: key('b', `${RESOURCE}2`), value: '2', rows: [row('byTime', 1)] },
        { key: key('c'), value: '3', rows: [row('byOwner', 'u1', 9)] },
        { key: key('d'), value: '4', rows: [row('byOwner', 'u10', 1)] },
      ]);
      expect(await names(backend)).to.deep.equal(['a']);
      expect(await names(backend, { index: 'by' })).to.deep.equal(['a']);
      const prefix = encodeTuple(['u1']);
      expect(await names(backend, { index: 'byOwner', from: prefix, to: prefixEnd(prefix) })).to.deep.equal(['c']);
      expect(await names(backend, { index: 'unknown' })).to.deep.equal([]);
    });

    it('replaces the rows of a rewritten object and removes those of a deleted one', async () => {
      const { backend } = current();
      await fill(backend);
      await write(backend, [
        { key: key('early'), value: 'moved', rows: [row('byTime', 4)] },
        { key: key('zero'), value: 'without rows' },
        { key: key('same') },
        { key: key('twice'), value: 'a', rows: [row('byTime', 1)] },
        { key: key('twice'), value: 'b', rows: [row('byTime', 2)] },
        { key: key('brief'), value: 'a', rows: [row('byTime', 1)] },
        { key: key('brief') },
      ]);
      expect(await names(backend)).to.deep.equal(['fraction', 'twice', 'middle', 'early', 'late']);
    });

    it('returns an object once for each of its rows in an index', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: '1', rows: [row('byTag', 'x'), row('byTag', 'y')] }]);
      await write(backend, [{ key: key('b'), value: '2', rows: [row('byTag', 'x')] }]);
      const prefix = encodeTuple(['x']);
      expect(await names(backend, { index: 'byTag', from: prefix, to: prefixEnd(prefix) })).to.deep.equal(['a', 'b']);
      expect(await names(backend, { index: 'byTag' })).to.deep.equal(['a', 'b', 'a']);
    });

    it('returns objects in key order without an index, in both directions', async () => {
      const { backend } = current();
      const at = (namespace: string, name: string, resource = RESOURCE): Key => keyOf(resource, namespace, name);
      const keys = [at('a', 'x'), at('a', 'y'), at('a-b', 'x'), at('a.b', 'x'), at('b', 'w')];
      const others = [at('a', 'z', `${RESOURCE}2`), at('a', 'z', `${RESOURCE}.x`), at('a', 'z', 'a')];
      await write(
        backend,
        [...keys, ...others].reverse().map((key): Wish => ({ key, value: key })),
      );
      const all: IndexRange = { from: '', to: '~', limit: 100 };
      const range = async (range: Partial<IndexRange>): Promise<readonly string[]> =>
        (await backend.range(RESOURCE, { ...all, ...range })).map(({ rowKey, stored }) => {
          expect(rowKey).to.equal(stored.key);
          return stored.key;
        });
      const ordered = [...keys].sort();
      expect(await range({})).to.deep.equal(ordered);
      expect(await range({ reverse: true })).to.deep.equal([...ordered].reverse());
      expect(await range({ from: at('a', ''), to: `${RESOURCE}/a0` })).to.deep.equal(keys.slice(0, 2));
      const bounds = { from: at('a', 'x'), to: at('a', 'y') };
      expect(await range(bounds)).to.deep.equal([at('a', 'x')]);
      expect(await range({ ...bounds, reverse: true })).to.deep.equal([at('a', 'x')]);
      expect(await range({ limit: 2, reverse: true })).to.deep.equal([...ordered].reverse().slice(0, 2));
      expect(await range({ from: '~', to: '~~' })).to.deep.equal([]);
      expect(await range({ from: '', to: 'a' })).to.deep.equal([]);
    });

    for (const reverse of [false, true]) {
      it(`continues behind a row, ${reverse ? 'descending' : 'ascending'}, also among equal tuples and rows of one object`, async () => {
        const { backend } = current();
        await write(backend, [
          ...['d', 'a', 'c', 'b'].map((name): Wish => ({ key: key(name), value: name, rows: [row('byTime', 1)] })),
          { key: key('twice'), value: '2', rows: [row('byTime', 0), row('byTime', 1), row('byTime', 2)] },
          { key: key('last'), value: 'last', rows: [row('byTime', 2)] },
        ]);
        const inOrder = ['twice', 'a', 'b', 'c', 'd', 'twice', 'last', 'twice'];
        const byKey = ['a', 'b', 'c', 'd', 'last', 'twice'];
        for (const limit of [1, 2, 3, 10]) {
          const range = { from: '', to: '~', limit, reverse };
          const found = await pages(backend, { ...range, index: 'byTime' });
          expect(found.flat()).to.deep.equal(reverse ? [...inOrder].reverse() : inOrder);
          expect(found.slice(0, -1).map((page) => page.length)).to.deep.equal(found.slice(1).map(() => limit));
          expect((await pages(backend, range)).flat()).to.deep.equal(reverse ? [...byKey].reverse() : byKey);
        }
      });
    }

    it('accepts the longest tuple with the longest name', async () => {
      const { backend } = current();
      const longest = keyOf(RESOURCE, 'n'.repeat(63), 'x'.repeat(253));
      const tuple = encodeTuple(['y'.repeat(2000)]);
      expect(tuple).to.have.length(1024);
      await write(backend, [{ key: longest, value: 'long', rows: [{ index: 'byTime', tuple }] }]);
      expect(await names(backend)).to.deep.equal(['x'.repeat(253)]);
      await write(backend, [{ key: longest }]);
      expect(await names(backend)).to.deep.equal([]);
      expect((await backend.get([longest])).size).to.equal(0);
    });
  });
}
