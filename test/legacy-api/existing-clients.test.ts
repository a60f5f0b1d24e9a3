import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

oneStore('requests of existing clients', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  const resources = iam(server);

  describe('that leave out zero values', () => {
    it('PUT /api/admin/users/:id/permissions {} takes the administration of the server away', async () => {
      const { id } = await person({ spec: { grafanaAdmin: true } });
      await person({ spec: { grafanaAdmin: true } });
      await ask(200, 'PUT', `/admin/users/${id}/permissions`, {});
      expect(await ask(200, 'GET', `/users/${id}`)).to.include({ isGrafanaAdmin: false });
    });

    it('PUT /api/teams/:id/members/:userId {} makes an admin a member', async () => {
      const [{ id }, { teamId }] = [await person(), await ask(200, 'POST', '/teams', { name: fresh('team') })];
      await ask(200, 'POST', `/teams/${teamId}/members`, { userId: id, permission: 4 });
      await ask(200, 'PUT', `/teams/${teamId}/members/${id}`, {});
      const members = await ask(200, 'GET', `/teams/${teamId}/members`);
      expect(members.map(({ userId, permission }: Json) => [userId, permission])).to.deep.equal([[id, 0]]);
    });

    // Promise: specification 4.11
    it('POST /api/access-control/folders/:uid/… without permission, or with an empty one, removes it', async () => {
      const [{ id }, { uid }] = [await person(), await ask(200, 'POST', '/folders', { title: fresh('Folder') })];
      const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
      const path = `/access-control/folders/${uid}`;
      for (const body of [{}, { permission: '' }, { permission: null }]) {
        for (const subject of [`users/${id}`, `teams/${teamId}`, 'builtInRoles/Viewer']) {
          await ask(200, 'POST', `${path}/${subject}`, { permission: 'Admin' });
          expect(await ask(200, 'POST', `${path}/${subject}`, body)).to.deep.equal({ message: 'Permission removed' });
        }
      }
      const left = await ask(200, 'GET', path);
      expect(left.filter(({ permission }: Json) => permission === 'Admin')).to.deep.equal([]);
      await refused(400, { message: 'user not found' }, 'POST', `${path}/users/999999`, { permission: 'View' });
    });

    it('POST /api/access-control/teams/:id/users/:userId without permission removes the member', async () => {
      const [{ id }, { teamId }] = [await person(), await ask(200, 'POST', '/teams', { name: fresh('team') })];
      const path = `/access-control/teams/${teamId}/users/${id}`;
      await ask(200, 'POST', path, { permission: 'Member' });
      expect(await ask(200, 'POST', path, {})).to.deep.equal({ message: 'Permission removed' });
      expect(await ask(200, 'GET', `/teams/${teamId}/members`)).to.deep.equal([]);
    });
  });

  it('that send what they have read are told what was ignored', async () => {
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const body = { ...(await ask(200, 'GET', `/folders/${uid}`)), title: fresh('Folder'), parent: 'other' };
    const { status, headers } = await call('PUT', `/folders/${uid}`, { body });
    expect([status, headers['warning']]).to.deep.equal([200, ['299 - "unknown field \\"parent\\""']]);
    const { headers: read } = await call('GET', `/folders/${uid}?forse=true`);
    expect(read['warning']).to.deep.equal(['299 - "unknown query parameter \\"forse\\""']);
  });

  it('GET /api/users?query= filters like /api/users/search', async () => {
    const { login } = await person({ prefix: 'needle' });
    const listed = await ask(200, 'GET', `/users?query=${login.toUpperCase()}`);
    expect(listed.map((one: Json) => one.login)).to.deep.equal([login]);
    expect((await ask(200, 'GET', `/users/search?query=${login}`)).users).to.deep.equal(listed);
  });

  it('?accesscontrol=true adds the actions that the caller has on the object, and nothing adds others', async () => {
    const account = await ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer' });
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    const { id, info } = await person();
    await ask(200, 'POST', `/teams/${teamId}/members`, { userId: id });
    for (const [path, action] of [
      [`/serviceaccounts/${account.id}`, 'serviceaccounts:write'],
      [`/folders/${uid}`, 'folders:delete'],
      [`/teams/${teamId}`, 'teams:delete'],
      [`/users/${id}`, 'users:write'],
      ['/orgs/1', 'orgs:write'],
      ['/org', 'orgs:write'],
    ] as const) {
      const { accessControl } = await ask(200, 'GET', `${path}?accesscontrol=true`);
      expect(accessControl, path).to.include({ [action]: true });
      expect(new Set(Object.values(accessControl)), path).to.deep.equal(new Set([true]));
      expect(await ask(200, 'GET', path), path).not.to.have.property('accessControl');
    }
    const own = { 'teams:read': true, 'teams.permissions:read': true };
    const seen = await ask(200, 'GET', `/teams/${teamId}?accesscontrol=true`, undefined, { user: info });
    expect(seen.accessControl).to.deep.equal(own);
    const { teams } = await ask(200, 'GET', '/teams/search?accesscontrol=true', undefined, { user: info });
    expect(teams.map((one: Json) => one.accessControl)).to.deep.equal([own]);
  });

  it('PUT /api/users/unknown answers 404 "User not found"', async () => {
    await refused(404, { message: 'User not found' }, 'PUT', '/users/unknown', { login: 'x' });
    await refused(404, { message: 'user not found' }, 'PUT', '/users/999999', { login: 'x' });
  });

  it('POST /api/user/using/x answers 400 "id is invalid"', async () => {
    await refused(400, { message: 'id is invalid' }, 'POST', '/user/using/x');
  });

  it('POST /api/users/9999/using/1 answers 401 "Unauthorized"', async () => {
    await refused(401, { message: 'Unauthorized' }, 'POST', '/users/9999/using/1');
    await refused(400, { message: 'id is invalid' }, 'POST', '/users/x/using/1');
  });

  it('DELETE /api/orgs/-9999 answers 404 "Failed to delete organization. ID not found"', async () => {
    await refused(404, { message: 'Failed to delete organization. ID not found' }, 'DELETE', '/orgs/-9999');
    await refused(400, { message: 'orgId is invalid' }, 'DELETE', '/orgs/x');
  });

  it('GET /api/admin/settings has the section plugins', async () => {
    expect(await ask(200, 'GET', '/admin/settings'))
      .to.have.property('plugins')
      .that.deep.equals({});
  });

  it('a deleted organization is in no list and not found at once, also while its contents are being removed', async () => {
    const { info, login } = await person();
    const name = fresh('Going');
    const { orgId } = await ask(200, 'POST', '/orgs', { name });
    await ask(200, 'POST', `/orgs/${orgId}/users`, { loginOrEmail: login, role: 'Viewer' });
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    const folder = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: 'Held' } };
    const folders = `/apis/folder.svc.app/v1beta1/namespaces/org-${orgId}/folders`;
    expect((await server().call('POST', folders, { body: folder })).status).to.equal(201);
    expect(await ask(200, 'DELETE', `/orgs/${orgId}`)).to.deep.equal({ message: 'Organization deleted' });
    expect((await resources.get('Organization', `org-${orgId}`)).status).to.equal(200);
    const lists = await Promise.all([
      ask(200, 'GET', '/orgs'),
      ask(200, 'GET', '/user/orgs', undefined, { user: info }),
    ]);
    for (const list of lists) expect(list.map((one: Json) => one.orgId ?? one.id)).not.to.include(orgId);
    const missing = { message: 'Organization not found' };
    await refused(404, missing, 'GET', `/orgs/${orgId}`);
    await refused(404, missing, 'GET', `/orgs/name/${name}`);
    await refused(404, missing, 'GET', `/orgs/${orgId}/users`);
    await refused(404, { message: 'Failed to delete organization. ID not found' }, 'DELETE', `/orgs/${orgId}`);
    const within = await call('GET', '/folders', { headers: { 'x-grafana-org-id': String(orgId) } });
    expect(within.status).to.equal(404);
  });

  it('preferences take "cookies": null, and cookies as a list', async () => {
    const { info } = await person();
    const set = (body: Json) => call('PUT', '/user/preferences', { body, user: info });
    expect((await set({ theme: null, cookies: null, navbar: null, queryHistory: null })).status).to.equal(200);
    expect((await set({ theme: 'dark', cookies: ['analytics'] })).status).to.equal(200);
    const expected = { theme: 'dark', cookiePreferences: { analytics: {} } };
    expect(await ask(200, 'GET', '/user/preferences', undefined, { user: info })).to.deep.equal(expected);
    expect((await set({ cookies: ['biscuits'] })).status).to.equal(400);
  });

  it('send null for what is not set, in any body', async () => {
    const folder = await ask(200, 'POST', '/folders', {
      uid: null,
      title: fresh('Null'),
      parentUid: null,
      description: null,
    });
    const { uid } = await ask(200, 'POST', '/dashboards/db', {
      dashboard: { title: fresh('Null'), tags: null },
      folderUid: null,
      overwrite: null,
      message: null,
    });
    await ask(200, 'POST', '/annotations', { dashboardUID: uid, text: 'x', time: null, tags: [null], data: null });
    await ask(200, 'PUT', `/folders/${folder.uid}`, { title: fresh('Null'), version: null, overwrite: true });
    expect((await call('POST', '/folders', { body: { title: null } })).status).to.equal(400);
  });

  it('write roles in any case', async () => {
    const account = await ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'editor' });
    expect(account.role).to.equal('Editor');
    expect(
      (await ask(200, 'PATCH', `/serviceaccounts/${account.id}`, { role: 'VIEWER' })).serviceaccount.role,
    ).to.equal('Viewer');
    const { id } = await person();
    await ask(200, 'PATCH', `/org/users/${id}`, { role: 'editor' });
    const members = await ask(200, 'GET', '/org/users');
    expect(members.find(({ userId }: Json) => userId === id).role).to.equal('Editor');
    expect((await ask(400, 'PATCH', `/org/users/${id}`, { role: 'boss' })).message).to.include(
      'bad request data: role',
    );
  });

  it('send keys of sign-on settings that the provider does not have, if they are not set', async () => {
    const settings = {
      clientId: 'x',
      enabled: false,
      define_allowed_groups: false,
      id_token_attribute_name: '',
      team_ids: '',
    };
    await ask(204, 'PUT', '/v1/sso-settings/google', { settings });
    await ask(400, 'PUT', '/v1/sso-settings/google', { settings: { ...settings, team_ids: '7' } });
    const read = await ask(200, 'GET', '/v1/sso-settings/google');
    expect(read.settings).to.not.have.property('defineAllowedGroups');
  });

  it('read back the states of recording rules as they were sent', async () => {
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    const data = [{ refId: 'A', datasourceUid: '__expr__', model: { type: 'math', expression: '1' } }];
    const record = { metric: 'm', from: 'A' };
    const rule = {
      title: fresh('rule'),
      folderUID: uid,
      ruleGroup: 'g',
      data,
      record,
      noDataState: '',
      execErrState: '',
    };
    const made = await ask(201, 'POST', '/v1/provisioning/alert-rules', rule);
    expect(made).to.include({ noDataState: '', execErrState: '' });
  });

  it('find no core group and no reviews if they cannot read these', async () => {
    const headers = { 'user-agent': 'gcx/1.0.0 (linux/amd64)' };
    expect((await server().call('GET', '/api', { headers })).status).to.equal(404);
    const groups = (JSON.parse((await server().call('GET', '/apis', { headers })).text) as Json)[
      'groups'
    ] as readonly Json[];
    const names = groups.map(({ name }) => name);
    expect(names).to.include('folder.svc.app').and.not.include('authorization.k8s.io');
    const all = (JSON.parse((await server().call('GET', '/apis')).text) as Json)['groups'] as readonly Json[];
    expect(all.map(({ name }) => name)).to.include('authorization.k8s.io');
    expect((await server().call('GET', '/api')).status).to.equal(200);
  });

  it('robots have no preferences of their own', async () => {
    await ask(403, 'GET', '/user/preferences', undefined, { user: await robot() });
  });
});

for (const [compatibility, type, status] of [
  ['specification', 'text/plain; charset=UTF-8', 404],
  ['clients', 'application/json', 200],
] as const) {
  oneStore(
    `legacy.compatibility=${compatibility}`,
    (server) => {
      const { ask, call } = legacyOf(server);
      const { person } = peopleOf(server);

      it(`answers changes of preferences as ${type}, with a JSON body`, async () => {
        const { info } = await person();
        const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
        for (const [method, path, user] of [
          ['PUT', '/user/preferences', info],
          ['PATCH', '/user/preferences', info],
          ['PUT', '/org/preferences', undefined],
          ['PATCH', '/org/preferences', undefined],
          ['PUT', `/teams/${teamId}/preferences`, undefined],
        ] as const) {
          const answer = await call(method, path, { body: { theme: 'dark' }, ...(user && { user }) });
          expect(answer.headers['content-type'], path).to.equal(type);
          expect(JSON.parse(answer.text), path).to.deep.equal({ message: 'Preferences updated' });
        }
      });

      it(`answers the search for a team name that nobody has with ${status}`, async () => {
        const found = await ask(status, 'GET', '/teams/search?name=nobody');
        if (status === 200) expect(found).to.deep.equal({ totalCount: 0, teams: [], page: 1, perPage: 1000 });
        else expect(found).to.deep.equal({ message: 'Team not found' });
      });

      it(`takes a rule whose condition is none of its queries: ${status === 200}`, async () => {
        const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
        const data = [{ refId: 'A', datasourceUid: '__expr__', model: { type: 'math', expression: '1' } }];
        const rule = { title: fresh('rule'), folderUID: uid, ruleGroup: 'g', data, condition: 'B' };
        await ask(status === 200 ? 201 : 400, 'POST', '/v1/provisioning/alert-rules', rule);
      });
    },
    { compatibility },
  );
}
