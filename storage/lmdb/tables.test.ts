import { expect } from 'chai';
import { open } from 'lmdb';
import { asBuffer } from '../state/codec.js';
import { key, write } from '../testing/backend/fixture.js';
import { using } from '../testing/transfer/fixture.js';
import { openLmdb } from './open.js';
import { DOMAIN, eachFolder } from './testing/folder.js';

describe('lmdb: the tables in the file', () => {
  const folder = eachFolder();

  /**
   * Every entry of a table as LMDB has it, in its order: its key and its bytes, with its version if the table has
   * versions.
   */
  async function entriesOf(name: string, useVersions: boolean): Promise<readonly string[]> {
    const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const;
    const root = open<Buffer, Buffer>({ path: folder(), noSubdir: false, readOnly: true, ...bytes });
    const table = root.openDB<Buffer, Buffer>(name, { ...bytes, useVersions });
    const found = [...table.getRange({ versions: useVersions })].map(({ key, value, version }) => {
      const [id, text] = [asBuffer(key), asBuffer(value)].map((one) =>
        one.toString(name === 'log' ? 'latin1' : 'utf8'),
      );
      return [id?.replaceAll('\0', ' '), text?.replaceAll('\0', ' '), ...(useVersions ? [version] : [])].join(' = ');
    });
    await root.close();
    return found;
  }

  it('have the form that other versions of the server read', async () => {
    await using(openLmdb({ path: folder(), domain: DOMAIN, now: () => 77 }), async (backend) => {
      await write(backend, [{ key: key('a'), value: '1' }], { teams: 7 });
      await write(backend, [{ key: key('b'), value: '2' }]);
      await backend.compact(1);
      expect(await backend.materialize?.()).to.equal(2);
    });
    const [commit] = /"commit":"[^"]+"/.exec((await entriesOf('meta', true)).join()) ?? [];
    expect(await entriesOf('meta', true)).to.deep.equal([
      'compacted = 1 = 1',
      'domain = "svc.app" = 1',
      `end = {"end":2,"at":77,${commit}} = 3`,
      'format = 3 = 1',
      'stored = 2 = 1',
    ]);
    expect(await entriesOf('objects', true)).to.deep.equal([`${key('a')} = "1" = 1`, `${key('b')} = "2" = 2`]);
    expect(await entriesOf('counters', false)).to.deep.equal(['teams = 7']);
    const [segment, ...others] = await entriesOf('log', false);
    expect(others).to.deep.equal([]);
    const header = `{"first":2,"from":2,"at":77,"last":true,"changes":[["${key('b')}",3,0,0]],${commit}}`;
    const length = String.fromCharCode(header.length);
    expect(segment).to.equal(`${' '.repeat(7)}${String.fromCharCode(2)}${' '.repeat(4)} = ${length}   ${header}"2"`);
  });
});
