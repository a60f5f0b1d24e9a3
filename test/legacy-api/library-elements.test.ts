import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam, until } from '../identity/iam.js';
import { dashboardsOf } from '../resource-api/dashboards.js';
import { elementsOf } from '../resource-api/library-elements.js';
import { ELEMENTS, legacyElementsOf } from './elements.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const NOT_FOUND = { message: 'library element could not be found' };
const EXISTS = { message: 'library element with that name or UID already exists' };
const BAD = { message: 'bad request data' };

oneStore('library elements in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const dashboards = dashboardsOf(server);
  const elements = elementsOf(server);
  const path = ELEMENTS;
  const { make, get, folder, connect } = legacyElementsOf(server);

  describe('POST /api/library-elements', () => {
    // Promise: specification 1, specification 2.6, specification 4.7
    it('creates a panel, which both APIs return, with version 1, at the root', async () => {
      const uid = fresh('element');
      const model = {
        type: 'timeseries',
        title: 'Title',
        description: 'What',
        libraryPanel: { uid: 'old', name: 'Old' },
      };
      const made = await make({ uid, name: 'Requests', folderUid: '', model });
      expect(made).to.deep.include({
        orgId: 1,
        folderId: 0,
        folderUid: '',
        uid,
        name: 'Requests',
        kind: 1,
        type: 'timeseries',
        description: 'What',
        version: 1,
        model,
      });
      expect(made.id).to.be.a('number');
      expect(made.meta).to.deep.include({ folderName: 'General', folderUid: '', connectedDashboards: 0 });
      expect(made.meta.created).to.match(TIME);
      expect(made.meta.updated).to.match(TIME);
      expect(made.meta.createdBy).to.have.keys('id', 'name', 'avatarUrl');
      expect(await get(uid)).to.deep.equal(made);
      const object = bodyOf(await elements.get(uid), 200);
      expect(object.spec).to.deep.include({ name: 'Requests', kind: 1, type: 'timeseries', model: made.model });
    });

    it('does not take a user who is called system for the operator, whose name is system:admin', async () => {
      await iam(server).made('User', 'system', { login: 'system', email: 'system@example.com' });
      const user = { name: 'system:admin', uid: 'system:admin', groups: ['system:masters'], extra: {} };
      const { result } = await ask(200, 'POST', path, { name: fresh('Element'), kind: 1, model: {} }, { user });
      expect(result.meta.createdBy).to.deep.equal({ id: 0, name: 'system:admin', avatarUrl: '' });
    });

    it('leaves the model as it was sent, but fills in an empty uid of its libraryPanel', async () => {
      const plain = { type: 'text', title: 'L', description: '' };
      expect((await make({ model: plain })).model).to.deep.equal(plain);
      for (const libraryPanel of [{ uid: '', name: 'L' }, { name: 'L' }]) {
        const { uid, model } = await make({ model: { ...plain, libraryPanel } });
        expect(model).to.deep.equal({ ...plain, libraryPanel: { uid, name: 'L' } });
      }
    });

    // Promise: specification 2.6
    it('names the author', async () => {
      const { info, id, login } = await person({ role: 'Editor' });
      const body = { name: fresh('By'), kind: 1, model: {} };
      const { meta } = (await ask(200, 'POST', path, body, { user: info })).result;
      expect(meta.createdBy).to.include({ id, name: login });
      expect(meta.createdBy.avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
      expect(meta.updatedBy).to.deep.equal(meta.createdBy);
    });

    // Promise: security rights
    it('shows no picture of the author to who may not view them: it is a hash of the address', async () => {
      const [author, viewer] = [await person({ role: 'Editor' }), await person({ role: 'Viewer' })];
      const body = { name: fresh('By'), kind: 1, model: {} };
      const { uid } = (await ask(200, 'POST', path, body, { user: author.info })).result;
      const seenBy = async (options = {}) =>
        (await ask(200, 'GET', `${path}/${uid}`, undefined, options)).result.meta.createdBy;
      const by = { id: author.id, name: author.login };
      expect(await seenBy({ user: viewer.info })).to.deep.equal({ ...by, avatarUrl: '' });
      expect((await seenBy()).avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
    });

    // Promise: specification 4.7, specification 9
    it('puts an element into a folder by uid, or by number as old clients do', async () => {
      const { uid, id, title } = await folder();
      for (const place of [{ folderUid: uid }, { folderId: id }, { folderUid: uid, folderId: 0 }]) {
        const made = await make(place);
        expect(made).to.include({ folderUid: uid, folderId: id });
        expect(made.meta).to.include({ folderName: title, folderUid: uid });
      }
      for (const place of [{ folderId: 0 }, { folderUid: 'general' }, {}, { folderUid: null, folderId: null }])
        expect(await make(place)).to.include({ folderUid: '', folderId: 0 });
    });

    // Promise: specification 2.6
    it('takes the title of the model for a name that is left out, and makes a uid', async () => {
      const title = fresh('Titled');
      expect(await make({ name: undefined, model: { title } })).to.include({ name: title });
      const made = await make({ name: undefined, model: {} });
      expect(made.name).to.equal(made.uid);
      expect(made.uid).to.match(/^[a-z0-9]{26}$/);
    });

    it('ignores the id of a backup, because the uid identifies the element', async () => {
      const other = await make();
      const uid = fresh('restored');
      const made = await make({ id: other.id, uid, version: 7 });
      expect(made.id).to.not.equal(other.id);
      expect(made).to.include({ uid, version: 1 });
      expect(await get(other.uid)).to.deep.equal(other);
    });

    // Promise: specification 4.7
    it('refuses a name that is taken in the folder and kind, and a uid that is taken, with 400', async () => {
      const [{ uid: folderUid }, { uid, name }] = [await folder(), await make()];
      const refuse = (more: Json) => {
        const body = { name: fresh('x'), kind: 1, model: {}, ...more };
        return changingNothing(server(), () => refused(400, EXISTS, 'POST', path, body));
      };
      await refuse({ name });
      await refuse({ uid });
      await make({ name, kind: 2 });
      await make({ name, folderUid });
      await refuse({ name, folderUid });
    });

    // Promise: specification 2.6, specification 4.7, specification 8
    it('refuses wrong bodies, uids, kinds and folders with 400, and changes nothing', async () => {
      const good = { name: fresh('x'), kind: 1, model: {} };
      for (const [message, body] of [
        ['bad request data', { ...good, kind: undefined }],
        ['bad request data', { ...good, model: undefined }],
        ['bad request data', { ...good, model: [] }],
        ['bad request data', { ...good, name: { $gt: '' } }],
        ['bad request data', '{'],
        ['the element kind is not supported', { ...good, kind: 3 }],
        ['the element kind is not supported', { ...good, kind: 0 }],
        ['uid contains illegal characters', { ...good, uid: 'a b' }],
        ['uid too long, max 40 characters', { ...good, uid: 'x'.repeat(41) }],
        ['failed to get folder', { ...good, folderUid: 'nowhere' }],
        ['failed to get folder', { ...good, folderId: 999_999 }],
        ['failed to get folder', { ...good, folderId: -1 }],
      ] as const) {
        await changingNothing(server(), () => refused(400, { message }, 'POST', path, body));
      }
    });

    it('refuses an element that contains itself or another one with 400', async () => {
      const uid = fresh('own');
      for (const inner of [uid, 'another']) {
        const model = { type: 'row', panels: [{ id: 1, libraryPanel: { uid: inner } }] };
        const body = { uid, name: fresh('x'), kind: 1, model };
        const { message } = await changingNothing(server(), () => ask(400, 'POST', path, body));
        expect(message).to.match(/cannot be library elements/);
      }
    });

    // Promise: specification 4.7
    it('answers 403 to callers who may not create elements, or not in the folder', async () => {
      const { uid } = await folder();
      const { info, id } = await person({ role: 'None' });
      const body = { name: fresh('x'), kind: 1, model: {}, folderUid: uid };
      const denied = await ask(403, 'POST', path, body, { user: info });
      expect(denied.message).to.match(/Permissions needed: library\.panels:create$/);
      const other = await folder();
      await ask(200, 'POST', `/access-control/folders/${other.uid}/users/${id}`, { permission: 'Edit' });
      for (const folderUid of [uid, '', 'nowhere']) {
        const answer = await ask(403, 'POST', path, { ...body, folderUid }, { user: info });
        expect(answer).to.deep.equal({ message: 'access denied to folder' });
      }
      await ask(200, 'POST', path, { ...body, folderUid: other.uid }, { user: info });
    });
  });

  describe('PATCH /api/library-elements/:uid', () => {
    const patch = async (uid: string, body: Json): Promise<Json> =>
      (await ask(200, 'PATCH', `${path}/${uid}`, body)).result;

    // Promise: specification 4.7
    it('changes what it names, keeps the rest, and increments the version', async () => {
      const { uid, id, model } = await make({ model: { type: 'stat', options: { a: 1 } } });
      const name = fresh('Renamed');
      const renamed = await patch(uid, { name, kind: 1, version: 1 });
      expect(renamed).to.deep.include({ id, uid, name, version: 2, type: 'stat' });
      expect(renamed.model).to.deep.equal(model);
      const remodelled = await patch(uid, { model: { type: 'table', description: 'Rows' }, kind: 1, version: 2 });
      expect(remodelled).to.include({ name, version: 3, type: 'table', description: 'Rows' });
      expect(remodelled.model).to.not.have.property('options');
      expect(bodyOf(await elements.get(uid), 200).metadata.generation).to.equal(3);
    });

    // Promise: specification 4.7
    it('moves an element between folders and to the root, and keeps the folder if none is named', async () => {
      const [{ uid }, one] = [await make(), await folder()];
      expect(await patch(uid, { folderUid: one.uid, kind: 1, version: 1 })).to.include({
        folderUid: one.uid,
        version: 2,
      });
      expect(await patch(uid, { name: fresh('x'), kind: 1, version: 2 })).to.include({ folderUid: one.uid });
      expect(await patch(uid, { folderUid: '', kind: 1, version: 3 })).to.include({ folderUid: '', version: 4 });
      expect(await patch(uid, { folderId: one.id, kind: 1, version: 4 })).to.include({ folderUid: one.uid });
      await refused(400, { message: 'failed to get folder' }, 'PATCH', `${path}/${uid}`, {
        folderUid: 'nowhere',
        kind: 1,
        version: 5,
      });
    });

    // Promise: specification 4.7, specification 7
    it('answers 412 for another version, and changes nothing', async () => {
      const { uid } = await make();
      const message = 'the library element has been changed by someone else';
      for (const version of [0, 2])
        await changingNothing(server(), () =>
          refused(412, { message }, 'PATCH', `${path}/${uid}`, { name: 'x', kind: 1, version }),
        );
    });

    // Promise: specification 4.7
    it('answers 400 for a name that is taken there, a missing kind or version, and an unknown kind', async () => {
      const [{ uid }, { name }] = [await make(), await make()];
      for (const [expected, body] of [
        [EXISTS, { name, kind: 1, version: 1 }],
        [BAD, { name: 'x', kind: 1 }],
        [BAD, { name: 'x', version: 1 }],
        [{ message: 'the element kind is not supported' }, { kind: 9, version: 1 }],
      ] as const) {
        await changingNothing(server(), () => refused(400, expected, 'PATCH', `${path}/${uid}`, body));
      }
      await refused(404, NOT_FOUND, 'PATCH', `${path}/nothing`, { kind: 1, version: 1 });
    });

    it('gives an element another uid, unless it is taken, or dashboards use the element', async () => {
      const [one, other] = [await make(), await make()];
      const uid = fresh('renamed');
      const body = { uid, kind: 1, version: 1 };
      await refused(400, EXISTS, 'PATCH', `${path}/${one.uid}`, { ...body, uid: other.uid });
      await refused(400, { message: 'uid contains illegal characters' }, 'PATCH', `${path}/${one.uid}`, {
        ...body,
        uid: 'a b',
      });
      const renamed = await patch(one.uid, body);
      expect(renamed).to.include({ uid, name: one.name });
      expect(renamed.model).to.deep.equal(one.model);
      await refused(404, NOT_FOUND, 'GET', `${path}/${one.uid}`);
      await connect(uid);
      const message = 'the library element has connections';
      await refused(403, { message }, 'PATCH', `${path}/${uid}`, {
        ...body,
        uid: fresh('again'),
        version: renamed.version,
      });
    });

    // Promise: specification 4.7
    it('answers 403 to callers who may view the element, but not change it or move it there', async () => {
      const [one, other] = [await folder(), await folder()];
      const { uid } = await make({ folderUid: one.uid });
      const { info, id } = await person();
      const body = { kind: 1, version: 1, folderUid: other.uid };
      const denied = await ask(403, 'PATCH', `${path}/${uid}`, body, { user: info });
      expect(denied.message).to.match(/Permissions needed: library\.panels:write$/);
      await ask(200, 'POST', `/access-control/folders/${one.uid}/users/${id}`, { permission: 'Edit' });
      const there = await ask(403, 'PATCH', `${path}/${uid}`, body, { user: info });
      expect(there).to.deep.equal({ message: 'access denied to folder' });
    });
  });

  describe('DELETE /api/library-elements/:uid', () => {
    // Promise: specification 4.7
    it('deletes an element, in both APIs, and answers 404 for an unknown one', async () => {
      const { uid, id } = await make();
      expect(await ask(200, 'DELETE', `${path}/${uid}`)).to.deep.equal({ message: 'Library element deleted', id });
      expect((await elements.get(uid)).status).to.equal(404);
      await refused(404, NOT_FOUND, 'DELETE', `${path}/${uid}`);
    });

    // Promise: specification 4.7
    it('answers 403 while a dashboard uses the element, and changes nothing', async () => {
      const { uid } = await make();
      const { metadata } = await connect(uid);
      const message = 'the library element has connections';
      await changingNothing(server(), () => refused(403, { message }, 'DELETE', `${path}/${uid}`));
      await dashboards.remove(metadata.name);
      await ask(200, 'DELETE', `${path}/${uid}`);
    });

    it('an element that a dashboard uses does not keep its organization', async () => {
      const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('Organization') });
      const within = { headers: { 'x-grafana-org-id': String(orgId) } };
      const uid = fresh('element');
      await ask(200, 'POST', path, { uid, name: uid, kind: 1, model: {} }, within);
      const panels = [{ id: 1, libraryPanel: { uid } }];
      await ask(200, 'POST', '/dashboards/db', { dashboard: { title: uid, panels } }, within);
      await ask(200, 'DELETE', `/orgs/${orgId}`);
      await until(async () => (await iam(server).get('Organization', `org-${orgId}`)).status === 404);
    });
  });
});
