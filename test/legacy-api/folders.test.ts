import { expect } from 'chai';
import { accepted, changingNothing } from '../harness/resource.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf } from '../resource-api/folders.js';
import { legacyFoldersOf, MISMATCH, MISSING, NOT_FOUND, TOO_DEEP } from './folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';

oneStore('folders in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { make, chain } = legacyFoldersOf(server);
  const resource = foldersOf(server);

  describe('POST /api/folders', () => {
    // Promise: specification 2.2, specification 4.2
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

    // Promise: specification 2.2
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

    // Promise: specification 2.2
    it('generates a uid if none is sent', async () => {
      const folder = await ask(200, 'POST', '/folders', { title: 'without a uid' });
      expect(folder.uid).to.match(/^[0-9a-z]{26}$/);
      expect(accepted(await resource.get(folder.uid), 200).json().spec['title']).to.equal('without a uid');
    });

    // Promise: specification 1, specification 2.2
    it('returns the parents, the one at the root first', async () => {
      const [first, second, third] = await chain(3);
      const folder = await ask(200, 'GET', `/folders/${third}`);
      expect(folder.parentUid).to.equal(second);
      expect(folder.parents.map(({ uid }: Json) => uid)).to.deep.equal([first, second]);
      expect(folder.parents[1].parentUid).to.equal(first);
      expect(folder.parents[0]).to.include({ uid: first, canSave: true });
    });

    // Promise: specification 4
    it('reads the body as JSON, whatever its content type is', async () => {
      const body = JSON.stringify({ title: 'as a form' });
      await ask(200, 'POST', '/folders', body, { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    });

    // Promise: specification 4.2, specification 7
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
      // Promise: specification 2.2, specification 4.2, specification 8
      it(`refuses ${what} with 400, and changes nothing`, async () => {
        const before = await server().end();
        await refused(400, expected, 'POST', '/folders', body);
        expect(await server().end()).to.equal(before);
      });
    }

    it('refuses a fifth level', async () => {
      const uids = await chain(4);
      const body = { title: 'x', parentUid: uids.at(-1) };
      await refused(400, TOO_DEEP, 'POST', '/folders', body);
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
    // Promise: specification 4.2, specification 7
    it('answers 404 for an unknown folder', () => refused(404, NOT_FOUND, 'GET', '/folders/nothing-here'));

    // Promise: specification 9
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
    // Promise: specification 2.10
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

    // Promise: specification 2.2, specification 4.2
    it('changes the title, and increments the version', async () => {
      const uid = fresh('put');
      await make(uid);
      const folder = await ask(200, 'PUT', `/folders/${uid}`, { title: 'new', version: 1 });
      expect(folder).to.include({ uid, title: 'new', version: 2 });
    });

    // Promise: specification 4.2, specification 4.12, specification 7
    it('refuses a wrong or missing version with 412', async () => {
      const uid = fresh('stale');
      await make(uid);
      await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'new', version: 7 });
      await refused(412, MISSING, 'PUT', `/folders/${uid}`, { title: 'new' });
      await refused(412, MISSING, 'PUT', `/folders/${uid}`, { title: 'new', overwrite: false });
      const { headers } = await call('PUT', `/folders/${uid}`, { body: { title: 'new' } });
      expect(headers['content-type']).to.equal('application/json; charset=UTF-8');
    });

    // Promise: specification 4.2
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

    // Promise: specification 4.2
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
    // Promise: specification 4.2
    it('deletes the folder with its contents, and returns its integer id', async () => {
      const [first, , third] = await chain(3);
      const { id } = await ask(200, 'GET', `/folders/${first}`);
      expect(await ask(200, 'DELETE', `/folders/${first}`)).to.deep.equal({ message: 'Folder deleted', id });
      await refused(404, NOT_FOUND, 'GET', `/folders/${third}`);
      await refused(404, NOT_FOUND, 'DELETE', `/folders/${first}`);
    });

    // Promise: specification 4.2
    it('accepts forceDeleteRules, and refuses invalid values with 400', async () => {
      const uid = fresh('forced');
      await make(uid);
      const message = 'forceDeleteRules must be true or false';
      await refused(400, { message }, 'DELETE', `/folders/${uid}?forceDeleteRules=perhaps`);
      await ask(200, 'DELETE', `/folders/${uid}?forceDeleteRules=true`);
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
