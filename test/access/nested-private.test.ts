import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { eachStore, oneStore } from '../harness/stores.js';
import {
  ADMINISTRATOR,
  addPeople,
  addPerson,
  addTeam,
  addTeamMember,
  bind,
  bindingSpec,
  DASHBOARDS,
  EDITOR,
  FOLDER,
  FOLDERS,
  folderBody,
  HERE,
  namesOf,
  PRIVATE,
  person,
  unbind,
  VIEWER,
} from './people.js';
import { annotate, dashboard, folder, make, status } from './private.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const NS = 'namespaces/default';
const ELEMENTS = `/apis/dashboard.svc.app/v1beta1/${NS}/libraryelements`;
const ANNOTATIONS = `/apis/annotation.svc.app/v1beta1/${NS}/annotations`;
const TESS = person('tess');

eachStore('a private folder inside a folder', (server) => {
  const get = (path: string, user: UserInfo) => status(server().call('GET', path, { user }));

  before(async () => {
    await addPeople(server());
    await addPerson(server(), 'tess', 'Viewer');
    await addTeam(server(), 'crew');
    await addTeamMember(server(), 'crew', 'tess');
    await folder(server(), 'top');
    await folder(server(), 'mid', { [FOLDER]: 'top', ...PRIVATE });
    await folder(server(), 'low', { [FOLDER]: 'mid' });
    await folder(server(), 'aside', { [FOLDER]: 'top' });
    await dashboard(server(), 'low-dash', { [FOLDER]: 'low' });
    await dashboard(server(), 'alone-dash', { [FOLDER]: 'top', ...PRIVATE });
    await dashboard(server(), 'top-dash', { [FOLDER]: 'top' });
    const element = { name: 'low-lib', kind: 1, model: { type: 'text' } };
    await make(server(), ELEMENTS, 'LibraryElement', 'low-lib', { [FOLDER]: 'low' }, element);
    const note = { text: 'note', time: 1, dashboardUID: 'low-dash' };
    await make(server(), ANNOTATIONS, 'Annotation', 'low-note', {}, note);
  });

  it('takes the basic roles from all below it, and what a team has on a folder above still holds', async () => {
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'top' });
    const paths = [
      `${FOLDERS}/mid`,
      `${FOLDERS}/low`,
      `${DASHBOARDS}/low-dash`,
      `${DASHBOARDS}/alone-dash`,
      `${ELEMENTS}/low-lib`,
      `${ANNOTATIONS}/low-note`,
      '/api/folders/low',
      '/api/dashboards/uid/low-dash',
    ];
    for (const path of paths) {
      const answers = await Promise.all([VIEWER, EDITOR, TESS, ADMINISTRATOR].map((user) => get(path, user)));
      expect(answers.slice(2), path).to.deep.equal([200, 200]);
      for (const one of answers.slice(0, 2)) expect(one, path).to.be.oneOf([403, 404]);
    }
    for (const path of [`${FOLDERS}/top`, `${FOLDERS}/aside`, `${DASHBOARDS}/top-dash`])
      expect(await get(path, VIEWER), path).to.equal(200);
    await unbind(server(), 'crew');
    expect(await get(`${DASHBOARDS}/low-dash`, TESS)).to.equal(403);
  });

  it('is left out of lists, searches and counts, with all that lies in it', async () => {
    for (const user of [VIEWER, EDITOR]) {
      expect(await namesOf(server().call('GET', FOLDERS, { user }))).to.deep.equal(['aside', 'top']);
      expect(await namesOf(server().call('GET', DASHBOARDS, { user }))).to.deep.equal(['top-dash']);
      for (const path of [ELEMENTS, ANNOTATIONS])
        expect(await namesOf(server().call('GET', path, { user }))).to.deep.equal([]);
      const found = await server().call('GET', '/api/search', { user });
      const uids = (JSON.parse(found.text) as { uid: string }[]).map(({ uid }) => uid).sort();
      expect(uids).to.deep.equal(['aside', 'top', 'top-dash']);
      const counts = JSON.parse((await server().call('GET', '/api/folders/top/counts', { user })).text);
      expect(counts).to.include({ folder: 1, dashboard: 1, library_elements: 0 });
      const inside = await server().call('GET', '/api/folders', { user, query: { parentUid: 'top' } });
      expect((JSON.parse(inside.text) as { uid: string }[]).map(({ uid }) => uid)).to.deep.equal(['aside']);
    }
    expect(await namesOf(server().call('GET', FOLDERS, { user: ADMINISTRATOR }))).to.have.length(4);
  });

  it('is made public, moved and made private with everything in it', async () => {
    const low = () => Promise.all([`${FOLDERS}/low`, `${DASHBOARDS}/low-dash`].map((path) => get(path, VIEWER)));
    const change = async (path: string, annotations: Readonly<Record<string, string | null>>) =>
      expect(await status(annotate(server(), path, annotations))).to.equal(200);
    await change(`${FOLDERS}/mid`, { 'svc.app/basic-roles': null });
    expect(await low()).to.deep.equal([200, 200]);
    await change(`${FOLDERS}/mid`, PRIVATE);
    expect(await low()).to.deep.equal([403, 403]);
    await change(`${FOLDERS}/low`, { [FOLDER]: 'aside' });
    expect(await low()).to.deep.equal([200, 200]);
    await change(`${FOLDERS}/low`, { [FOLDER]: 'mid' });
    expect(await low()).to.deep.equal([403, 403]);
  });
});

oneStore('what is private inside a folder', (server) => {
  const get = (path: string, user: UserInfo) => status(server().call('GET', path, { user }));
  const merge = (path: string, annotations: Readonly<Record<string, string | null>>, user?: UserInfo) =>
    annotate(server(), path, annotations, user);

  before(async () => {
    await addPeople(server());
    await addPerson(server(), 'tess', 'Viewer');
    await addTeam(server(), 'crew');
    await addTeamMember(server(), 'crew', 'tess');
    await folder(server(), 'top');
    await folder(server(), 'mid', { [FOLDER]: 'top', ...PRIVATE });
    await folder(server(), 'low', { [FOLDER]: 'mid' });
    await dashboard(server(), 'low-dash', { [FOLDER]: 'low' });
  });

  it('is not reached by what a basic role has on a folder above, but by what it has on the private one', async () => {
    await bind(server(), 'above', { subject: ['BasicRole', 'Viewer'], role: ['BuiltIn', 'Edit'], folder: 'top' });
    expect(await get(`${FOLDERS}/low`, VIEWER)).to.equal(403);
    expect(await status(merge(`${FOLDERS}/top`, { x: 'y' }, VIEWER))).to.equal(200);
    await bind(server(), 'on', { subject: ['BasicRole', 'Viewer'], role: ['BuiltIn', 'View'], folder: 'mid' });
    expect(await get(`${FOLDERS}/low`, VIEWER)).to.equal(200);
    expect(await namesOf(server().call('GET', FOLDERS, { user: VIEWER }))).to.deep.equal(['low', 'mid', 'top']);
    expect(await status(merge(`${FOLDERS}/low`, { x: 'y' }, VIEWER))).to.equal(403);
    for (const name of ['above', 'on']) await unbind(server(), name);
  });

  // Promise: security rights
  it('is neither deleted nor moved with the folder around it by callers who may not', async () => {
    const refused = async (method: string, path: string, body?: object) => {
      const headers = method === 'PATCH' ? MERGE : {};
      const answer = await server().call(method, path, { user: EDITOR, headers, ...(body && { body }) });
      expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(403);
      return answer.text;
    };
    await folder(server(), 'target');
    expect(await refused('DELETE', `${FOLDERS}/top`)).to.contain('something private lies in it');
    await refused('DELETE', '/api/folders/top');
    await refused('PATCH', `${FOLDERS}/top`, { metadata: { annotations: { [FOLDER]: 'target' } } });
    await refused('POST', '/api/folders/top/move', { parentUid: 'target' });
    await bind(server(), 'edith', { subject: ['User', 'edith'], role: ['BuiltIn', 'Edit'], folder: 'mid' });
    expect(await status(merge(`${FOLDERS}/top`, { [FOLDER]: 'target' }, EDITOR))).to.equal(200);
    expect(await status(merge(`${FOLDERS}/top`, { [FOLDER]: null }, EDITOR))).to.equal(200);
    await unbind(server(), 'edith');
  });

  // Promise: security rights
  it('is not opened to a caller by a move of the folder around it into one of their own', async () => {
    await folder(server(), 'own');
    const permissions = [
      { action: 'folders:write', scope: 'folders:*' },
      { action: 'folders:create', scope: 'folders:*' },
    ];
    const role = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'Role',
      metadata: { name: 'mover' },
      spec: { permissions },
    };
    expect(await status(server().call('POST', `${HERE}/roles`, { body: role }))).to.equal(201);
    await bind(server(), 'moves', { subject: ['User', 'edith'], role: ['Role', 'mover'] });
    await bind(server(), 'views', { subject: ['User', 'edith'], role: ['BuiltIn', 'View'], folder: 'own' });
    const answer = await merge(`${FOLDERS}/top`, { [FOLDER]: 'own' }, EDITOR);
    expect([answer.status, answer.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 403 && text.includes('more permissions in the destination'),
    );
    for (const name of ['moves', 'views']) await unbind(server(), name);
  });

  it('is not opened by a basic role that administers the folder above, but by the administrators of that', async () => {
    await bind(server(), 'admins', { subject: ['BasicRole', 'Editor'], role: ['BuiltIn', 'Admin'], folder: 'top' });
    const give = (name: string, subject: readonly [string, string], user: UserInfo) => {
      const spec = bindingSpec({ subject, role: ['BuiltIn', 'View'], folder: 'top' });
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name }, spec };
      return server().call('POST', `${HERE}/rolebindings`, { body, user });
    };
    const refused = await give('mine', ['User', 'edith'], EDITOR);
    expect([refused.status, refused.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 403 && text.includes('private'),
    );
    expect(await status(give('roles', ['BasicRole', 'Viewer'], EDITOR))).to.equal(201);
    expect(await status(merge(`${FOLDERS}/mid`, { 'svc.app/basic-roles': null }, EDITOR))).to.equal(403);
    await bind(server(), 'tess', { subject: ['User', 'tess'], role: ['BuiltIn', 'Admin'], folder: 'top' });
    expect(await status(give('theirs', ['User', 'norm'], TESS))).to.equal(201);
    expect(await status(merge(`${FOLDERS}/mid`, { 'svc.app/basic-roles': null }, TESS))).to.equal(200);
    expect(await status(merge(`${FOLDERS}/mid`, PRIVATE, TESS))).to.equal(200);
    for (const name of ['admins', 'roles', 'tess', 'theirs']) await unbind(server(), name);
  });

  it('is not opened by a membership in a team that has the folder above', async () => {
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'top' });
    const spec = { teamRef: { name: 'crew' }, userRef: { name: 'edith' }, permission: 'member' };
    const metadata = { name: 'crew.edith' };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'TeamBinding', metadata, spec };
    const manages = [
      { action: 'teams.permissions:write', scope: 'teams:*' },
      { action: 'teams:write', scope: 'teams:*' },
    ];
    const role = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'Role',
      metadata: { name: 'lead' },
      spec: { permissions: manages },
    };
    expect(await status(server().call('POST', `${HERE}/roles`, { body: role }))).to.equal(201);
    await bind(server(), 'leads', { subject: ['User', 'edith'], role: ['Role', 'lead'] });
    const answer = await server().call('POST', `${HERE}/teambindings`, { body, user: EDITOR });
    expect([answer.status, answer.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 403 && text.includes('cannot give permissions'),
    );
    for (const name of ['crew', 'leads']) await unbind(server(), name);
  });

  it('belongs to its creator, who is an editor', async () => {
    const annotations = { [FOLDER]: 'top', ...PRIVATE, 'svc.app/grant-permissions': 'default' };
    const body = { ...(folderBody('mine') as object), metadata: { name: 'mine', annotations } };
    const made = await server().call('POST', FOLDERS, { body, user: EDITOR });
    expect([made.status, String(made.headers['warning'])]).to.satisfy(
      ([code, text]: [number, string]) => code === 201 && text.includes('these lose access'),
    );
    expect([await get(`${FOLDERS}/mine`, EDITOR), await get(`${FOLDERS}/mine`, VIEWER)]).to.deep.equal([200, 403]);
    expect(await status(server().call('DELETE', `${FOLDERS}/mine`, { user: EDITOR }))).to.equal(200);
  });

  it('ends the watches of those who lose or gain it, and of nobody else', async () => {
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'top' });
    await folder(server(), 'beside');
    // The first private folder and the last one end the watches of all whose rights come from a basic role.
    await folder(server(), 'always-shut', PRIVATE);
    const watch = async (path: string, user: UserInfo) => {
      const list = await server().call('GET', path, { user });
      const query = { watch: 'true', resourceVersion: list.json().metadata.resourceVersion ?? '' };
      return (await server().call('GET', path, { user, query })).frames;
    };
    const changes: readonly (readonly [string, Readonly<Record<string, string | null>>])[] = [
      ['mid', { 'svc.app/basic-roles': null }],
      ['mid', PRIVATE],
      ['low', { [FOLDER]: 'beside' }],
      ['low', { [FOLDER]: 'mid' }],
    ];
    for (const [name, annotations] of changes) {
      const ending = [await watch(DASHBOARDS, VIEWER), await watch(FOLDERS, EDITOR)];
      const staying = await watch(DASHBOARDS, ADMINISTRATOR);
      const crew = name === 'mid' ? await watch(DASHBOARDS, TESS) : undefined;
      expect(await status(merge(`${FOLDERS}/${name}`, annotations))).to.equal(200);
      for (const frames of ending) {
        const [event] = await frames.take(1);
        expect([event?.type, event?.object.code], JSON.stringify(annotations)).to.deep.equal(['ERROR', 410]);
        await frames.close();
      }
      expect(
        await status(merge(`${DASHBOARDS}/low-dash`, { at: `${name} ${Object.values(annotations)[0]}` })),
      ).to.equal(200);
      for (const frames of [staying, ...(crew ? [crew] : [])]) {
        const [event] = await frames.take(1);
        expect([event?.type, event?.object.metadata.name], JSON.stringify(annotations)).to.deep.equal([
          'MODIFIED',
          'low-dash',
        ]);
        await frames.close();
      }
    }
    await unbind(server(), 'crew');
  });

  it('is not in the trash, the history and the descriptions that others see, and comes back private', async () => {
    await folder(server(), 'gone');
    await folder(server(), 'gone-in', { [FOLDER]: 'gone', ...PRIVATE });
    await dashboard(server(), 'gone-dash', { [FOLDER]: 'gone-in' });
    const TRASH = { labelSelector: 'svc.app/get-trash=true' };
    const trash = async (path: string, user: UserInfo) =>
      (await server().call('GET', path, { user, query: TRASH })).text;
    const unseen = async () => {
      for (const user of [VIEWER, EDITOR]) {
        expect(await trash(DASHBOARDS, user)).not.to.contain('gone-dash');
        expect(await trash(FOLDERS, user)).not.to.contain('gone-in');
      }
      expect(await trash(DASHBOARDS, ADMINISTRATOR)).to.contain('gone-dash');
    };
    expect(await status(server().call('DELETE', `${FOLDERS}/gone-in`))).to.equal(200);
    await unseen();
    expect(await status(server().call('POST', `${FOLDERS}/gone-in/restore`, { body: {} }))).to.equal(201);
    expect(await get(`${DASHBOARDS}/gone-dash`, VIEWER)).to.equal(403);
    expect(await status(server().call('DELETE', `${FOLDERS}/gone`))).to.equal(200);
    await unseen();
    expect(await status(server().call('POST', `${FOLDERS}/gone/restore`, { body: {} }))).to.equal(201);
    expect(await get(`${FOLDERS}/gone`, VIEWER)).to.equal(200);
    expect(await get(`${DASHBOARDS}/gone-dash`, VIEWER)).to.equal(403);
  });

  it('is explained by a review of who may see it', async () => {
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'top' });
    const resourceAttributes = { verb: 'get', group: 'dashboard.svc.app', resource: 'dashboards', name: 'low-dash' };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'ResourceAccessReview', spec: { resourceAttributes } };
    const answer = await server().call('POST', `${HERE}/resourceaccessreviews`, { body });
    expect(answer.status, answer.text).to.equal(201);
    const { subjects } = (answer.json() as unknown as { status: { subjects: { name: string; because: object[] }[] } })
      .status;
    const names = subjects.map(({ name }) => name);
    expect(names)
      .to.include.members(['adam', 'tess'])
      .and.not.include.members(['vera'])
      .and.not.include.members(['edith']);
    const [because] = subjects.find(({ name }) => name === 'tess')?.because ?? [];
    expect(because).to.deep.equal({
      binding: bindingSpec({ subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'top' }),
    });
    await unbind(server(), 'crew');
  });

  it('is shown in the tables of folders', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const answer = await server().call('GET', FOLDERS, { headers });
    const rows = (answer.json() as unknown as { rows: { cells: string[] }[] }).rows.map(({ cells }) => cells.join(' '));
    expect(rows.find((row) => row.startsWith('mid '))).to.contain('none');
    expect(rows.find((row) => row.startsWith('low '))).to.contain('inherited');
  });
});
