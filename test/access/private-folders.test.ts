import { expect } from 'chai';
import { ANONYMOUS, type UserInfo } from '../../pkg/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { everyPath } from '../harness/every-path.js';
import type { Server } from '../harness/server.js';
import { eachStore, oneStore } from '../harness/stores.js';
import {
  addMember,
  addPeople,
  addTeam,
  addTeamMember,
  addUser,
  bind,
  DASHBOARDS,
  FOLDERS,
  person,
  unbind,
} from './people.js';

const PRIVATE = { 'svc.app/basic-roles': 'none' };
const FOLDER = 'svc.app/folder';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const NS = 'namespaces/default';
/** In the content of everything that is private, and nowhere else. */
const SECRET = 'xyzzy';
const [VIEWER, EDITOR, ADMINISTRATOR] = [person('vera'), person('edith'), person('adam')];

type Annotations = Readonly<Record<string, string | null>>;

async function make(server: Server, path: string, kind: string, name: string, annotations: Annotations, spec: object) {
  const apiVersion = path.slice('/apis/'.length).split('/').slice(0, 2).join('/');
  const body = { apiVersion, kind, metadata: { name, annotations }, spec };
  const answer = await server.call('POST', path, { body });
  expect(answer.status, answer.text).to.equal(201);
  return answer.json();
}

const folder = (server: Server, name: string, annotations: Annotations = {}, title = name) =>
  make(server, FOLDERS, 'Folder', name, annotations, { title });
const dashboard = (server: Server, name: string, annotations: Annotations = {}, title = name) =>
  make(server, DASHBOARDS, 'Dashboard', name, annotations, { title, tags: [title] });

function annotate(server: Server, path: string, annotations: Annotations, user?: UserInfo): Promise<Answer> {
  return server.call('PATCH', path, { body: { metadata: { annotations } }, headers: MERGE, ...(user && { user }) });
}

const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;

eachStore('a private folder', (server) => {
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

  it('takes no writes of editors, and nothing is made in it', async () => {
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

  it('is for those to whom it is bound, by themselves, by a team or by a basic role', async () => {
    await addTeam(server(), 'crew');
    await addUser(server(), 'tess');
    await addMember(server(), 'tess', 'Viewer');
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

  it('is made and opened by those who may change its permissions', async () => {
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

  it('lends its privacy to what is moved into it, and only at the root its annotation counts', async () => {
    await folder(server(), 'moving');
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: 'shut' }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(403);
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: 'open', ...PRIVATE }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(200);
    expect(await status(annotate(server(), `${FOLDERS}/moving`, { [FOLDER]: null }))).to.equal(200);
    expect(await get(`${FOLDERS}/moving`, VIEWER)).to.equal(403);
    await server().call('DELETE', `${FOLDERS}/moving`);
  });

  it('has no other value of the annotation', async () => {
    for (const path of [`${FOLDERS}/open`, `${DASHBOARDS}/open-dash`]) {
      const answer = await annotate(server(), path, { 'svc.app/basic-roles': 'some' });
      expect(answer.status).to.be.oneOf([400, 422]);
      expect(answer.text).to.contain('metadata.annotations[svc.app/basic-roles]').and.to.contain('supported values');
    }
  });

  it('answers reviews as requests', async () => {
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

oneStore('what is private', (server) => {
  before(async () => {
    await addPeople(server());
    await folder(server(), 'open');
    await folder(server(), 'seen-in', { [FOLDER]: 'open' });
  });

  it('ends the watches of those who lose or gain it', async () => {
    const list = await server().call('GET', FOLDERS, { user: VIEWER });
    const watch = async (path: string, resourceVersion = list.json().metadata.resourceVersion ?? '') => {
      const query = { watch: 'true', resourceVersion };
      const answer = await server().call('GET', path, { user: VIEWER, query });
      return answer.frames;
    };
    const ends = async (frames: Awaited<ReturnType<typeof watch>>): Promise<void> => {
      const [event] = await frames.take(1);
      expect(event?.type).to.equal('ERROR');
      expect(event?.object.code).to.equal(410);
    };
    const first = [await watch(FOLDERS), await watch(DASHBOARDS), await watch('/apis/folder.svc.app/v1beta1/folders')];
    await annotate(server(), `${FOLDERS}/open`, PRIVATE);
    for (const frames of first) await ends(frames);
    const while_ = (await server().call('GET', DASHBOARDS, { user: VIEWER })).json().metadata.resourceVersion ?? '';
    const second = await watch(DASHBOARDS, while_);
    await annotate(server(), `${FOLDERS}/open`, { 'svc.app/basic-roles': null });
    await ends(second);
    await ends(await watch(DASHBOARDS, while_));
  });

  it('is not shown by a list at a revision from before', async () => {
    await folder(server(), 'later', {}, SECRET);
    const { resourceVersion = '' } = (await server().call('GET', FOLDERS)).json().metadata;
    const page = await server().call('GET', FOLDERS, { user: VIEWER, query: { limit: 1 } });
    await annotate(server(), `${FOLDERS}/later`, PRIVATE);
    const query = { resourceVersion, resourceVersionMatch: 'Exact' };
    expect((await server().call('GET', FOLDERS, { user: VIEWER, query })).text).not.to.contain(SECRET);
    const next = { limit: 100, continue: page.json().metadata.continue ?? '' };
    expect((await server().call('GET', FOLDERS, { user: VIEWER, query: next })).text).not.to.contain(SECRET);
    await server().call('DELETE', `${FOLDERS}/later`);
  });

  it('is told by no route of either API to a viewer, an editor, or somebody without credentials', async function () {
    this.timeout(120_000);
    const names = await secrets(server());
    await expectSilence(server(), names);
    // Deleted, it is in the trash, and its history can still be read.
    for (const path of [`${FOLDERS}/p`, `${DASHBOARDS}/p-alone`])
      expect(await status(server().call('DELETE', path, { query: { forceDeleteRules: 'true' } }))).to.equal(200);
    await expectSilence(server(), names);
    const trash = await server().call('GET', FOLDERS, {
      user: ADMINISTRATOR,
      query: { labelSelector: 'svc.app/get-trash=true' },
    });
    expect(trash.text, 'the test finds what is there').to.contain(SECRET);
  });
});

/** Makes one object of each kind in private places. The result has their names and numbers. */
async function secrets(server: Server): Promise<readonly string[]> {
  const inside = { [FOLDER]: 'p' };
  const library = { name: `${SECRET} element`, kind: 1, model: { type: 'text', title: SECRET } };
  const rule = {
    title: `${SECRET} rule`,
    ruleGroup: 'group',
    condition: 'A',
    intervalSeconds: 60,
    for: '0s',
    noDataState: 'OK',
    execErrState: 'OK',
    data: [
      {
        refId: 'A',
        datasourceUid: '__expr__',
        model: { type: 'math', expression: '1' },
        relativeTimeRange: { from: 0, to: 0 },
      },
    ],
  };
  const made = [
    await folder(server, 'p', PRIVATE, `${SECRET} folder`),
    await folder(server, 'p-in', inside, `${SECRET} inner`),
    await dashboard(server, 'p-dash', { [FOLDER]: 'p-in' }, `${SECRET} dash`),
    await dashboard(server, 'p-alone', PRIVATE, `${SECRET} alone`),
    await make(
      server,
      `/apis/dashboard.svc.app/v1beta1/${NS}/libraryelements`,
      'LibraryElement',
      'p-lib',
      inside,
      library,
    ),
  ];
  const before = (await annotate(server, `${DASHBOARDS}/p-alone`, { x: 'y' })).status;
  expect(before).to.equal(200);
  for (const uid of ['p-dash', 'p-alone']) {
    const body = { dashboardUID: uid, text: `${SECRET} note`, time: 1000, tags: [`${SECRET}-tag`] };
    expect(await status(server.call('POST', '/api/annotations', { body }))).to.equal(200);
  }
  const body = { ...rule, folderUID: 'p', orgID: 1 };
  const answer = await server.call('POST', '/api/v1/provisioning/alert-rules', { body });
  expect(answer.status, answer.text).to.equal(201);
  const ids = made.map(({ metadata }) => metadata.labels?.['svc.app/deprecatedInternalID'] ?? '');
  const { uid } = JSON.parse(answer.text) as { uid: string };
  return [
    ...made.map(({ metadata }) => metadata.name),
    ...ids.filter((id) => id !== ''),
    uid,
    'group',
    '1',
    '2',
    'vera',
  ];
}

async function expectSilence(server: Server, names: readonly string[]): Promise<void> {
  for (const path of everyPath(server, names, SECRET)) {
    for (const user of [VIEWER, EDITOR, ANONYMOUS]) {
      const { text } = await server.call('GET', path, { user });
      expect(text, `${user.name} ${path}`).not.to.contain(SECRET);
    }
  }
}
