import { expect } from 'chai';
import { type Key, keyOf } from '../key.js';
import { key, write } from '../testing/backend/fixture.js';
import { find, findAll, readObjects } from './objects.js';
import { MAX_KEY } from './tables.js';
import { eachFolder, withStore, withTables } from './testing/folder.js';

const SHORT = 'r.x';
const longest = (resource: string): Key =>
  keyOf(resource, 'd', 'y'.repeat(MAX_KEY - Buffer.byteLength(`${resource}/d/`)));

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
});
