import { expect } from 'chai';
import type { Backend, CountRange, IndexRow } from '../../backend.js';
import { behind } from '../../range.js';
import { decodeTuple, encodeTuple, prefixEnd, type Tuple } from '../../tuple.js';
import {
  batchOf,
  type Current,
  changesOf,
  expectCode,
  key,
  RESOURCE,
  type Wish,
  write,
  writeAgain,
} from './fixture.js';

/** A row by tag and time, which is counted by its tag. */
export function tagged(tag: string, time = 0): IndexRow {
  return { index: 'byTag', tuple: encodeTuple([tag, time]), counted: encodeTuple([tag]) };
}

/** The counts by tag, as `{ tag: count }`, in their order. */
export async function tagCounts(
  backend: Backend,
  range: Partial<CountRange> = {},
  resource: string = RESOURCE,
): Promise<Readonly<Record<string, number>>> {
  const found = await backend.counts(resource, { index: 'byTag', from: '', to: '~', limit: 100, ...range });
  return Object.fromEntries(found.map(({ tuple, count }) => [(decodeTuple(tuple) as Tuple).join(), count]));
}

function note(name: string, ...tags: readonly string[]): Wish {
  return { key: key(name), value: name, rows: tags.map((tag, i) => tagged(tag, i)) };
}

export function countsSuite(current: Current): void {
  describe('counts', () => {
    it('counts the objects of each counted tuple, in the order of the tuples', async () => {
      const { backend } = current();
      await write(backend, [note('a', 'x', 'y'), note('b', 'y'), note('c'), note('d', 'a', 'y')]);
      expect(Object.entries(await tagCounts(backend))).to.deep.equal([
        ['a', 1],
        ['x', 1],
        ['y', 3],
      ]);
      expect(await tagCounts(backend, { index: 'unknown' })).to.deep.equal({});
    });

    it('follows rewritten and deleted objects, and removes a tuple that no object has', async () => {
      const { backend } = current();
      await write(backend, [note('a', 'x', 'y'), note('b', 'x'), note('c', 'z')]);
      await write(backend, [note('a', 'y', 'w'), { key: key('c') }, note('d', 'w')]);
      expect(await tagCounts(backend)).to.deep.equal({ w: 2, x: 1, y: 1 });
      await write(backend, [{ key: key('b') }, { key: key('a'), value: 'without rows' }]);
      expect(await tagCounts(backend)).to.deep.equal({ w: 1 });
      await write(backend, [note('b', 'x')]);
      expect(await tagCounts(backend)).to.deep.equal({ w: 1, x: 1 });
    });

    it('counts only what the batch leaves, if it writes an object several times', async () => {
      const { backend } = current();
      await write(backend, [note('a', 'x')]);
      await write(backend, [note('a', 'y'), note('a', 'z'), note('brief', 'b'), { key: key('brief') }]);
      expect(await tagCounts(backend)).to.deep.equal({ z: 1 });
      await write(backend, [{ key: key('a') }, note('a', 'x', 'z')]);
      expect(await tagCounts(backend)).to.deep.equal({ x: 1, z: 1 });
    });

    it('counts an object once under a tuple, no matter how many rows it has there', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: 'a', rows: [tagged('x', 1), tagged('x', 2)] }]);
      expect(await tagCounts(backend)).to.deep.equal({ x: 1 });
      await write(backend, [{ key: key('a'), value: 'a', rows: [tagged('x', 2), tagged('x', 3)] }]);
      expect(await tagCounts(backend)).to.deep.equal({ x: 1 });
      await write(backend, [{ key: key('a') }]);
      expect(await tagCounts(backend)).to.deep.equal({});
    });

    it('counts no rows that are not counted, and separates indexes and resources', async () => {
      const { backend } = current();
      const other = `${RESOURCE}2`;
      const plain = { index: 'byTag', tuple: encodeTuple(['plain', 1]) };
      const counted = encodeTuple(['x']);
      await write(backend, [
        { key: key('a'), value: '1', rows: [plain, tagged('x'), { index: 'byTag2', tuple: counted, counted }] },
        { key: key('a', other), value: '2', rows: [tagged('y')] },
      ]);
      expect(await tagCounts(backend)).to.deep.equal({ x: 1 });
      expect(await tagCounts(backend, { index: 'byTag2' })).to.deep.equal({ x: 1 });
      expect(await tagCounts(backend, {}, other)).to.deep.equal({ y: 1 });
    });

    it('reads a range of tuples in pages, in both directions', async () => {
      const { backend } = current();
      const tags = ['a', 'aa', 'b', 'c', 'd'];
      await write(backend, [note('all', ...tags), note('b', 'b')]);
      const bounds = { from: encodeTuple(['aa']), to: encodeTuple(['d']) };
      expect(await tagCounts(backend, bounds)).to.deep.equal({ aa: 1, b: 2, c: 1 });
      const one = encodeTuple(['b']);
      expect(await tagCounts(backend, { from: one, to: prefixEnd(one) })).to.deep.equal({ b: 2 });
      expect(await tagCounts(backend, { from: bounds.to, to: bounds.from })).to.deep.equal({});
      expect(await tagCounts(backend, { limit: 0 })).to.deep.equal({});
      for (const reverse of [false, true]) {
        const found: string[] = [];
        let rest: CountRange = { index: 'byTag', from: '', to: '~', limit: 2, reverse };
        for (;;) {
          const page = await backend.counts(RESOURCE, rest);
          found.push(...page.map(({ tuple }) => String(decodeTuple(tuple))));
          const last = page.at(-1);
          if (last === undefined) break;
          rest = { ...rest, ...behind(rest, last.tuple) };
        }
        expect(found).to.deep.equal(reverse ? [...tags].reverse() : tags);
      }
    });

    it('counts nothing of a batch that is refused, and counts a batch once that is sent twice', async () => {
      const { backend } = current();
      const batch = batchOf(changesOf(0, [note('a', 'x')], new Map()));
      await backend.append(0, batch);
      await expectCode(backend.append(0, batch), 'behind');
      await expectCode(backend.append(0, batchOf(changesOf(0, [note('b', 'y')], new Map()))), 'behind');
      expect(await tagCounts(backend)).to.deep.equal({ x: 1 });
    });

    it('keeps the counts when the store is opened again', async () => {
      const { backend, reopen } = current();
      await write(backend, [note('a', 'x'), note('b', 'x')]);
      const again = await reopen();
      await write(again, [{ key: key('a') }, note('c', 'y')]);
      expect(await tagCounts(again)).to.deep.equal({ x: 1, y: 1 });
    });

    it('counts the writes of all servers', async () => {
      const { backend, another } = current();
      const backends = another === undefined ? [backend] : [backend, await another()];
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        const own = backends[writer % backends.length] as Backend;
        for (let i = 0; i < 5; i++) await writeAgain(own, [note(`${writer}-${i}`, 'all', `w${writer}`)]);
        await writeAgain(own, [{ key: key(`${writer}-0`) }]);
      });
      await Promise.all(writers);
      for (const one of backends) {
        await one.end();
        expect(await tagCounts(one)).to.deep.equal({ all: 16, w0: 4, w1: 4, w2: 4, w3: 4 });
      }
    });
  });
}
