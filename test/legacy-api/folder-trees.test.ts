import { expect } from 'chai';
import { Client } from '../../registry/client/client.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { PARENT } from '../resource-api/folders.js';
import { legacyFoldersOf, NOT_FOUND, structured, TOO_DEEP } from './folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';

oneStore('the tree of folders in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const { make, chain } = legacyFoldersOf(server);

  describe('POST /api/folders/:uid/move', () => {
    // Promise: specification 2.2, specification 4.2
    it('moves the folder below another one, and back to the root', async () => {
      const [to, uid] = [fresh('to'), fresh('moved')];
      await make(to);
      await make(uid);
      const moved = await ask(200, 'POST', `/folders/${uid}/move`, { parentUid: to });
      expect(moved).to.include({ uid, parentUid: to, canDelete: true, version: 2 });
      expect(moved.parents.map((one: Json) => one.uid)).to.deep.equal([to]);
      for (const body of [{}, { parentUid: '' }, undefined]) {
        await ask(200, 'POST', `/folders/${uid}/move`, { parentUid: to });
        expect(await ask(200, 'POST', `/folders/${uid}/move`, body)).not.to.have.any.keys('parentUid', 'parents');
      }
    });

    // Promise: specification 4.2
    it('refuses a cycle, a fifth level, the folder itself and unknown folders', async () => {
      const uids = await chain(4);
      const other = fresh('other');
      await make(other);
      const to = (parentUid: string | undefined) => ({ parentUid });
      const circular = structured('folder.circular-reference', 'Circular reference detected');
      await refused(400, circular, 'POST', `/folders/${uids[0]}/move`, to(uids[1]));
      await refused(400, TOO_DEEP, 'POST', `/folders/${uids[0]}/move`, to(other));
      const own = { message: 'folder cannot be parent of itself' };
      await refused(400, own, 'POST', `/folders/${other}/move`, to(other));
      await refused(400, { message: 'parent folder not found' }, 'POST', `/folders/${other}/move`, to('nowhere'));
      await refused(404, NOT_FOUND, 'POST', '/folders/nothing-here/move', to(other));
      await refused(400, { message: 'bad request data' }, 'POST', `/folders/${other}/move`, { parentUid: 7 });
    });
  });

  describe('GET /api/folders', () => {
    // Promise: specification 2.2, specification 4.2
    it('lists the direct contents of the parent, by title', async () => {
      const [parent, child] = await chain(2);
      await make(fresh('listed'), { parentUid: parent, title: 'a first' });
      const items = await ask(200, 'GET', `/folders?parentUid=${parent}`);
      expect(items.map(({ title }: Json) => title)).to.deep.equal(['a first', `Title of ${child}`]);
      expect(items[1]).to.have.all.keys('id', 'uid', 'title');
      const roots = (await ask(200, 'GET', '/folders')).map(({ uid }: Json) => uid);
      expect(roots).to.include(parent).and.not.to.include(child);
      expect((await ask(200, 'GET', '/folders?parentUid=general')).map(({ uid }: Json) => uid)).to.deep.equal(roots);
    });

    // Promise: specification 4.2
    it('pages by limit and page, and is empty beyond the end', async () => {
      const parent = fresh('pages');
      await make(parent);
      for (const title of ['c', 'a', 'b']) await make(fresh('page'), { parentUid: parent, title });
      const page = async (query: string) =>
        (await ask(200, 'GET', `/folders?parentUid=${parent}&${query}`)).map(({ title }: Json) => title);
      expect(await page('limit=2')).to.deep.equal(['a', 'b']);
      expect(await page('limit=2&page=2')).to.deep.equal(['c']);
      expect(await page('limit=2&page=3')).to.deep.equal([]);
      expect(await page('limit=0&page=-1')).to.deep.equal(['a', 'b', 'c']);
      await ask(400, 'GET', `/folders?parentUid=${parent}&limit=x`);
      expect(await page('permission=Edit')).to.deep.equal(['a', 'b', 'c']);
    });

    // Promise: specification 8
    it('has at most 1000 folders on a page unless limit says otherwise', async () => {
      const parent = fresh('many');
      await make(parent);
      const { registry } = server().api;
      const folder = registry.compiled.get('folder/Folder');
      await new Client(registry, { user: ADMIN }).transact((transaction) => {
        const folders = transaction.objects(folder, 'default');
        for (let i = 0; i < 1001; i++)
          folders.create({ metadata: { name: `one-${i}`, annotations: { [PARENT]: parent } }, spec: { title: 'One' } });
      });
      expect(await ask(200, 'GET', `/folders?parentUid=${parent}`)).to.have.lengthOf(1000);
      expect(await ask(200, 'GET', `/folders?parentUid=${parent}&page=2`)).to.have.lengthOf(1);
      expect(await ask(200, 'GET', `/folders?parentUid=${parent}&limit=2000`)).to.have.lengthOf(1001);
    });

    it('refuses an unknown parent with 404', () => refused(404, NOT_FOUND, 'GET', '/folders?parentUid=nowhere'));
  });

  it('counts the contents of a folder at all levels', async () => {
    const [first] = await chain(3);
    const counts = { folder: 2, dashboard: 0, alertrule: 0, library_elements: 0 };
    expect(await ask(200, 'GET', `/folders/${first}/counts`)).to.deep.equal(counts);
    await refused(404, NOT_FOUND, 'GET', '/folders/nothing-here/counts');
  });
});
oneStore(
  'folders in the legacy API without nested folders',
  (server) => {
    const { ask, refused } = legacyOf(server);

    // Promise: specification 2.2, specification 4.2
    it('have no parents, and cannot be moved', async () => {
      const { uid } = await ask(200, 'POST', '/folders', { title: 'flat' });
      expect(await ask(200, 'GET', `/folders/${uid}`)).not.to.have.any.keys('parentUid', 'parents');
      await refused(404, { message: 'Not found' }, 'POST', `/folders/${uid}/move`, {});
      expect((await ask(200, 'GET', '/folders?parentUid=general')).map((one: Json) => one.uid)).to.include(uid);
    });

    it('are not deleted with hidden contents, and are found by a search without their parents', async () => {
      await server().restart({ features: { nestedFolders: true } });
      const { uid } = await ask(200, 'POST', '/folders', { title: 'outer' });
      const inner = await ask(200, 'POST', '/folders', { title: 'inner', parentUid: uid });
      await server().restart({ features: { nestedFolders: false } });
      const refusal = structured('folder.not-empty', 'Folder cannot be deleted: folder is not empty');
      await refused(400, refusal, 'DELETE', `/folders/${uid}`);
      const [found] = await ask(200, 'GET', '/search?query=inner');
      expect(found).to.include({ uid: inner.uid }).and.not.have.property('folderUid');
      await ask(200, 'DELETE', `/folders/${inner.uid}`);
      await ask(200, 'DELETE', `/folders/${uid}`);
    });
  },
  { features: { nestedFolders: false } },
);
