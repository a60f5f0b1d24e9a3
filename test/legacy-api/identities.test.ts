import { expect } from 'chai';
import { legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

/** A request that changes the thing at its path, and bodies of it that name another one. */
interface Change {
  readonly route: string;
  readonly path: string;
  readonly body: Json;
  /** The names of the thing in the body, as it is called and as another one is. */
  readonly names: readonly (readonly [member: string, own: unknown, other: unknown])[];
}

/** Bodies that cannot name a thing: passwords and preferences belong to who is in the path. */
const NAMELESS = [
  'PUT /user/password',
  'PUT /user/preferences',
  'PATCH /user/preferences',
  'PUT /org/preferences',
  'PATCH /org/preferences',
];

/**
 * Tests of their own: the path of the first two has no name, and an element may get another uid. Organizations have
 * another number on each server. Provisioning tools send rules as they are elsewhere.
 */
const ELSEWHERE = [
  'PUT /v1/provisioning/alert-rules/:uid',
  'PUT /v1/provisioning/folder/:folderUid/rule-groups/:group',
  'PUT /user',
  'PATCH /query-history/:uid',
  'PATCH /library-elements/:uid',
  'PUT /org',
  'PUT /org/address',
  'PUT /orgs/:orgId',
  'PUT /orgs/:orgId/address',
];

oneStore('a change of a thing whose body names another one', (server) => {
  const { ask, call } = legacyOf(server);
  const { person } = peopleOf(server);
  let changes: readonly Change[] = [];
  let organization = 0;
  let rule: Json;
  let group = '';

  before(async () => {
    const { uid: folder } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const [one, other] = [await person(), await person()];
    const { teamId, uid: teamUid } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    await ask(200, 'POST', `/teams/${teamId}/members`, { userId: one.id });
    const account = await ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer' });
    const { id: note } = await ask(200, 'POST', '/annotations', { text: 'x' });
    const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('Organization') });
    await ask(200, 'POST', `/orgs/${orgId}/users`, { loginOrEmail: one.login, role: 'Viewer' });
    const { uid: role } = await ask(201, 'POST', '/access-control/roles', { name: fresh('role'), permissions: [] });
    rule = {
      title: fresh('Rule'),
      ruleGroup: 'group',
      folderUID: folder,
      condition: 'A',
      data: [{ refId: 'A', datasourceUid: '__expr__', model: {} }],
      noDataState: 'OK',
      execErrState: 'OK',
      for: '1m',
    };
    ({ uid: rule.uid } = await ask(201, 'POST', '/v1/provisioning/alert-rules', rule));
    organization = orgId;
    const user: Change['names'] = [
      ['id', one.id, other.id],
      ['id', one.id, `${other.id}`],
    ];
    const member: Change['names'] = [['userId', one.id, other.id]];
    const team: Change['names'] = [
      ['id', teamId, teamId + 1],
      ['teamId', teamId, teamId + 1],
    ];
    group = `/v1/provisioning/folder/${folder}/rule-groups/group`;
    const about = (route: string, path: string, body: Json, names: Change['names']): Change => ({
      route,
      path,
      body,
      names,
    });
    changes = [
      about('PUT /folders/:uid', `/folders/${folder}`, { title: 'Changed', overwrite: true }, [
        ['uid', folder, 'another'],
        ['UID', folder, 'another'],
      ]),
      about('POST /folders/:uid/move', `/folders/${folder}/move`, { parentUid: '' }, [['uid', folder, 'another']]),
      about('PUT /teams/:teamId', `/teams/${teamId}`, { name: fresh('Changed') }, team),
      about('PUT /teams/:teamId', `/teams/${teamUid}`, { name: fresh('Changed') }, [['uid', teamUid, 'another']]),
      about('PUT /teams/:teamId/members/:userId', `/teams/${teamId}/members/${one.id}`, { permission: 4 }, [
        ['userId', one.id, other.id],
        ['teamId', teamId, teamId + 1],
      ]),
      about('PATCH /annotations/:annotationId', `/annotations/${note}`, { text: 'changed' }, [['id', note, note + 1]]),
      about('PUT /access-control/roles/:uid', `/access-control/roles/${role}`, { name: fresh('changed') }, [
        ['uid', role, 'another'],
      ]),
      about(
        'PUT /access-control/roles/:uid/assignments',
        `/access-control/roles/${role}/assignments`,
        { users: [one.id] },
        [['role_uid', role, 'another']],
      ),
      about(
        'PUT /access-control/users/:userId/roles',
        `/access-control/users/${one.id}/roles`,
        { roleUids: [] },
        member,
      ),
      about('PUT /access-control/teams/:teamId/roles', `/access-control/teams/${teamId}/roles`, { roleUids: [] }, [
        ['teamId', teamId, teamId + 1],
      ]),
      about('PATCH /org/users/:userId', `/org/users/${other.id}`, { role: 'Editor' }, [['userId', other.id, one.id]]),
      about('PATCH /orgs/:orgId/users/:userId', `/orgs/${orgId}/users/${one.id}`, { role: 'Editor' }, member),
      about('PUT /users/:id', `/users/${one.id}`, { login: one.login }, user),
      about('PUT /admin/users/:id/password', `/admin/users/${one.id}/password`, { password: 'Another-123456' }, user),
      about('PUT /admin/users/:id/permissions', `/admin/users/${one.id}/permissions`, { isGrafanaAdmin: false }, user),
      about('PUT /teams/:teamId/preferences', `/teams/${teamId}/preferences`, { theme: 'dark' }, team),
      about('PATCH /teams/:teamId/preferences', `/teams/${teamId}/preferences`, { theme: 'dark' }, team),
      about('PUT /teams/:teamId/members', `/teams/${teamId}/members`, { members: [one.email], admins: [] }, team),
      about('PATCH /serviceaccounts/:id', `/serviceaccounts/${account.id}`, { role: 'Viewer' }, [
        ['id', account.id, account.id + 1],
        ['serviceAccountId', account.id, account.id + 1],
        ['uid', account.uid, 'another'],
      ]),
      about('PUT /annotations/:annotationId', `/annotations/${note}`, { text: 'changed' }, [['id', note, note + 1]]),
      about('PUT /v1/sso-settings/:provider', '/v1/sso-settings/github', { settings: { clientId: 'x' } }, [
        ['provider', 'github', 'google'],
      ]),
    ];
  });

  // Promise: specification 4.12
  it('is refused with 400, and changes nothing', async () => {
    for (const { route, path, body, names } of changes) {
      const [method = ''] = route.split(' ');
      for (const [member, , other] of names) {
        const before = server().api.registry.cacher.revision;
        const sent = { ...body, [member]: other };
        const { message } = await ask(400, method, path, sent);
        if (!route.includes('sso')) expect(message, `${route} ${member}`).to.include('this request is for');
        expect(server().api.registry.cacher.revision, route).to.equal(before);
      }
    }
  });

  it('is done if the body names the thing of the path, or says nothing with null, 0 or an empty text', async () => {
    for (const { route, path, body, names } of changes.filter((change) => change.names.length > 0)) {
      const [method = ''] = route.split(' ');
      const [[member, own]] = names as [Change['names'][number]];
      const unset = typeof own === 'number' ? [0, null] : ['', null];
      for (const value of member === 'rules' ? [own] : [own, ...unset]) {
        const answer = await call(method, path, { body: { ...body, [member]: value } });
        expect(answer.status, `${route} ${member} ${value}: ${answer.text}`).to.be.within(200, 204);
        // A change of a role also warns of who gains access.
        expect(answer.headers['warning'] ?? '', `${route} ${member} ${value}`).not.to.include(member);
      }
    }
  });

  // Promise: specification 4.12
  it('is tried on every route that changes something', () => {
    const tried = new Set([...changes.map(({ route }) => route), ...NAMELESS, ...ELSEWHERE]);
    const all = legacyRoutesOf(server())
      .filter(({ method }) => method === 'PUT' || method === 'PATCH')
      .map(({ method, path }) => `${method} ${path}`);
    expect(all.filter((route) => !tried.has(route))).to.deep.equal([]);
  });

  it('is refused of the caller, too', async () => {
    const { info, id, uid, login } = await person();
    const change = (members: object) => call('PUT', '/user', { user: info, body: { login, ...members } });
    for (const members of [{ id: id + 1 }, { uid: 'another' }]) expect((await change(members)).status).to.equal(400);
    expect((await change({ id, uid })).status).to.equal(200);
    const query = { datasourceUid: 'x', queries: [{ refId: 'A' }] };
    const { result } = await ask(200, 'POST', '/query-history', query, { user: info });
    const comment = { uid: 'another', comment: 'x' };
    await ask(400, 'PATCH', `/query-history/${result.uid}`, comment, { user: info });
  });

  it('is refused if the name is no text, such as {"toString": 1}', async () => {
    for (const { path, body, names, route } of changes.slice(0, 3)) {
      const [[member]] = names as [Change['names'][number]];
      for (const value of [{ toString: 1 }, [], [[1]], true]) {
        const [method = ''] = route.split(' ');
        const { status, text } = await call(method, path, { body: { ...body, [member]: value } });
        expect(status, `${route} ${text}`).to.equal(400);
      }
    }
  });

  it('is done with a warning if the body has the number of an organization of another server', async () => {
    for (const [path, members] of [
      ['/org', ['id', 'orgId']],
      ['/org/address', ['id', 'orgId']],
      [`/orgs/${organization}`, ['id', 'orgId']],
      [`/orgs/${organization}/address`, ['id', 'orgId']],
    ] as const) {
      const read = await ask(200, 'GET', path.replace('/address', ''));
      for (const member of members) {
        const sent = path.includes('address') ? { city: 'Bonn' } : { name: read.name };
        expect((await call('PUT', path, { body: { ...sent, [member]: read.id } })).headers['warning']).to.equal(
          undefined,
        );
        const { status, text, headers } = await call('PUT', path, { body: { ...sent, [member]: 77 } });
        expect(status, `${path} ${text}`).to.equal(200);
        expect([headers['warning']].flat(), path).to.include(
          `299 - "ignored field \\"${member}\\": this request does not change it"`,
        );
      }
    }
  });

  it('is done with a warning if an organization that gets another name comes with another address', async () => {
    const path = `/orgs/${organization}`;
    const read = await ask(200, 'GET', path);
    expect((await call('PUT', path, { body: read })).headers['warning']).to.equal(undefined);
    const { headers } = await call('PUT', path, { body: { ...read, address: { ...read.address, city: 'Ulm' } } });
    expect(`${headers['warning']}`).to.include('ignored field').and.to.include('address');
  });

  it('is done with a warning if a rule or a group has another name or place where a script has read it', async () => {
    const warned = async (path: string, body: object, fields: readonly string[]): Promise<Json> => {
      const { status, text, headers } = await call('PUT', path, { body });
      expect(status, text).to.equal(200);
      const words = fields.map((name) => `299 - "ignored field \\"${name}\\": this request does not change it"`);
      expect([headers['warning'] ?? []].flat(), JSON.stringify(body)).to.deep.equal(words);
      return JSON.parse(text);
    };
    const path = `/v1/provisioning/alert-rules/${rule.uid}`;
    await warned(path, { ...rule, id: 0, orgID: 0 }, []);
    const { uid } = await warned(path, { ...rule, uid: 'another', orgID: 7, id: 77777 }, ['uid', 'orgID', 'id']);
    expect(uid).to.equal(rule.uid);
    await warned(group, { title: 'group', folderUid: rule.folderUID, rules: [rule] }, []);
    await warned(group, { title: 'another', folderUid: 'another', rules: [rule] }, ['title', 'folderUid']);
    const rules = [{ ...rule, folderUID: 'another', ruleGroup: 'another' }];
    const written = await warned(group, { rules }, ['rules[].folderUID', 'rules[].ruleGroup']);
    expect(written.rules[0]).to.include({ folderUID: rule.folderUID, ruleGroup: 'group' });
  });

  // Promise: specification 4.12
  it('is warned of where the body asks for another place, organization or right', async () => {
    const { uid: parent } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const { uid, id } = await ask(200, 'POST', '/folders', { title: fresh('Folder'), parentUid: parent });
    const user = await person();
    const { id: note } = await ask(200, 'POST', '/annotations', { text: 'x' });
    for (const [method, path, body, fields] of [
      ['PUT', `/folders/${uid}`, { title: 'T', overwrite: true, parentUid: parent, orgId: 1, id }, []],
      ['PUT', `/folders/${uid}`, { title: 'T', overwrite: true, parentUid: 'general' }, ['parentUid']],
      ['PUT', `/folders/${uid}`, { title: 'T', overwrite: true, orgId: 2, id: id + 1 }, ['orgId', 'id']],
      [
        'PUT',
        `/users/${user.id}`,
        { login: user.login, isDisabled: true, isGrafanaAdmin: true },
        ['isDisabled', 'isGrafanaAdmin'],
      ],
      ['PATCH', `/annotations/${note}`, { text: 'y', dashboardUID: 'other', panelId: 7 }, ['dashboardUID', 'panelId']],
      ['PATCH', `/org/users/${user.id}`, { role: 'Viewer', orgId: 1, isDisabled: false }, []],
      ['PATCH', `/org/users/${user.id}`, { role: 'Viewer', orgId: 5, isDisabled: true }, ['orgId', 'isDisabled']],
    ] as const) {
      const answer = await call(method, path, { body });
      expect(answer.status, path).to.equal(200);
      const expected = fields.map((name) => `299 - "ignored field \\"${name}\\": this request does not change it"`);
      expect([answer.headers['warning'] ?? []].flat(), path).to.deep.equal(expected);
    }
  });
});

oneStore('a request that makes a thing, and asks for more than it gets', (server) => {
  const { ask, call } = legacyOf(server);
  const warningsOf = async (path: string, body: object, method = 'POST'): Promise<readonly unknown[]> => {
    const { status, text, headers } = await call(method, path, { body });
    expect(status, `${path} ${text}`).to.be.within(200, 201);
    return [headers['warning'] ?? []].flat().map((one) => one.replaceAll('\\"', '').replace(/^299 - "(.*)"$/, '$1'));
  };
  const board = async (uid = fresh('board')): Promise<Json> =>
    ask(200, 'POST', '/dashboards/db', { dashboard: { uid, title: uid } });

  // Promise: specification 4.11
  it('is warned of its number, uid, rights and contents that the route does not set', async () => {
    for (const [path, body, fields] of [
      ['/folders', { title: fresh('F'), id: 77, orgId: 1 }, ['id']],
      ['/folders', { title: fresh('F'), id: 0, orgId: 2, version: 3, parents: [{}] }, ['orgId']],
      ['/teams', { name: fresh('t'), uid: 'mine', orgId: 1 }, ['uid']],
      ['/orgs', { name: fresh('O'), address: { city: 'Bonn' } }, ['address']],
      ['/orgs', { name: fresh('O'), address: {} }, []],
      [
        '/admin/users',
        { login: fresh('u'), password: 'Another-123456', isGrafanaAdmin: true, isDisabled: false },
        ['isGrafanaAdmin'],
      ],
      ['/serviceaccounts', { name: fresh('A'), role: 'Viewer', uid: 'mine' }, ['uid']],
      ['/annotations', { text: 'x', userId: 7 }, ['userId']],
    ] as const)
      expect(await warningsOf(path, body), path).to.deep.equal(fields.map((name) => `unknown field ${name}`));
  });

  // Promise: specification 4.11
  it('is warned of a number beside a uid that is not that of the same thing', async () => {
    const [one, other] = [await board(), await board()];
    const folders = await Promise.all(['a', 'b'].map((title) => ask(200, 'POST', '/folders', { title: fresh(title) })));
    const [folder, another] = folders as [Json, Json];
    const save = (id: number, folderId: number) => ({
      dashboard: { uid: one.uid, id, title: one.uid },
      folderUid: folder.uid,
      folderId,
      overwrite: true,
    });
    const ignored = (name: string) => [`ignored field ${name}: the uid beside it counts`];
    const element = { name: fresh('e'), kind: 1, model: { type: 'text' }, folderUid: folder.uid };
    const note = { text: 'x', dashboardUID: one.uid, panelId: 1 };
    for (const [path, body, expected] of [
      ['/dashboards/db', save(one.id, folder.id), []],
      ['/dashboards/db', save(other.id, folder.id), ignored('dashboard.id')],
      ['/dashboards/db', save(one.id, another.id), ignored('folderId')],
      ['/dashboards/db', save(77_777, 0), ignored('dashboard.id')],
      ['/library-elements', { ...element, name: fresh('e'), folderId: folder.id }, []],
      ['/library-elements', { ...element, name: fresh('e'), folderId: another.id }, ignored('folderId')],
      ['/annotations', { ...note, dashboardId: one.id }, []],
      ['/annotations', { ...note, dashboardId: other.id }, ignored('dashboardId')],
      ['/annotations/mass-delete', { ...note, text: undefined, dashboardId: other.id }, ignored('dashboardId')],
    ] as const)
      expect(await warningsOf(path, body), `${path} ${JSON.stringify(body)}`).to.deep.equal(expected);
    const dashboard = { uid: fresh('board'), title: fresh('Board') };
    expect(await warningsOf('/dashboards/db', { dashboard, meta: { folderUid: 'nowhere' } })).to.deep.equal([
      'ignored field meta.folderUid: there is no such folder',
    ]);
    const home = { homeDashboardUID: one.uid, homeDashboardId: other.id };
    expect(await warningsOf('/org/preferences', home, 'PATCH')).to.deep.equal(ignored('homeDashboardId'));
    const { headers } = await call('GET', `/annotations?dashboardUID=${one.uid}&dashboardId=${other.id}`);
    expect(`${headers['warning']}`).to.include('ignored query parameter \\"dashboardId\\"');
  });
});
