import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import {
  ADMINISTRATOR,
  addPeople,
  addPerson,
  addTeam,
  addTeamMember,
  bind,
  DASHBOARDS,
  EDITOR,
  FOLDER,
  FOLDERS,
  PRIVATE,
  person,
  unbind,
  VIEWER,
} from './people.js';
import { annotate, dashboard, folder, status } from './private.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
oneStore('a private folder', (server) => {
  const get = (path: string, user: UserInfo) => status(server().call('GET', path, { user }));

  before(async () => {
    await addPeople(server());
    await folder(server(), 'open');
    await folder(server(), 'shut', PRIVATE);
    await folder(server(), 'shut-in', { [FOLDER]: 'shut' });
    await dashboard(server(), 'shut-dash', { [FOLDER]: 'shut-in' });
    await dashboard(server(), 'shut-alone', PRIVATE);
    await dashboard(server(), 'open-dash', { [FOLDER]: 'open' });
  });

  it('is for administrators of the organization, and not for its viewers and editors', async () => {
    for (const path of [`${FOLDERS}/shut`, `${FOLDERS}/shut-in`, `${DASHBOARDS}/shut-dash`, `${DASHBOARDS}/shut-alone`])
      for (const [user, expected] of [
        [VIEWER, 403],
        [EDITOR, 403],
        [ADMINISTRATOR, 200],
      ] as const)
        expect(await get(path, user), `${path} ${user.name}`).to.equal(expected);
    expect(await get(`${FOLDERS}/open`, VIEWER)).to.equal(200);
    expect(await get('/api/folders/shut', VIEWER)).to.equal(403);
    expect(await get('/api/dashboards/uid/shut-dash', VIEWER)).to.equal(403);
  });

  it('is left out of lists and searches, with all that lies in it', async () => {
    const names = async (path: string, user: UserInfo) =>
      (await server().call('GET', path, { user })).json().items.map(({ metadata }) => metadata.name);
    expect(await names(FOLDERS, VIEWER)).to.deep.equal(['open']);
    expect(await names(DASHBOARDS, EDITOR)).to.deep.equal(['open-dash']);
    expect(await names(FOLDERS, ADMINISTRATOR)).to.deep.equal(['open', 'shut', 'shut-in']);
    const found = async (user: UserInfo) =>
      (JSON.parse((await server().call('GET', '/api/search', { user })).text) as { uid: string }[])
        .map(({ uid }) => uid)
        .sort();
    expect(await found(VIEWER)).to.deep.equal(['open', 'open-dash']);
    expect(await found(ADMINISTRATOR)).to.have.length(6);
  });

  it('refuses changes, deletions, moves and new objects of editors', async () => {
    const into = { metadata: { annotations: { [FOLDER]: 'shut' } } };
    const tries: readonly [string, string, unknown][] = [
      ['PATCH', `${FOLDERS}/shut`, { spec: { title: 'mine' } }],
      ['DELETE', `${FOLDERS}/shut-in`, undefined],
      ['DELETE', `${DASHBOARDS}/shut-alone`, undefined],
      ['PATCH', `${DASHBOARDS}/open-dash`, into],
      ['PATCH', `${FOLDERS}/open`, into],
    ];
    for (const [method, path, body] of tries) {
      const answer = server().call(method, path, { user: EDITOR, body, headers: method === 'PATCH' ? MERGE : {} });
      expect(await status(answer), `${method} ${path}`).to.equal(403);
    }
    const made = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', spec: { title: 'x' } };
    const body = { ...made, metadata: { name: 'x', annotations: { [FOLDER]: 'shut' } } };
    expect(await status(server().call('POST', FOLDERS, { user: EDITOR, body }))).to.equal(403);
  });

  it('is open to the users, teams and basic roles that a binding on it names', async () => {
    await addTeam(server(), 'crew');
    await addPerson(server(), 'tess', 'Viewer');
    await addTeamMember(server(), 'crew', 'tess');
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'View'], folder: 'shut' });
    expect(await get(`${DASHBOARDS}/shut-dash`, person('tess'))).to.equal(200);
    expect(await get(`${DASHBOARDS}/shut-dash`, VIEWER)).to.equal(403);
    await bind(server(), 'editors', { subject: ['BasicRole', 'Editor'], role: ['BuiltIn', 'View'], folder: 'shut' });
    expect(await get(`${FOLDERS}/shut-in`, EDITOR)).to.equal(200);
    expect(await status(annotate(server(), `${FOLDERS}/shut-in`, { x: 'y' }, EDITOR)), 'lowered').to.equal(403);
    for (const name of ['crew', 'editors']) await unbind(server(), name);
    expect(await get(`${FOLDERS}/shut-in`, EDITOR)).to.equal(403);
  });

  it('is made private and public by those who may change its permissions', async () => {
    await folder(server(), 'change');
    const path = `${FOLDERS}/change`;
    expect(await status(annotate(server(), path, PRIVATE, EDITOR))).to.equal(403);
    await bind(server(), 'edith', { subject: ['User', 'edith'], role: ['BuiltIn', 'Edit'], folder: 'change' });
    expect(await status(annotate(server(), path, PRIVATE, EDITOR))).to.equal(403);
    await unbind(server(), 'edith');
    await bind(server(), 'edith', { subject: ['User', 'edith'], role: ['BuiltIn', 'Admin'], folder: 'change' });
    expect(await status(annotate(server(), path, PRIVATE, EDITOR))).to.equal(200);
    expect(await get(path, VIEWER)).to.equal(403);
    expect(await status(annotate(server(), path, { 'svc.app/basic-roles': null }, EDITOR))).to.equal(200);
    expect(await get(path, VIEWER)).to.equal(200);
    await server().call('DELETE', path);
  });

  it('stays private if a bare body leaves the annotation out', async () => {
    const answer = await server().call('PUT', `${FOLDERS}/shut`, {
      body: { metadata: {}, spec: { title: 'shut again' } },
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(await get(`${FOLDERS}/shut`, VIEWER)).to.equal(403);
    expect(
      await status(server().call('PUT', '/api/folders/shut', { body: { title: 'shut', overwrite: true } })),
    ).to.equal(200);
    expect(await get(`${FOLDERS}/shut`, VIEWER)).to.equal(403);
  });

  it('makes private what is moved into it, and what has the annotation stays private wherever it lies', async () => {
    await folder(server(), 'moving');
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: 'shut' }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(403);
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: 'open' }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(200);
    expect(await status(annotate(server(), `${FOLDERS}/moving`, PRIVATE))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(403);
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: null }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(403);
    await server().call('DELETE', `${FOLDERS}/moving`);
  });

  it('cannot have another value of the annotation', async () => {
    for (const path of [`${FOLDERS}/open`, `${DASHBOARDS}/open-dash`]) {
      const answer = await annotate(server(), path, { 'svc.app/basic-roles': 'some' });
      expect(answer.status).to.be.oneOf([400, 422]);
      expect(answer.text).to.contain('metadata.annotations[svc.app/basic-roles]').and.to.contain('supported values');
    }
  });

  it('has reviews that agree with requests', async () => {
    const review = async (user: UserInfo, resource: string, name: string): Promise<unknown> => {
      const resourceAttributes = {
        namespace: 'default',
        verb: 'get',
        group: `${resource.slice(0, -1)}.svc.app`,
        resource,
        name,
      };
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      };
      const answer = await server().call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        user,
        body,
      });
      return (answer.json() as unknown as { status: { allowed: boolean } }).status.allowed;
    };
    expect(await review(VIEWER, 'folders', 'shut')).to.equal(false);
    expect(await review(VIEWER, 'dashboards', 'shut-dash')).to.equal(false);
    expect(await review(VIEWER, 'folders', 'open')).to.equal(true);
    expect(await review(ADMINISTRATOR, 'folders', 'shut')).to.equal(true);
  });
});
