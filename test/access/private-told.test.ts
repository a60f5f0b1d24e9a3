import { expect } from 'chai';
import { ANONYMOUS } from '../../pkg/identity/authn/user.js';
import { everyPath } from '../harness/every-path.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { ADMINISTRATOR, addPeople, DASHBOARDS, EDITOR, FOLDER, FOLDERS, PRIVATE, VIEWER } from './people.js';
import { annotate, dashboard, folder, make, status } from './private.js';

const NS = 'namespaces/default';
/** A word in the content of all that is private, and nowhere else. */
const SECRET = 'xyzzy';

oneStore('what is private', (server) => {
  before(async () => {
    await addPeople(server());
    await folder(server(), 'open');
    await folder(server(), 'seen-in', { [FOLDER]: 'open' });
  });

  // Promise: security rights
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

  // Promise: security rights
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

  it('is not shown by a list at a revision from before its folder was deleted, or opened', async () => {
    const WORD = 'plugh';
    await folder(server(), 'gone', PRIVATE);
    await dashboard(server(), 'gone-dash', { [FOLDER]: 'gone' }, `${WORD} gone`);
    await folder(server(), 'opened', PRIVATE);
    await dashboard(server(), 'opened-dash', { [FOLDER]: 'opened' }, `${WORD} opened`);
    const { resourceVersion = '' } = (await server().call('GET', DASHBOARDS)).json().metadata;
    const first = await server().call('GET', DASHBOARDS, { user: EDITOR, query: { limit: 1 } });
    await server().call('DELETE', `${FOLDERS}/gone`);
    await annotate(server(), `${FOLDERS}/opened`, { 'svc.app/basic-roles': null });
    const exact = { resourceVersion, resourceVersionMatch: 'Exact' };
    const queries = [exact, { limit: 100, continue: first.json().metadata.continue ?? '' }];
    for (const query of queries.filter((one) => !('continue' in one) || one.continue !== '')) {
      const { status: code, text } = await server().call('GET', DASHBOARDS, { user: EDITOR, query });
      expect(code).to.equal(200);
      expect(text).not.to.contain(WORD);
    }
    const all = await server().call('GET', DASHBOARDS, { user: ADMINISTRATOR, query: exact });
    expect(all.text, 'an administrator reads the past').to.contain(`${WORD} gone`);
    await server().call('DELETE', `${FOLDERS}/opened`);
  });

  // Promise: security rights
  it('is told by no route of either API to a viewer, an editor, or somebody without credentials', async function () {
    this.timeout(240_000);
    const names = await secrets(server());
    await expectSilence(server(), names);
    // Deleted objects are in the trash, and their history can still be read.
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
    await folder(server, 'p', { [FOLDER]: 'open', ...PRIVATE }, `${SECRET} folder`),
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
