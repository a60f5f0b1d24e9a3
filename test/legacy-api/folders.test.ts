import { expect } from 'chai';
import { Client } from '../../registry/client/client.js';
import { kindNamed } from '../../registry/kinds/kind.js';
import { accepted, changingNothing } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf, PARENT } from '../resource-api/folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';

const MISMATCH = { message: 'the folder has been changed by someone else', status: 'version-mismatch' };
const NOT_FOUND = { message: 'folder not found', status: 'not-found' };
const structured = (messageId: string, message: string) => ({ statusCode: 400, messageId, message, extra: null });

oneStore('folders in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const resource = foldersOf(server);
  const make = (uid: string, more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/folders', { uid, title: `Title of ${uid}`, ...more });
  const chain = async (length: number): Promise<readonly string[]> => {
    const uids: string[] = [];
    for (let i = 0; i < length; i++) {
      const uid = fresh('chain');
      await make(uid, { parentUid: uids.at(-1) });
      uids.push(uid);
    }
    return uids;
  };

  describe('POST /api/folders', () => {
    it('answers with the whole folder', async () => {
      const uid = fresh('whole');
      const folder = await make(uid, { title: ' Main & Ops ' });
      expect(folder).to.include({ uid, orgId: 1, title: 'Main & Ops', url: `/dashboards/f/${uid}/main-ops` });
      expect(folder).to.include({ hasAcl: false, canSave: true, canEdit: true, canAdmin: true, canDelete: true });
      expect(folder).to.include({ createdBy: 'Anonymous', updatedBy: 'Anonymous', version: 1 });
      expect(folder.id).to.be.a('number').greaterThan(0);
      expect(folder.created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(folder.updated).to.equal(folder.created);
      expect(folder).not.to.have.any.keys('parentUid', 'parents', 'accessControl');
    });

    it('returns the logins of the creator and of the last writer', async () => {
      const [maker, login] = [fresh('maker'), fresh('login')];
      const user = { apiVersion: 'iam.svc.app/v1beta1', kind: 'User', metadata: { name: maker }, spec: { login } };
      const made = await server().call('POST', '/apis/iam.svc.app/v1beta1/users', { body: user });
      expect(made.status, made.text).to.equal(201);
      const asMaker = { user: { ...ADMIN, name: login, uid: maker } };
      const folder = await ask(200, 'POST', '/folders', { title: 'made' }, asMaker);
      expect(folder).to.include({ createdBy: login, updatedBy: login });
      const changed = await ask(200, 'PUT', `/folders/${folder.uid}`, { title: 'changed', version: 1 });
      expect(changed).to.include({ createdBy: login, updatedBy: 'Anonymous' });
    });

    it('generates a uid if none is sent', async () => {
      const folder = await ask(200, 'POST', '/folders', { title: 'without a uid' });
      expect(folder.uid).to.match(/^[0-9a-z]{26}$/);
      expect(accepted(await resource.get(folder.uid), 200).json().spec['title']).to.equal('without a uid');
    });

    it('returns the parents, the one at the root first', async () => {
      const [first, second, third] = await chain(3);
      const folder = await ask(200, 'GET', `/folders/${third}`);
      expect(folder.parentUid).to.equal(second);
      expect(folder.parents.map(({ uid }: Json) => uid)).to.deep.equal([first, second]);
      expect(folder.parents[1].parentUid).to.equal(first);
      expect(folder.parents[0]).to.include({ uid: first, canSave: true });
    });

    it('reads the body as JSON, whatever its content type is', async () => {
      const body = JSON.stringify({ title: 'as a form' });
      await ask(200, 'POST', '/folders', body, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    });

    it('refuses a uid that exists with 412', async () => {
      const uid = fresh('twice');
      await make(uid);
      await refused(412, MISMATCH, 'POST', '/folders', { uid, title: 'again' });
    });

    it('allows the same title twice in one parent', async () => {
      await ask(200, 'POST', '/folders', { title: 'twin' });
      await ask(200, 'POST', '/folders', { title: 'twin' });
    });

    const REFUSALS: readonly (readonly [what: string, body: unknown, expected: unknown])[] = [
      ['an empty title', { title: '' }, { message: 'folder title cannot be empty' }],
      ['blanks for a title', { title: '  ' }, { message: 'folder title cannot be empty' }],
      ['no title', {}, { message: 'folder title cannot be empty' }],
      ['no body', undefined, { message: 'folder title cannot be empty' }],
      ['illegal characters in the uid', { uid: 'a b', title: 'x' }, { message: 'uid contains illegal characters' }],
      ['a uid of 41', { uid: 'x'.repeat(41), title: 'x' }, { message: 'uid too long, max 40 characters' }],
      ['the uid general', { uid: 'general', title: 'x' }, { message: 'invalid uid for folder provided' }],
      ['the uid sharedwithme', { uid: 'sharedwithme', title: 'x' }, { message: 'invalid uid for folder provided' }],
      ['the title General', { title: 'gEneral' }, { message: 'a folder with that name already exists' }],
      [
        'itself as parent',
        { uid: 'own', title: 'x', parentUid: 'own' },
        { message: 'folder cannot be parent of itself' },
      ],
      ['an unknown parent', { title: 'x', parentUid: 'nowhere' }, { message: 'parent folder not found' }],
      ['cut off JSON', '{"title":', { message: 'bad request data' }],
      ['an array', '[]', { message: 'bad request data' }],
      ['an operator for a title', { title: { $gt: '' } }, { message: 'bad request data' }],
      ['an operator for a uid', { uid: { $gt: '' }, title: 'x' }, { message: 'bad request data' }],
      ['an operator for a parent', { title: 'x', parentUid: { $ne: '' } }, { message: 'bad request data' }],
    ];
    for (const [what, body, expected] of REFUSALS) {
      it(`refuses ${what} with 400, and changes nothing`, async () => {
        const before = await server().end();
        await refused(400, expected, 'POST', '/folders', body);
        expect(await server().end()).to.equal(before);
      });
    }

    it('refuses a fifth level', async () => {
      const uids = await chain(4);
      const body = { title: 'x', parentUid: uids.at(-1) };
      const expected = structured('folder.maximum-depth-reached', 'Maximum nested folder depth reached');
      await refused(400, expected, 'POST', '/folders', body);
    });

    it('succeeds for one of several concurrent creators of a uid', async () => {
      const uid = fresh('race');
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => call('POST', '/folders', { body: { uid, title: 'x' } })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array(15).fill(412)]);
    });
  });

  describe('GET /api/folders/:uid', () => {
    it('answers 404 for an unknown folder', () => refused(404, NOT_FOUND, 'GET', '/folders/nothing-here'));

    it('finds a folder by its integer id', async () => {
      const { id, uid } = await make(fresh('number'));
      expect((await ask(200, 'GET', `/folders/id/${id}`)).uid).to.equal(uid);
      await refused(404, NOT_FOUND, 'GET', '/folders/id/999999');
      await refused(400, { message: 'id is invalid' }, 'GET', '/folders/id/one');
    });

    it('returns the permissions of the caller with accesscontrol=true', async () => {
      const { uid } = await make(fresh('control'));
      const folder = await ask(200, 'GET', `/folders/${uid}?accesscontrol=true`);
      expect(folder.accessControl).to.include({ 'folders:read': true, 'folders:write': true });
      expect(folder.accessControl).to.include({ 'alert.rules:create': true, 'library.panels:create': true });
    });

    it('has the headers of all answers of the legacy API', async () => {
      const { uid } = await make(fresh('headers'));
      const { headers } = await call('GET', `/folders/${uid}`);
      expect(headers).to.include({ 'content-type': 'application/json', 'cache-control': 'no-store' });
      expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'deny' });
      expect(headers['x-xss-protection']).to.equal('1; mode=block');
    });
  });

  describe('PUT /api/folders/:uid', () => {
    it('keeps the version if nothing differs', async () => {
      const uid = fresh('same');
      const { title } = await make(uid);
      for (const body of [
        { title, version: 1 },
        { title, overwrite: true },
      ])
        expect(await changingNothing(server(), () => ask(200, 'PUT', `/folders/${uid}`, body))).to.include({
          version: 1,
        });
    });

    it('changes the title, and increments the version', async () => {
      const uid = fresh('put');
      await make(uid);
      const folder = await ask(200, 'PUT', `/folders/${uid}`, { title: 'new', version: 1 });
      expect(folder).to.include({ uid, title: 'new', version: 2 });
    });

    it('refuses a wrong or missing version with 412', async () => {
      const uid = fresh('stale');
      await make(uid);
      await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'new', version: 7 });
      await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'new' });
      await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'new', overwrite: false });
      const { headers } = await call('PUT', `/folders/${uid}`, { body: { title: 'new' } });
      expect(headers['content-type']).to.equal('application/json; charset=UTF-8');
    });

    it('ignores the version with overwrite', async () => {
      const uid = fresh('overwrite');
      await make(uid);
      const folder = await ask(200, 'PUT', `/folders/${uid}`, { title: 'new', version: 7, overwrite: true });
      expect(folder.version).to.equal(2);
    });

    it('never moves the folder', async () => {
      const [parent, uid] = await chain(2);
      const body = { title: 'new', parentUid: '', overwrite: true };
      expect((await ask(200, 'PUT', `/folders/${uid}`, body)).parentUid).to.equal(parent);
    });

    it('answers 404 for an unknown folder, and 400 for an empty title and an invalid body', async () => {
      const uid = fresh('bad');
      await make(uid);
      await refused(404, NOT_FOUND, 'PUT', '/folders/nothing-here', { title: 'x', overwrite: true });
      const empty = { message: 'folder title cannot be empty' };
      await refused(400, empty, 'PUT', `/folders/${uid}`, { title: '', overwrite: true });
      const badRequest = { message: 'bad request data' };
      await refused(400, badRequest, 'PUT', `/folders/${uid}`, { title: 'x', version: 'one' });
      await refused(400, badRequest, 'PUT', `/folders/${uid}`, { title: 'x', overwrite: { $gt: '' } });
    });

    it('succeeds for one of several concurrent writers of a version', async () => {
      const uid = fresh('writers');
      await make(uid);
      const put = (_: unknown, i: number) => call('PUT', `/folders/${uid}`, { body: { title: `by ${i}`, version: 1 } });
      const answers = await Promise.all(Array.from({ length: 16 }, put));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(15).fill(412)]);
      expect((await ask(200, 'GET', `/folders/${uid}`)).version).to.equal(2);
    });
  });

  describe('DELETE /api/folders/:uid', () => {
    it('deletes the folder with its contents, and returns its integer id', async () => {
      const [first, , third] = await chain(3);
      const { id } = await ask(200, 'GET', `/folders/${first}`);
      expect(await ask(200, 'DELETE', `/folders/${first}`)).to.deep.equal({ message: 'Folder deleted', id });
      await refused(404, NOT_FOUND, 'GET', `/folders/${third}`);
      await refused(404, NOT_FOUND, 'DELETE', `/folders/${first}`);
    });

    it('accepts forceDeleteRules, and refuses invalid values with 400', async () => {
      const uid = fresh('forced');
      await make(uid);
      const message = 'forceDeleteRules must be true or false';
      await refused(400, { message }, 'DELETE', `/folders/${uid}?forceDeleteRules=perhaps`);
      await ask(200, 'DELETE', `/folders/${uid}?forceDeleteRules=true`);
    });
  });

  describe('POST /api/folders/:uid/move', () => {
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

    it('refuses a cycle, a fifth level, the folder itself and unknown folders', async () => {
      const uids = await chain(4);
      const other = fresh('other');
      await make(other);
      const to = (parentUid: string | undefined) => ({ parentUid });
      const circular = structured('folder.circular-reference', 'Circular reference detected');
      await refused(400, circular, 'POST', `/folders/${uids[0]}/move`, to(uids[1]));
      const deep = structured('folder.maximum-depth-reached', 'Maximum nested folder depth reached');
      await refused(400, deep, 'POST', `/folders/${uids[0]}/move`, to(other));
      const own = { message: 'folder cannot be parent of itself' };
      await refused(400, own, 'POST', `/folders/${other}/move`, to(other));
      await refused(400, { message: 'parent folder not found' }, 'POST', `/folders/${other}/move`, to('nowhere'));
      await refused(404, NOT_FOUND, 'POST', '/folders/nothing-here/move', to(other));
      await refused(400, { message: 'bad request data' }, 'POST', `/folders/${other}/move`, { parentUid: 7 });
    });
  });

  describe('GET /api/folders', () => {
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
      expect(await page('limit=x')).to.deep.equal(['a', 'b', 'c']);
      expect(await page('permission=Edit')).to.deep.equal(['a', 'b', 'c']);
    });

    it('has at most 1000 folders on a page unless limit says otherwise', async () => {
      const parent = fresh('many');
      await make(parent);
      const { registry } = server().api;
      const folder = kindNamed(registry.kinds, 'Folder');
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

  describe('together with the resource API', () => {
    it('have the same content in both APIs', async () => {
      const [parent, uid] = [fresh('both'), fresh('both')];
      await resource.make(parent, { title: 'By kubectl' });
      expect(await ask(200, 'GET', `/folders/${parent}`)).to.include({ title: 'By kubectl', version: 1 });
      const { id } = await make(uid, { parentUid: parent });
      const object = await resource.read(uid);
      expect(object.metadata.annotations?.[PARENT]).to.equal(parent);
      expect(object.metadata.labels?.['svc.app/deprecatedInternalID']).to.equal(String(id));
      await resource.move(uid, null);
      expect(await ask(200, 'GET', `/folders/${uid}`))
        .to.include({ version: 2 })
        .and.not.to.have.property('parentUid');
      await ask(200, 'DELETE', `/folders/${uid}`);
      expect((await resource.get(uid)).status).to.equal(404);
    });

    it('refuse a version that a write through the other API has made old', async () => {
      const uid = fresh('stale');
      await make(uid);
      await resource.merge(uid, { spec: { title: 'by patch' } });
      await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'late', version: 1 });
    });

    it('send writes of the legacy API to watches', async () => {
      const frames = await resource.watch({ resourceVersion: await resource.revision() });
      const uid = fresh('watched');
      await make(uid);
      await ask(200, 'PUT', `/folders/${uid}`, { title: 'changed', version: 1 });
      await ask(200, 'DELETE', `/folders/${uid}`);
      const events = await frames.take(3);
      await frames.close();
      expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
      expect(events.every(({ object }) => object.metadata.name === uid)).to.equal(true);
    });

    it('keep labels and finalizers that only Kubernetes clients write', async () => {
      const uid = fresh('labels');
      await resource.make(uid, { labels: { team: 'ops' }, finalizers: ['example.com/keep'] });
      await ask(200, 'PUT', `/folders/${uid}`, { title: 'renamed', overwrite: true });
      const { metadata } = await resource.read(uid);
      expect(metadata.labels?.['team']).to.equal('ops');
      expect(metadata.finalizers).to.deep.equal(['example.com/keep']);
      await resource.merge(uid, { metadata: { finalizers: null } });
    });
  });

  it('answers 404 in its own form for unknown paths', async () => {
    await refused(404, { message: 'Not found' }, 'GET', '/nothing-here');
    await refused(404, { message: 'Not found' }, 'PATCH', '/folders');
  });

  it('chooses the organization by header or query', async () => {
    const header = (value: string) => ({ headers: { 'x-grafana-org-id': value } });
    expect(await ask(404, 'GET', '/folders', undefined, header('99'))).to.deep.equal({
      message: 'Organization not found',
    });
    expect(await ask(400, 'GET', '/folders', undefined, header('one'))).to.deep.equal({ message: 'orgId is invalid' });
    await ask(404, 'GET', '/folders?orgId=99');
    await ask(200, 'GET', '/folders?orgId=1');
    await ask(200, 'GET', '/folders', undefined, header('1'));
  });
});

oneStore(
  'folders in the legacy API without nested folders',
  (server) => {
    const { ask, refused } = legacyOf(server);

    it('have no parents, and cannot be moved', async () => {
      const { uid } = await ask(200, 'POST', '/folders', { title: 'flat' });
      expect(await ask(200, 'GET', `/folders/${uid}`)).not.to.have.any.keys('parentUid', 'parents');
      await refused(404, { message: 'Not found' }, 'POST', `/folders/${uid}/move`, {});
      expect((await ask(200, 'GET', '/folders?parentUid=whatever')).map((one: Json) => one.uid)).to.include(uid);
    });

    it('are not deleted with hidden contents, and are found by a search without their parents', async () => {
      await server().restart({ features: { nestedFolders: true } });
      const { uid } = await ask(200, 'POST', '/folders', { title: 'outer' });
      const inner = await ask(200, 'POST', '/folders', { title: 'inner', parentUid: uid });
      await server().restart({ features: { nestedFolders: false } });
      const message = 'Folder cannot be deleted: folder is not empty';
      const refusal = { statusCode: 400, messageId: 'folder.not-empty', message, extra: null };
      await refused(400, refusal, 'DELETE', `/folders/${uid}`);
      const [found] = await ask(200, 'GET', '/search?query=inner');
      expect(found).to.include({ uid: inner.uid }).and.not.have.property('folderUid');
      await ask(200, 'DELETE', `/folders/${inner.uid}`);
      await ask(200, 'DELETE', `/folders/${uid}`);
    });
  },
  { features: { nestedFolders: false } },
);
