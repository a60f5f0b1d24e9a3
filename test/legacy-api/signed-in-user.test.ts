import { expect } from 'chai';
import { basic, bearer, oneStore } from '../authn/harness.js';
import { TIME } from './legacy.js';
import { list, ownAccountsOf, said, statusAndBody } from './own-account.js';

oneStore('the signed-in user in the legacy API', (server) => {
  const { newUser, as, session } = ownAccountsOf(server);

  // Promise: specification 1, specification 2.3, specification 4.4
  it('GET /api/user returns the caller, with basic authentication and with a session', async () => {
    const name = await newUser({ name: 'A Person' });
    const { status, json } = await as(name).get('/user');
    expect(status).to.equal(200);
    expect(json).to.include({
      uid: name,
      login: name,
      email: `${name}@example.com`,
      name: 'A Person',
      theme: '',
      orgId: 1,
    });
    expect(json).to.include({ isGrafanaAdmin: false, isDisabled: false, isExternal: false });
    expect(json['authLabels']).to.deep.equal([]);
    expect(json['createdAt']).to.match(TIME);
    const { json: again } = await (await session(`${name}@example.com`)).get('/user');
    expect(again).to.deep.equal(json);
  });

  it('GET /api/users accepts the session of a server administrator as well as basic authentication', async () => {
    const [administrator, viewer] = [await newUser({ grafanaAdmin: true }), await newUser()];
    const own = await session(administrator);
    const found = await own.get(`/users/lookup?loginOrEmail=${viewer}`);
    expect(found.status, found.text).to.equal(200);
    const changed = await own.send('PUT', `/users/${found.json['id']}`, { login: viewer, name: 'By session' });
    expect(statusAndBody(changed)).to.deep.equal([200, { message: 'User updated' }]);
    expect((await own.get(`/users/${found.json['id']}`)).json).to.include({ login: viewer, name: 'By session' });
    expect((await (await session(viewer)).get('/users')).status).to.equal(403);
  });

  // Promise: specification 4.11, specification 5
  it('GET /api/user is refused without credentials, and tells a service account what it is', async () => {
    expect((await server().ask('/api/user')).status).to.equal(401);
    await server().create(
      'iam/serviceaccounts',
      'robot',
      { title: 'robot', role: 'Admin', disabled: false },
      'default',
    );
    const { text } = await server().tokens.issue(
      { namespace: 'default', account: 'robot', title: 't' },
      { user: { name: 'system:test', uid: '', groups: ['system:masters'], extra: {} } },
    );
    const account = JSON.parse((await server().ask('/api/user', { headers: bearer(text) })).text);
    expect(account).to.include({ uid: 'robot', name: 'robot', orgId: 1, isGrafanaAdmin: false, isDisabled: false });
    expect(account.login).to.equal(`sa-${account.id}-robot`);
    for (const path of ['/user/orgs', '/user/teams', '/user/preferences', '/users']) {
      const answer = await server().ask(`/api${path}`, { headers: bearer(text) });
      expect(statusAndBody(answer), path).to.deep.equal([403, { message: 'Endpoint only available for users' }]);
    }
    const tokens = await server().ask('/api/user/auth-tokens', { headers: bearer(text) });
    expect(statusAndBody(tokens)).to.deep.equal([403, { message: 'entity not allowed to get tokens' }]);
    const revoking = { method: 'POST', headers: bearer(text), body: { authTokenId: 1 } };
    const refused = await server().ask('/api/user/revoke-auth-token', revoking);
    expect(statusAndBody(refused)).to.deep.equal([403, { message: 'entity not allowed to revoke tokens' }]);
  });

  // Promise: specification 4.12
  it('PUT /api/user with an address alone keeps the login, so that the next request with it works', async () => {
    const name = await newUser();
    const email = `other-${name}@example.com`;
    expect((await as(name).send('PUT', '/user', { email })).status).to.equal(200);
    expect((await as(name).get('/user')).json).to.include({ login: name, email });
    expect((await as(name).send('PUT', '/user', { name: 'Nobody' })).status).to.equal(400);
  });

  it('PUT /api/user changes name, e-mail address, login and theme, and refuses logins of others', async () => {
    const [name, other] = [await newUser(), await newUser()];
    const body = { name: 'New', email: `new-${name}@example.com`, login: name, theme: 'dark' };
    expect(statusAndBody(await as(name).send('PUT', '/user', body))).to.deep.equal([200, { message: 'User updated' }]);
    expect((await as(name).get('/user')).json).to.include({ name: 'New', email: body.email, theme: 'dark' });
    const object = await server().ask(`/apis/iam.svc.app/v1beta1/users/${name}`, { headers: basic(name, 'right') });
    expect(object.json['spec']).to.include({ name: 'New', email: body.email, grafanaAdmin: false });
    const taken = await as(name).send('PUT', '/user', { ...body, login: other });
    expect(statusAndBody(taken)).to.deep.equal([409, { message: 'Update would result in user login conflict' }]);
    const operator = await as(name).send('PUT', '/user', { login: { $gt: '' } });
    expect(said(operator)).to.deep.equal([400, { message: 'bad request data' }]);
    const more = await as(name).send('PUT', '/user', { ...body, isGrafanaAdmin: true, grafanaAdmin: true });
    expect(more.status).to.equal(200);
    expect((await as(name).get('/user')).json).to.include({ isGrafanaAdmin: false });
  });

  // Promise: specification 2.4, specification 4.4
  it('GET /api/user/teams lists the own teams', async () => {
    const name = await newUser();
    expect((await as(name).get('/user/teams')).json).to.deep.equal([]);
    await server().create('iam/teams', name, { title: `Team of ${name}`, email: 't@example.com' }, 'default');
    const spec = { teamRef: { name }, userRef: { name }, permission: 'admin' };
    await server().create('iam/teambindings', `${name}.${name}`, spec, 'default');
    const [team] = list(await as(name).get('/user/teams'));
    expect(team).to.include({ uid: name, orgId: 1, name: `Team of ${name}`, email: 't@example.com', memberCount: 1 });
    expect(team).to.include({ permission: 4 });
  });

  // Promise: specification 1, specification 2.7, specification 2.10, specification 4.8, specification 4.12
  it('GET, PUT and PATCH /api/user/preferences store preferences, and answer JSON as text/plain', async () => {
    const name = await newUser();
    const { get, send } = as(name);
    expect(statusAndBody(await get('/user/preferences'))).to.deep.equal([200, {}]);
    const put = await send('PUT', '/user/preferences', { theme: 'dark', timezone: 'utc', weekStart: 'monday' });
    expect(put.headers['content-type']).to.match(/^text\/plain/);
    expect(statusAndBody(put)).to.deep.equal([200, { message: 'Preferences updated' }]);
    const patch = await send('PATCH', '/user/preferences', {
      theme: 'light',
      navbar: { bookmarkUrls: ['/a'] },
      queryHistory: { homeTab: 'starred' },
    });
    expect(patch.headers['content-type']).to.match(/^text\/plain/);
    const kept = { theme: 'light', timezone: 'utc', weekStart: 'monday', navbar: { bookmarkUrls: ['/a'] } };
    expect((await get('/user/preferences')).json).to.deep.equal({ ...kept, queryHistory: { homeTab: 'starred' } });
    await send('PUT', '/user/preferences', { theme: 'system' });
    expect((await get('/user/preferences')).json).to.deep.equal({ theme: 'system' });
    const path = `/apis/preferences.svc.app/v1beta1/namespaces/default/preferences/user-${name}`;
    const object = await server().ask(path, { headers: basic(name, 'right') });
    expect(object.json['spec']).to.deep.equal({ theme: 'system' });
    for (const [status, body, message] of [
      [400, { theme: 'pink' }, 'Invalid theme'],
      [400, { theme: { $gt: '' } }, 'bad request data'],
      [404, { homeDashboardUID: 'nothing' }, 'Dashboard not found'],
    ] as const) {
      for (const method of ['PUT', 'PATCH']) {
        expect(said(await send(method, '/user/preferences', body))).to.deep.equal([status, { message }]);
      }
    }
    expect((await send('PUT', '/user/preferences', { weekStart: 'friday' })).status).to.equal(400);
  });

  // Promise: specification 4.8
  it('GET, PUT and PATCH /api/org/preferences are for administrators of the organization', async () => {
    const name = await newUser();
    expect((await as(name).get('/org/preferences')).status).to.equal(403);
    expect((await as(name).send('PUT', '/org/preferences', { theme: 'dark' })).status).to.equal(403);
    const admin = as('admin', 'admin');
    expect((await admin.send('PUT', '/org/preferences', { theme: 'dark' })).status).to.equal(200);
    expect((await admin.send('PATCH', '/org/preferences', { timezone: 'utc' })).status).to.equal(200);
    expect((await admin.get('/org/preferences')).json).to.deep.equal({ theme: 'dark', timezone: 'utc' });
  });
});
