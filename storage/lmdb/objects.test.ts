import { expect } from 'chai';
import type { IndexRange } from '../backend.js';
import { type Key, keyOf } from '../key.js';
import { tagged } from '../testing/backend/counts.js';
import { key, RESOURCE, write } from '../testing/backend/fixture.js';
import { find, findAll, indexKey, readObjects, select, selectCounts } from './objects.js';
import { MAX_KEY, type Tables } from './tables.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const SHORT = 'r.x';
const longest = (resource: string): Key =>
  keyOf(resource, 'd', 'y'.repeat(MAX_KEY - Buffer.byteLength(`${resource}/d/`)));
const whole: IndexRange = { from: '', to: '~', limit: 100 };

describe('lmdb: objects', () => {
  const folder = eachFolder();

  it('are looked for by keys of any length', async () => {
    const fits = longest(SHORT);
    await withStore(folder(), (backend) => write(backend, [{ key: fits, value: 'long' }]));
    await withTables(folder(), async (tables) => {
      expect(find(tables, fits)).to.deep.include({ key: fits, revision: 1 });
      const long = [`${fits}y`, `${fits}${'y'.repeat(5000)}`, keyOf(SHORT, 'd', 'ü'.repeat(MAX_KEY / 2))] as Key[];
      expect([...findAll(tables, [...long, fits, key('none')]).keys()]).to.deep.equal([fits]);
    });
  });

  it('are found between bounds that are longer than keys can be, in both directions', async () => {
    const fits = longest(SHORT);
    const shorter = keyOf(SHORT, 'd', 'y');
    await withStore(folder(), (backend) =>
      write(backend, [
        { key: fits, value: '1' },
        { key: shorter, value: '2' },
        { key: keyOf(SHORT, 'e', 'z'), value: '3' },
      ]),
    );
    await withTables(folder(), async (tables) => {
      const keys = (range: Partial<IndexRange>): readonly string[] =>
        select(tables, SHORT, { ...whole, ...range }).map(({ rowKey }) => rowKey.slice(0, 7));
      for (const reverse of [false, true]) {
        const inOrder = (...found: readonly string[]): readonly string[] => (reverse ? [...found].reverse() : found);
        expect(keys({ to: `${fits}a`, reverse })).to.deep.equal(inOrder('r.x/d/y', 'r.x/d/y'));
        expect(keys({ to: fits, reverse })).to.deep.equal(['r.x/d/y']);
        expect(keys({ from: fits, reverse })).to.deep.equal(inOrder('r.x/d/y', 'r.x/e/z'));
        expect(keys({ from: `${fits}a`, reverse })).to.deep.equal(['r.x/e/z']);
        expect(keys({ from: `${fits}a`, to: `${fits}b`, reverse })).to.deep.equal([]);
      }
    });
  });

  it('are those of the resource only, with bounds anywhere', async () => {
    const names = ['a', 'b', 'c'].map((resource) => keyOf(resource, '', 'n'));
    await withStore(folder(), (backend) =>
      write(
        backend,
        names.map((one) => ({ key: one, value: one })),
      ),
    );
    await withTables(folder(), async (tables) => {
      const count = (from: string, to: string): number => select(tables, 'b', { from, to, limit: 9 }).length;
      expect(select(tables, 'b', whole).map(({ stored }) => stored.revision)).to.deep.equal([2]);
      const bounds = ['', 'a/', 'a~', 'b', 'b/', 'b//n', 'b//o', 'b0', 'c//n', '~'];
      for (const [i, from] of bounds.entries()) {
        for (const [k, to] of bounds.entries())
          expect(count(from, to), `${from} ${to}`).to.equal(i < 6 && k > 5 ? 1 : 0);
      }
    });
  });

  it('are read in chunks of 256 KiB or 500 objects', async () => {
    const large = ['a', 'b', 'c', 'd'].map((name) => ({ key: keyOf('large', '', name), value: 'v'.repeat(150_000) }));
    const small = Array.from({ length: 501 }, (_, i) => ({ key: keyOf('small', '', `n${1000 + i}`), value: 'v' }));
    await withStore(folder(), (backend) => write(backend, [...large, ...small]));
    await withTables(folder(), async (tables) => {
      const read = (resource: string, after?: Key): readonly string[] =>
        readObjects(tables, resource, after).map((one) => one.key.slice(resource.length + 2));
      expect(read('large')).to.deep.equal(['a', 'b']);
      expect(read('large', keyOf('large', '', 'b'))).to.deep.equal(['c', 'd']);
      expect(read('large', keyOf('large', '', 'd'))).to.deep.equal([]);
      expect(read('small')).to.have.length(500);
      expect(read('small', keyOf('small', '', 'n1499'))).to.deep.equal(['n1500']);
    });
  });

  it('are left out of a range of rows if they are not there', async () => {
    await withStore(folder(), (backend) => write(backend, [{ key: key('a'), value: 'a', rows: [tagged('x')] }]));
    await withTables(folder(), async (tables: Tables) => {
      await tables.index.put(indexKey(RESOURCE, tagged('y'), key('lost')), Buffer.alloc(1));
      const found = select(tables, RESOURCE, { ...whole, index: 'byTag' });
      expect(found.map(({ stored }) => stored.key)).to.deep.equal([key('a')]);
    });
  });

  it('are not read for an empty range', async () => {
    await withStore(folder(), (backend) => write(backend, [{ key: key('a'), value: 'a', rows: [tagged('x')] }]));
    await withTables(folder(), async (tables) => {
      for (const reverse of [false, true]) {
        for (const range of [{ limit: 0 }, { from: '~', to: '' }, { from: 's', to: 's' }]) {
          const wanted = { ...whole, index: 'byTag', reverse, ...range };
          expect([select(tables, RESOURCE, wanted), selectCounts(tables, RESOURCE, wanted)]).to.deep.equal([[], []]);
          const { index: _, ...byKey } = wanted;
          expect(select(tables, RESOURCE, byKey)).to.deep.equal([]);
        }
      }
    });
  });
});
