import { expect } from 'chai';
import { ANONYMOUS } from '../../pkg/identity/authn/user.js';
import { everyPath } from '../harness/every-path.js';
import { oneStore } from '../harness/stores.js';
import {
  ADMINISTRATOR,
  addPeople,
  addPerson,
  addRole,
  addTeam,
  addTeamMember,
  DASHBOARDS,
  EDITOR,
  FOLDERS,
  folderBody,
  HERE,
  namesOf,
  PRIVATE,
  person,
  VIEWER,
} from './people.js';
import { ready, worldOf } from './waiting.js';

/** A word in the content of objects that wait, and nowhere else. */
const WORD = 'xyzzy';
const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('what waits', (server) => {
  const { made, waiting, post, read, status, putDashboard, putFolder, putBinding, create, refused, editorWith } =
    worldOf(server);
  before(async () => {
    await addPeople(server());
    await waiting(putDashboard('hidden', 'nowhere'));
    await waiting(putFolder('below', 'nowhere'));
    await made(putDashboard('in-below', 'below'));
  });

  it('is seen and written only by those who may write everywhere in the organization', async () => {
    for (const path of [`${DASHBOARDS}/hidden`, `${FOLDERS}/below`, `${DASHBOARDS}/in-below`]) {
      for (const user of [VIEWER, EDITOR]) expect(await status(path, user), `${path} ${user.name}`).to.equal(403);
      expect(await status(path, ADMINISTRATOR)).to.equal(200);
      expect(await status(path, EDITOR, 'DELETE')).to.equal(403);
    }
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: EDITOR }))).to.deep.equal([]);
    expect(await namesOf(server().call('GET', FOLDERS, { user: VIEWER }))).to.deep.equal([]);
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: ADMINISTRATOR }))).to.include('in-below');
    for (const path of ['/api/search', '/api/folders']) {
      const found = await server().call('GET', path, { user: EDITOR });
      expect(found.text, path).to.equal('[]');
    }
    expect(await status('/api/dashboards/uid/hidden', EDITOR)).to.equal(403);
    await refused(() => putDashboard('planted', 'below', EDITOR));
  });

  it('is not seen by a role that may read everywhere, but not write', async () => {
    const reader = await editorWith('rhea', 'dashboards:read', 'folders:read');
    expect(await status(`${DASHBOARDS}/hidden`, reader)).to.equal(403);
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: reader }))).to.deep.equal([]);
    const writer = await editorWith('wren', 'dashboards:read', 'dashboards:write');
    expect(await status(`${DASHBOARDS}/hidden`, writer)).to.equal(200);
  });

  it('cannot be stored by others: they are refused as before', async () => {
    const answer = await refused(() => putDashboard('mine', 'nowhere', EDITOR), 422);
    expect(answer.text).to.contain('there is no \\"nowhere\\"');
    await refused(() => putFolder('mine', 'nowhere', EDITOR), 400);
  });

  it('must name what can exist', async () => {
    for (const folder of ['no/where', '../x', ' ', '__proto__.x', 'x'.repeat(50)])
      await refused(() => putDashboard('never', folder), 422);
  });

  // Promise: specification 4.1
  it('is refused to plain HTTP callers, and by the legacy API', async () => {
    const { metadata, spec } = folderBody('plain', 'nowhere') as Readonly<Record<string, unknown>>;
    await refused(() => post(FOLDERS, { metadata, spec }), 400);
    const user = { ...ADMINISTRATOR, extra: { 'svc.app/organization': ['default'] } };
    const tries: readonly [string, unknown][] = [
      ['/api/folders', { title: 'x', parentUid: 'nowhere' }],
      ['/api/dashboards/db', { dashboard: { title: 'x' }, folderUid: 'nowhere' }],
    ];
    for (const [path, body] of tries)
      expect((await refused(() => server().call('POST', path, { body, user }), 400)).text).to.contain('not found');
  });

  // Promise: security rights
  it('stops callers who may not write it from creating what it waits for', async () => {
    const answer = await refused(() => putFolder('nowhere', undefined, EDITOR));
    expect(answer.text).to.contain('objects wait for it').and.not.contain('hidden');
    const legacy = { ...EDITOR, extra: { 'svc.app/organization': ['default'] } };
    const body = { uid: 'nowhere', title: 'x' };
    await refused(() => server().call('POST', '/api/folders', { body, user: legacy }));
    expect(ready(await read(`${DASHBOARDS}/hidden`))).to.equal('False');
  });

  it('stays hidden in the trash', async () => {
    await waiting(putDashboard('thrown', 'nowhere'));
    expect(await status(`${DASHBOARDS}/thrown`, ADMINISTRATOR, 'DELETE')).to.equal(200);
    const query = { labelSelector: 'svc.app/get-trash=true' };
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: EDITOR, query }))).to.deep.equal([]);
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: ADMINISTRATOR, query }))).to.include('thrown');
  });

  it('grants nothing: neither on a folder that may come, nor by a team, a role or a membership', async () => {
    await addPerson(server(), 'mo', 'None');
    const mo = person('mo');
    await waiting(putBinding('mo', { subject: ['User', 'mo'], role: ['BuiltIn', 'Admin'], folder: 'mos' }));
    await waiting(putBinding('mo-role', { subject: ['User', 'mo'], role: ['Role', 'none-yet'] }));
    await refused(() => putFolder('mos', undefined, mo));
    const body = { metadata: { name: 'mos', annotations: PRIVATE }, spec: { title: 'x' } };
    await refused(() => post(FOLDERS, { ...(folderBody('mos') as object), ...body }, mo));
    await addTeam(server(), 'later-place');
    await waiting(
      putBinding('by-team', { subject: ['Team', 'later-place'], role: ['BuiltIn', 'View'], folder: 'mos' }),
    );
    await addTeamMember(server(), 'later-place', 'mo');
    expect(await status(`${FOLDERS}/mos`, mo)).to.equal(403);
  });

  // Promise: security rights
  it('stops callers from creating what it waits for, if they could not give the permissions themselves', async () => {
    const tina = await editorWith('tina', 'teams:create', 'teams:read', 'teams:write', 'teams.permissions:write');
    await waiting(putBinding('to-team', { subject: ['Team', 'bosses'], role: ['BuiltIn', 'Admin'] }));
    await refused(() => create(tina, 'Team', 'bosses', { title: 'bosses' }));
    const roller = await editorWith('rolf', 'roles:read', 'roles:write');
    await waiting(putBinding('to-role', { subject: ['BasicRole', 'Viewer'], role: ['Role', 'unmade'] }));
    const answer = await refused(() =>
      create(roller, 'Role', 'unmade', { permissions: [{ action: 'org.users:write', scope: 'users:*' }] }),
    );
    expect(answer.text).to.contain('cannot give permissions that they do not have');
    await made(create(ADMINISTRATOR, 'Team', 'bosses', { title: 'bosses' }));
  });

  it('is refused when it is written, if its writer could not give the permissions', async () => {
    const roller = await editorWith('rob', 'roles:read', 'roles:write');
    const tries = () => putBinding('to-all', { subject: ['Team', 'nobody-yet'], role: ['BuiltIn', 'Admin'] }, roller);
    expect((await refused(tries)).text).to.contain('cannot give permissions');
  });

  it('does not count as an administrator of the organization', async () => {
    await waiting(create(ADMINISTRATOR, 'OrganizationBinding', 'ghost', { userRef: { name: 'ghost' }, role: 'Admin' }));
    const answer = await refused(() => server().call('DELETE', `${HERE}/organizationbindings/adam`), 403);
    expect(answer.text).to.contain('last organization admin');
  });

  it('stays hidden from others if its folder is created as a private one', async () => {
    await waiting(putDashboard('secret', 'vault'));
    const body = { ...(folderBody('vault') as object), metadata: { name: 'vault', annotations: PRIVATE } };
    await made(post(FOLDERS, body));
    expect(await status(`${DASHBOARDS}/secret`, EDITOR)).to.equal(403);
    expect(await status(`${DASHBOARDS}/secret`, ADMINISTRATOR)).to.equal(200);
  });

  it('cannot become a circle, or too deep, by the creation of the last missing folder', async () => {
    await waiting(putFolder('ring-a', 'ring-b'));
    await waiting(putFolder('ring-b2', 'ring-a2'));
    const circle = await refused(() => putFolder('ring-b', 'ring-a'), 400);
    expect(circle.text).to.contain('Circular reference');
    await waiting(putFolder('deep-4', 'deep-3'));
    await made(putFolder('deep-5', 'deep-4'));
    await waiting(putFolder('deep-2', 'deep-1'));
    expect((await refused(() => putFolder('deep-3', 'deep-2'), 400)).text).to.contain('Maximum nested folder depth');
  });

  it('appears in the watches of others when its folder is created', async () => {
    await waiting(putDashboard('seen', 'soon'));
    const list = await server().call('GET', DASHBOARDS, { user: VIEWER });
    const { resourceVersion = '' } = list.json().metadata;
    const query = { watch: 'true', resourceVersion };
    const { frames } = await server().call('GET', DASHBOARDS, { user: VIEWER, query });
    await waiting(putDashboard('unseen', 'never-soon'));
    await made(putFolder('soon'));
    const [event] = await frames.take(1);
    expect(`${event?.type} ${event?.object.metadata.name}`).to.equal('ADDED seen');
    await frames.close();
  });

  it('ends the watches of others when a folder is created whose subfolders have contents', async () => {
    await waiting(putFolder('sub', 'super'));
    await made(putDashboard('in-sub', 'sub'));
    const { resourceVersion = '' } = (await server().call('GET', DASHBOARDS, { user: VIEWER })).json().metadata;
    const query = { watch: 'true', resourceVersion };
    const { frames } = await server().call('GET', DASHBOARDS, { user: VIEWER, query });
    await made(putFolder('super'));
    const [event] = await frames.take(1);
    expect(event?.object.code, 'list again').to.equal(410);
    expect(await namesOf(server().call('GET', DASHBOARDS, { user: VIEWER }))).to.include('in-sub');
  });

  it('still waits after a client writes its status', async () => {
    const status = { conditions: [{ type: 'Ready', status: 'True', reason: 'ReferencesResolved', message: '' }] };
    for (const [path, code] of [
      [`${DASHBOARDS}/hidden`, 200],
      [`${DASHBOARDS}/hidden/status`, 404],
    ] as const) {
      const body = { status: { conditions: status.conditions.map((one) => ({ ...one, lastTransitionTime: 'x' })) } };
      const answer = await server().call('PATCH', path, { body, headers: MERGE, user: ADMINISTRATOR });
      expect(answer.status, answer.text).to.equal(code);
      expect(ready(await read(`${DASHBOARDS}/hidden`))).to.equal('False');
    }
  });

  // Promise: security rights
  it('is told by no route of either API to others, and breaks none for administrators', async function () {
    this.timeout(120_000);
    const inside = { annotations: { 'svc.app/folder': 'nowhere' } };
    const library = { name: `${WORD} library`, kind: 1, model: { type: 'text' } };
    const rule = {
      title: `${WORD} rule`,
      ruleGroup: 'group',
      condition: 'A',
      data: [{ refId: 'A', datasourceUid: '__expr__', model: {}, relativeTimeRange: { from: 600, to: 0 } }],
    };
    const put = (path: string, kind: string, name: string, spec: object): Promise<void> => {
      const apiVersion = path.split('/').slice(2, 4).join('/');
      return waiting(post(path, { apiVersion, kind, metadata: { name, ...inside }, spec }));
    };
    await put(DASHBOARDS, 'Dashboard', 'told', { title: `${WORD} dashboard`, tags: [WORD] });
    await put(FOLDERS, 'Folder', 'told-in', { title: `${WORD} folder` });
    await put(DASHBOARDS.replace('/dashboards', '/libraryelements'), 'LibraryElement', 'told-lib', library);
    const rules = '/apis/rules.alerting.svc.app/v1beta1/namespaces/default/alertrules';
    await put(rules, 'AlertRule', 'told-rule', rule);
    const membership = { teamRef: { name: 'bosses' }, userRef: { name: 'unborn' }, permission: 'member' };
    await waiting(create(ADMINISTRATOR, 'TeamBinding', 'bosses.unborn', membership));
    await addRole(server(), 'some', []);
    await waiting(putBinding('some-user', { subject: ['User', 'unborn'], role: ['Role', 'some'] }));
    const names = ['told', 'told-in', 'told-lib', 'told-rule', 'nowhere', 'some', 'bosses', 'group', '1', '2', '3'];
    for (const path of everyPath(server(), names, WORD)) {
      for (const user of [ADMINISTRATOR, VIEWER, EDITOR, ANONYMOUS]) {
        const answer = await server().call('GET', path, { user, query: {} });
        expect(answer.status, `${path} ${user.name}: ${answer.text.slice(0, 300)}`).to.be.below(500);
        // An answer may repeat the word that was searched for.
        const isHidden = user !== ADMINISTRATOR && !decodeURIComponent(path).includes(WORD);
        if (isHidden) expect(answer.text, `${path} ${user.name}`).to.not.contain(WORD);
      }
    }
  });
});
