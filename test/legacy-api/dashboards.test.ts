import { expect } from 'chai';
import { changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const NOT_FOUND = { message: 'Dashboard not found' };

oneStore('dashboards in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const people = peopleOf(server);
  const save = (dashboard: Json, more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/dashboards/db', { dashboard, ...more });
  const newFolder = (more: Json = {}): Promise<Json> =>
    ask(200, 'POST', '/folders', { title: fresh('Folder'), ...more });
  const bind = (items: Json, path: string): Promise<Json> => ask(200, 'POST', `${path}/permissions`, { items });

  describe('GET /api/dashboards/uid/:uid', () => {
    it('answers with the dashboard, and with what is known about it', async () => {
      const folder = await newFolder();
      const title = fresh('Shown');
      const { uid, id, url } = await save({ title, panels: [] }, { folderUid: folder.uid });
      const { dashboard, meta } = await ask(200, 'GET', `/dashboards/uid/${uid}`);
      expect(dashboard).to.deep.equal({ title, panels: [], id, uid, version: 1 });
      expect(meta).to.include({ type: 'db', isFolder: false, url, slug: title.toLowerCase(), version: 1 });
      expect(meta).to.include({ folderId: folder.id, folderUid: folder.uid, folderTitle: folder.title });
      expect(meta.folderUrl).to.equal(folder.url);
      expect(meta).to.include({ canSave: true, canEdit: true, canAdmin: true, canDelete: true, canStar: true });
      expect(meta).to.include({ hasAcl: false, isStarred: false, createdBy: 'Anonymous', updatedBy: 'Anonymous' });
      expect(meta.created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(meta).to.not.have.property('accessControl');
      await refused(404, NOT_FOUND, 'GET', '/dashboards/uid/none');
    });

    it('names the root as existing clients expect it', async () => {
      const { uid } = await save({ title: fresh('Root') });
      const { meta } = await ask(200, 'GET', `/dashboards/uid/${uid}`);
      expect(meta).to.include({ folderId: 0, folderUid: '', folderTitle: 'General', folderUrl: '' });
    });

    it('tells what the caller may do', async () => {
      const { uid } = await save({ title: fresh('Rights') });
      const { info } = await people.person({ role: 'Viewer' });
      const path = `/dashboards/uid/${uid}?accesscontrol=true`;
      const { meta } = await ask(200, 'GET', path, undefined, { user: info });
      expect(meta).to.include({ canSave: false, canEdit: false, canAdmin: false, canDelete: false, canStar: true });
      expect(meta.accessControl).to.deep.equal({ 'dashboards:read': true, 'annotations:read': true });
      expect((await ask(200, 'GET', path)).meta.accessControl).to.include({ 'dashboards:write': true });
    });

    it('does not tell the title of a folder that the caller may not view', async () => {
      const folder = await newFolder();
      const { uid } = await save({ title: fresh('Single') }, { folderUid: folder.uid });
      const { id, info } = await people.person({ role: 'None' });
      await refusedTo(info, uid);
      await bind([{ userId: id, permission: 1 }], `/dashboards/uid/${uid}`);
      const { meta } = await ask(200, 'GET', `/dashboards/uid/${uid}`, undefined, { user: info });
      expect(meta).to.include({ folderTitle: 'redacted', folderId: 0, folderUrl: '' });
    });

    const refusedTo = async (user: Json, uid: string): Promise<void> => {
      for (const one of [uid, 'none']) await ask(403, 'GET', `/dashboards/uid/${one}`, undefined, { user });
    };
  });

  describe('DELETE /api/dashboards/uid/:uid', () => {
    it('deletes the dashboard with the permissions on it', async () => {
      const title = fresh('Deleted');
      const { uid, id } = await save({ title });
      const { id: userId } = await people.person({ role: 'None' });
      await bind([{ userId, permission: 1 }], `/dashboards/uid/${uid}`);
      const answer = await ask(200, 'DELETE', `/dashboards/uid/${uid}`);
      expect(answer).to.deep.equal({ title, id, uid, message: `Dashboard ${title} deleted` });
      await refused(404, NOT_FOUND, 'GET', `/dashboards/uid/${uid}`);
      await changingNothing(server(), () => refused(404, NOT_FOUND, 'DELETE', `/dashboards/uid/${uid}`));
      await save({ uid, title });
      expect((await ask(200, 'GET', `/dashboards/uid/${uid}`)).meta.hasAcl).to.equal(false);
    });
  });

  it('are deleted with the folders above them, which count them', async () => {
    const outer = await newFolder();
    const inner = await newFolder({ parentUid: outer.uid });
    const { uid } = await save({ title: fresh('Within') }, { folderUid: inner.uid });
    await save({ title: fresh('Within') }, { folderUid: outer.uid });
    expect(await ask(200, 'GET', `/folders/${outer.uid}/counts`)).to.include({ dashboard: 2, folder: 1 });
    const { id, info } = await people.person({ role: 'None' });
    await bind([{ userId: id, permission: 1 }], `/folders/${inner.uid}`);
    expect(await ask(200, 'GET', `/folders/${inner.uid}/counts`, undefined, { user: info })).to.include({
      dashboard: 1,
    });
    await ask(200, 'DELETE', `/folders/${outer.uid}`);
    await refused(404, NOT_FOUND, 'GET', `/dashboards/uid/${uid}`);
  });

  describe('GET /api/dashboards/tags', () => {
    it('counts the dashboards that the caller may view by their tags', async () => {
      const { uid: folderUid } = await newFolder();
      const [first, second] = [fresh('tag'), fresh('tag')];
      await save({ title: fresh('Tagged'), tags: [second, first] }, { folderUid });
      await save({ title: fresh('Tagged'), tags: [second] });
      const own = async (options = {}): Promise<Json> => {
        const tags = await ask(200, 'GET', '/dashboards/tags', undefined, options);
        return tags.filter(({ term }: Json) => [first, second].includes(term));
      };
      expect(await own()).to.deep.equal([
        { term: first, count: 1 },
        { term: second, count: 2 },
      ]);
      const { id, info } = await people.person({ role: 'None' });
      expect(await ask(200, 'GET', '/dashboards/tags', undefined, { user: info })).to.deep.equal([]);
      await bind([{ userId: id, permission: 1 }], `/folders/${folderUid}`);
      expect((await own({ user: info })).map(({ count }: Json) => count)).to.deep.equal([1, 1]);
    });
  });

  describe('GET /api/dashboards/home', () => {
    const home = async (user: Json): Promise<Json> => ask(200, 'GET', '/dashboards/home', undefined, { user });

    it('is a built-in dashboard without preferences', async () => {
      const { info } = await people.person();
      const { meta, dashboard } = await home(info);
      expect(meta).to.include({ isHome: true, canSave: false, folderTitle: 'General', isFolder: false });
      expect(dashboard).to.include({ title: 'Home' });
    });

    it('is the one of the user, otherwise of a team, otherwise of the organization', async () => {
      const { info, id } = await people.person();
      const [own, teams, everybodys] = [
        await save({ title: fresh('H') }),
        await save({ title: fresh('H') }),
        await save({ title: fresh('H') }),
      ];
      const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('Team') });
      await ask(200, 'POST', `/teams/${teamId}/members`, { userId: id });
      const set = ({ uid }: Json, path: string, options = {}) =>
        ask(200, 'PUT', `${path}/preferences`, { homeDashboardUID: uid }, options);
      await set(everybodys, '/org');
      expect(await home(info)).to.deep.equal({ redirectUri: everybodys.url });
      await set(teams, `/teams/${teamId}`);
      expect(await home(info)).to.deep.equal({ redirectUri: teams.url });
      await set(own, '/user', { user: info });
      expect(await home(info)).to.deep.equal({ redirectUri: own.url });
      await ask(200, 'DELETE', `/dashboards/uid/${own.uid}`);
      expect(await home(info)).to.deep.equal({ redirectUri: teams.url });
      const { info: stranger } = await people.person({ role: 'None' });
      expect((await home(stranger)).meta.isHome).to.equal(true);
      await set({ uid: '' }, '/org');
    });
  });

  describe('POST /api/dashboards/import', () => {
    const at = (name: string): string => `$\{${name}}`;
    const exported = (title: string): Json => ({
      __inputs: [{ name: 'DS_METRICS', type: 'datasource' }],
      __requires: [{ type: 'panel', id: 'graph' }],
      __elements: {},
      id: 77,
      title,
      panels: [
        { datasource: { uid: at('DS_METRICS') }, expr: `${at('DS_METRICS')} ${at('other')} $DS_METRICS`, width: 7 },
      ],
    });

    // Promise: specification 4.11
    it('warns of inputs that the dashboard has not, and refuses two values of one', async () => {
      const dashboard = { title: fresh('Imported'), text: at('USED') };
      const inputs = ['USED', 'OTHER'].map((name) => ({ name, value: name }));
      const { status, headers } = await call('POST', '/dashboards/import', { body: { dashboard, inputs } });
      expect([status, `${headers['warning']}`]).to.deep.equal([
        200,
        '299 - "ignored input \\"OTHER\\": the dashboard has none"',
      ]);
      const twice = [...inputs, { name: 'USED', value: 'again' }];
      const { message } = await ask(400, 'POST', '/dashboards/import', { dashboard, inputs: twice });
      expect(message).to.equal('Dashboard input with two values: USED');
    });

    it('fills in the inputs of an exported dashboard', async () => {
      const { uid: folderUid, id: folderId } = await newFolder();
      const title = fresh('Imported');
      const inputs = [{ name: 'DS_METRICS', type: 'datasource', pluginId: 'prometheus', value: 'metrics$&' }];
      const answer = await ask(200, 'POST', '/dashboards/import', { dashboard: exported(title), folderUid, inputs });
      expect(answer).to.include({ title, imported: true, folderUid, folderId, revision: 1 });
      expect(answer.importedUrl).to.equal(`/d/${answer.uid}/${title.toLowerCase()}`);
      const { dashboard } = await ask(200, 'GET', `/dashboards/uid/${answer.uid}`);
      const { id: dashboardId, uid, version: _, ...rest } = dashboard;
      expect({ dashboardId, uid }).to.deep.equal({ dashboardId: answer.dashboardId, uid: answer.uid });
      const expr = `metrics$& ${at('other')} $DS_METRICS`;
      expect(rest).to.deep.equal({ title, panels: [{ datasource: { uid: 'metrics$&' }, expr, width: 7 }] });
    });

    // Promise: specification 4.11
    it('makes the library elements that do not exist, in the folder of the dashboard', async () => {
      const { uid: folderUid } = await newFolder();
      const [lib, kept] = [fresh('lib'), fresh('kept')];
      const element = (uid: string): Json => ({
        uid,
        name: `Name of ${uid}`,
        kind: 1,
        model: { type: 'text', title: uid, datasource: { uid: at('DS_METRICS') } },
      });
      await ask(200, 'POST', '/library-elements', { uid: kept, name: 'Before', kind: 1, model: { type: 'stat' } });
      const panels = [lib, kept].map((uid, id) => ({ id, libraryPanel: { uid, name: uid } }));
      const inputs = [{ name: 'DS_METRICS', value: 'metrics' }];
      const dashboard = {
        ...exported(fresh('With')),
        panels,
        __elements: { [lib]: element(lib), [kept]: element(kept) },
      };
      const { uid } = await ask(200, 'POST', '/dashboards/import', { dashboard, folderUid, inputs });
      expect((await ask(200, 'GET', `/dashboards/uid/${uid}`)).dashboard).to.not.have.property('__elements');
      const { result } = await ask(200, 'GET', `/library-elements/${lib}`);
      expect(result).to.include({ uid: lib, name: `Name of ${lib}`, kind: 1, type: 'text', folderUid });
      expect(result.model.datasource).to.deep.equal({ uid: 'metrics' });
      expect(result.meta.connectedDashboards).to.equal(1);
      expect((await ask(200, 'GET', `/library-elements/${kept}`)).result).to.include({ name: 'Before', version: 1 });
      // Older exports have an array.
      const older = fresh('older');
      await ask(200, 'POST', '/dashboards/import', {
        dashboard: { title: fresh('Older'), __elements: [element(older)] },
      });
      expect((await ask(200, 'GET', `/library-elements/${older}`)).result).to.include({ folderUid: '' });
    });

    // Promise: specification 4.11
    it('makes neither the dashboard nor an element if one of them is refused', async () => {
      const { uid: folderUid } = await newFolder();
      await ask(200, 'POST', '/library-elements', { folderUid, name: 'Taken', kind: 1, model: {} });
      const bodies: readonly (readonly [string, Json])[] = [
        ['library element with that name or UID already exists', { [fresh('lib')]: { name: 'Taken', model: {} } }],
        ['uid contains illegal characters', [{ uid: '', name: 'None', model: {} }]],
        ['the element kind is not supported', { [fresh('lib')]: { name: 'Other', kind: 3, model: {} } }],
        ['bad request data', { [fresh('lib')]: { name: 'No model' } }],
        ['bad request data', 'text'],
      ];
      for (const [message, __elements] of bodies) {
        await changingNothing(server(), () =>
          refused(400, { message }, 'POST', '/dashboards/import', {
            folderUid,
            dashboard: {
              title: fresh('Refused'),
              __elements:
                Array.isArray(__elements) || typeof __elements === 'string'
                  ? __elements
                  : { [fresh('fine')]: { name: fresh('Fine'), model: {} }, ...__elements },
            },
          }),
        );
      }
    });

    it('needs the permission to create library elements in the folder, if one is missing', async () => {
      const { uid: folderUid } = await newFolder();
      const dashboard = { title: fresh('Alone'), uid: fresh('alone') };
      await ask(200, 'POST', '/dashboards/db', { dashboard, folderUid });
      const { id, info } = await people.person({ role: 'None' });
      await bind([{ userId: id, permission: 2 }], `/dashboards/uid/${dashboard.uid}`);
      const body = {
        dashboard: { ...dashboard, __elements: { [fresh('lib')]: { model: {} } } },
        folderUid,
        overwrite: true,
      };
      await changingNothing(server(), () => ask(403, 'POST', '/dashboards/import', body, { user: info }));
      await ask(200, 'POST', '/dashboards/import', { ...body, dashboard }, { user: info });
    });

    // Promise: specification 4.12
    it('refuses a missing input, a taken title, and what becomes too large', async () => {
      const title = fresh('Imported');
      const refusedImport = (status: number, body: Json): Promise<Json> =>
        changingNothing(server(), () => ask(status, 'POST', '/dashboards/import', body));
      const missing = await refusedImport(400, { dashboard: exported(title), inputs: [] });
      expect(missing).to.deep.equal({ message: 'Dashboard input missing: DS_METRICS' });
      const { uid } = await ask(200, 'POST', '/dashboards/import', { dashboard: { title } });
      expect(await refusedImport(412, { dashboard: { title } })).to.include({ status: 'name-exists' });
      const again = await ask(200, 'POST', '/dashboards/import', { dashboard: { title }, overwrite: true });
      expect(again.uid).to.equal(uid);
      const inputs = [{ name: 'A', value: 'x'.repeat(10_000) }];
      await refusedImport(413, { dashboard: { title: 'Large', text: at('A').repeat(1000) }, inputs });
      // Each placeholder takes time, however short its value is.
      await refusedImport(413, {
        dashboard: { title: 'Many', text: at('A').repeat(70_000) },
        inputs: [{ name: 'A', value: '' }],
      });
      await refusedImport(413, { dashboard: { title: 'Many', text: at('B').repeat(70_000) } });
      await refusedImport(400, { dashboard: null });
    });
  });

  describe('permissions', () => {
    // Promise: specification 4.11
    it('are read and set by the number of the dashboard, too, as older clients do', async () => {
      const { uid, id } = await save({ title: fresh('Numbered') });
      const one = await people.person({ role: 'None' });
      await bind([{ userId: one.id, permission: 2 }], `/dashboards/id/${id}`);
      const listed = await ask(200, 'GET', `/dashboards/id/${id}/permissions`);
      expect(listed.map(({ userId, permission }: Json) => [userId, permission])).to.deep.equal([[one.id, 2]]);
      expect(await ask(200, 'GET', `/dashboards/uid/${uid}/permissions`)).to.deep.equal(listed);
      for (const unknown of ['999999', '0'])
        expect(await ask(404, 'GET', `/dashboards/id/${unknown}/permissions`)).to.include({
          message: 'Dashboard not found',
        });
    });

    // Promise: specification 4.11
    it('are those on the dashboard, and those on the folders above it', async () => {
      const outer = await newFolder();
      const inner = await newFolder({ parentUid: outer.uid });
      const { uid, id } = await save({ title: fresh('Guarded') }, { folderUid: inner.uid });
      const [one, other] = [await people.person({ role: 'None' }), await people.person({ role: 'None' })];
      await ask(200, 'POST', `/access-control/folders/${inner.uid}/users/${one.id}`, { permission: 'Edit' });
      const answer = await bind([{ userId: other.id, permission: 4 }], `/dashboards/uid/${uid}`);
      expect(answer).to.deep.equal({ message: 'Dashboard permissions updated' });
      const listed = await ask(200, 'GET', `/dashboards/uid/${uid}/permissions`);
      const fields = ({ userId, role, permissionName, inherited, isFolder }: Json) => [
        userId,
        role,
        permissionName,
        inherited,
        isFolder,
      ];
      expect(listed.map(fields)).to.deep.equal([
        [other.id, undefined, 'Admin', false, false],
        [one.id, undefined, 'Edit', true, true],
        [0, 'Editor', 'Edit', true, true],
        [0, 'Viewer', 'View', true, true],
      ]);
      expect(listed[0]).to.include({ uid, dashboardId: id });
      expect(listed[1]).to.include({ uid: inner.uid, folderId: inner.id });
      expect((await ask(200, 'GET', `/dashboards/uid/${uid}`)).meta.hasAcl).to.equal(true);
      const seen = await ask(200, 'GET', `/dashboards/uid/${uid}/permissions`, undefined, { user: other.info });
      // The caller may view neither the folder nor the person.
      expect(seen[1]).to.include({ uid: 'redacted', title: 'redacted', userId: 0 });
      await bind([], `/dashboards/uid/${uid}`);
      await ask(403, 'GET', `/dashboards/uid/${uid}`, undefined, { user: other.info });
      await ask(200, 'GET', `/dashboards/uid/${uid}`, undefined, { user: one.info });
    });

    it('are changed one by one', async () => {
      const { uid } = await save({ title: fresh('Guarded') });
      const { id, info } = await people.person({ role: 'None' });
      const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('Team') });
      const path = `/access-control/dashboards/${uid}`;
      const set = (subject: string, permission: string): Promise<Json> =>
        ask(200, 'POST', `${path}/${subject}`, { permission });
      expect(await set(`users/${id}`, 'Edit')).to.deep.equal({ message: 'Permission updated' });
      expect((await ask(200, 'GET', `/dashboards/uid/${uid}`, undefined, { user: info })).meta.canSave).to.equal(true);
      await set(`teams/${teamId}`, 'View');
      await set('builtInRoles/Viewer', 'Edit');
      const listed = await ask(200, 'GET', path);
      expect(listed.map(({ permission }: Json) => permission)).to.have.members(['Edit', 'View', 'Edit', 'Edit']);
      expect(listed[0].actions).to.include('dashboards:read').and.not.include('folders:read');
      expect(await set(`users/${id}`, '')).to.deep.equal({ message: 'Permission removed' });
      await ask(403, 'GET', `/dashboards/uid/${uid}`, undefined, { user: info });
      await refused(404, NOT_FOUND, 'POST', '/access-control/dashboards/none/users/1', { permission: 'View' });
      await refused(400, { message: 'invalid permission' }, 'POST', `${path}/users/${id}`, { permission: 'Own' });
    });
  });
});
