import { expect } from 'chai';
import { type Answer, basic, bearer, oneStore } from '../authn/harness.js';
import { shortened, TIME } from './legacy.js';

type Json = Readonly<Record<string, unknown>>;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
oneStore('the signed-in user in the legacy API', (server) => {
  let people = 0;
  const newUser = async (spec: object = {}, password = 'right'): Promise<string> => {
    people += 1;
    const name = `person${people}`;
    await server().user(name, spec, password);
    return name;
  };
  const as = (login: string, password = 'right') => ({
    get: (path: string) => server().ask(`/api${path}`, { headers: basic(login, password) }),
    send: (method: string, path: string, body?: unknown) =>
      server().ask(`/api${path}`, { method, headers: basic(login, password), ...(body !== undefined && { body }) }),
  });
  const origin = () => ({ origin: `http://127.0.0.1:${server().port}` });
  const session = async (user: string, password = 'right') => {
    const headers = { 'user-agent': FIREFOX };
    const answer = await server().ask('/login', { method: 'POST', body: { user, password }, headers });
    const cookie = { cookie: `grafana_session=${answer.cookies['grafana_session']}` };
    return {
      get: (path: string) => server().ask(`/api${path}`, { headers: cookie }),
      send: (method: string, path: string, body?: unknown) =>
        server().ask(`/api${path}`, {
          method,
          headers: { ...cookie, ...origin() },
          ...(body !== undefined && { body }),
        }),
    };
  };
  const statusAndBody = ({ status, json }: Answer) => [status, json];
  const said = ({ status, json }: Answer) => [status, shortened(json)];
  const list = (answer: Answer): readonly Json[] => answer.json as unknown as readonly Json[];

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

  it('GET /api/user is refused without credentials, and for service accounts', async () => {
    expect((await server().ask('/api/user')).status).to.equal(401);
    await server().create('serviceaccounts', 'robot', { title: 'robot', role: 'Admin', disabled: false }, 'default');
    const { text } = await server().tokens.issue(
      { namespace: 'default', account: 'robot', title: 't' },
      { user: { name: 'system:test', uid: '', groups: ['system:masters'], extra: {} } },
    );
    for (const path of ['/user', '/user/orgs', '/user/teams', '/user/preferences', '/users']) {
      const answer = await server().ask(`/api${path}`, { headers: bearer(text) });
      expect(statusAndBody(answer), path).to.deep.equal([403, { message: 'Endpoint only available for users' }]);
    }
    const tokens = await server().ask('/api/user/auth-tokens', { headers: bearer(text) });
    expect(statusAndBody(tokens)).to.deep.equal([403, { message: 'entity not allowed to get tokens' }]);
    const revoking = { method: 'POST', headers: bearer(text), body: { authTokenId: 1 } };
    const refused = await server().ask('/api/user/revoke-auth-token', revoking);
    expect(statusAndBody(refused)).to.deep.equal([403, { message: 'entity not allowed to revoke tokens' }]);
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

  it('PUT /api/user/password requires the old password, and the new one is valid at once', async () => {
    const name = await newUser();
    const change = (oldPassword: unknown, newPassword: unknown) =>
      as(name).send('PUT', '/user/password', { oldPassword, newPassword, confirmNew: newPassword });
    expect(statusAndBody(await change('wrong', 'brand new'))).to.deep.equal([400, { message: 'Invalid old password' }]);
    const short = await change('right', 'abc');
    expect([short.status, short.json['messageId']]).to.deep.equal([400, 'password.password-policy-too-short']);
    expect(said(await change({ $gt: '' }, 'brand new'))).to.deep.equal([400, { message: 'bad request data' }]);
    expect(said(await change('right', { $gt: '' }))).to.deep.equal([400, { message: 'bad request data' }]);
    expect(statusAndBody(await change('right', 'brand new'))).to.deep.equal([
      200,
      { message: 'User password changed' },
    ]);
    expect((await as(name).get('/user')).status).to.equal(401);
    expect((await as(name, 'brand new').get('/user')).status).to.equal(200);
  });

  it('PUT /api/user/password succeeds for one of several concurrent requests with the same old password', async () => {
    const name = await newUser();
    const own = await session(name);
    const change = (newPassword: string) =>
      own
        .send('PUT', '/user/password', { oldPassword: 'right', newPassword })
        .then((answer) => ({ answer, newPassword }));
    const all = await Promise.all(['first one', 'second one', 'third one'].map(change));
    const [done, ...late] = all.toSorted((a, b) => a.answer.status - b.answer.status);
    expect(statusAndBody(done?.answer as Answer)).to.deep.equal([200, { message: 'User password changed' }]);
    for (const { answer, newPassword } of late) {
      expect(statusAndBody(answer)).to.deep.equal([400, { message: 'Invalid old password' }]);
      expect((await as(name, newPassword).get('/user')).status).to.equal(401);
    }
    expect((await as(name, done?.newPassword).get('/user')).status).to.equal(200);
  });

  it('PUT /api/user/password ends the other sessions, but not the session of the request', async () => {
    const name = await newUser();
    const [own, other] = [await session(name), await session(name)];
    const answer = await own.send('PUT', '/user/password', { oldPassword: 'right', newPassword: 'brand new' });
    expect(answer.status, answer.text).to.equal(200);
    expect((await own.get('/user')).status).to.equal(200);
    expect((await other.get('/user')).status).to.equal(401);
  });

  it('PUT /api/user/password is throttled in the same way as a login', async () => {
    const name = await newUser();
    const own = await session(name);
    const guess = () => own.send('PUT', '/user/password', { oldPassword: 'wrong', newPassword: 'brand new' });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await guess()).status);
    expect(statuses).to.deep.equal([400, 400, 400, 400, 400, 429, 429]);
  });

  it('POST /api/user/using/:organizationId and GET /api/user/orgs choose and list the own organizations', async () => {
    const name = await newUser();
    const { metadata } = await server().create('organizations', 'second', { title: 'Second' });
    const orgId = Number(metadata.labels?.['svc.app/deprecatedInternalID']);
    const not = [401, { message: 'Not a valid organization' }];
    expect(statusAndBody(await as(name).send('POST', `/user/using/${orgId}`))).to.deep.equal(not);
    await server().create('organizationbindings', name, { userRef: { name }, role: 'Editor' }, 'second');
    expect((await as(name).get('/user/orgs')).json).to.deep.equal([
      { orgId: 1, name: 'Main Org.', role: 'Viewer' },
      { orgId, name: 'Second', role: 'Editor' },
    ]);
    const changed = await as(name).send('POST', `/user/using/${orgId}`);
    expect(statusAndBody(changed)).to.deep.equal([200, { message: 'Active organization changed' }]);
    expect((await as(name).get('/user')).json['orgId']).to.equal(orgId);
    expect(statusAndBody(await as(name).send('POST', '/user/using/x'))).to.deep.equal([
      400,
      { message: 'id is invalid' },
    ]);
    expect(statusAndBody(await as(name).send('POST', '/user/using/999999'))).to.deep.equal(not);
  });

  it('the active organization of a user who chose none is the one with the lowest id, in all answers', async () => {
    const admin = await newUser({ grafanaAdmin: true });
    const makeOrganization = async (): Promise<number> => {
      people += 1;
      return Number((await as(admin).send('POST', '/orgs', { name: `Organization ${people}` })).json['orgId']);
    };
    // In the order of names, org-10 is before org-9.
    const ids = [await makeOrganization()];
    while (ids.at(-1) !== 10) ids.push(await makeOrganization());
    const name = await newUser();
    const gone = `/apis/iam.svc.app/v1beta1/namespaces/default/organizationbindings/${name}`;
    expect((await server().ask(gone, { method: 'DELETE', headers: basic(admin, 'right') })).status).to.equal(200);
    for (const id of [10, 9])
      await server().create('organizationbindings', name, { userRef: { name }, role: 'Editor' }, `org-${id}`);

    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const works = async () => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const review = await server().ask(path, { method: 'POST', headers: basic(name, 'right'), body });
      const { userInfo } = review.json['status'] as { readonly userInfo: { readonly extra: Json } };
      return {
        user: (await as(name).get('/user')).json['orgId'],
        org: (await as(name).get('/org')).json['id'],
        extra: userInfo.extra['svc.app/organization'],
      };
    };
    expect(await works()).to.deep.equal({ user: 9, org: 9, extra: ['org-9'] });
    expect((await as(name).send('POST', '/user/using/10')).status).to.equal(200);
    expect(await works()).to.deep.equal({ user: 10, org: 10, extra: ['org-10'] });
    const left = `/apis/iam.svc.app/v1beta1/namespaces/org-10/organizationbindings/${name}`;
    expect((await server().ask(left, { method: 'DELETE', headers: basic(admin, 'right') })).status).to.equal(200);
    expect(await works()).to.deep.equal({ user: 9, org: 9, extra: ['org-9'] });
  });

  it('GET /api/user/teams lists the own teams', async () => {
    const name = await newUser();
    expect((await as(name).get('/user/teams')).json).to.deep.equal([]);
    await server().create('teams', name, { title: `Team of ${name}`, email: 't@example.com' }, 'default');
    const spec = { teamRef: { name }, userRef: { name }, permission: 'admin' };
    await server().create('teambindings', `${name}.${name}`, spec, 'default');
    const [team] = list(await as(name).get('/user/teams'));
    expect(team).to.include({ uid: name, orgId: 1, name: `Team of ${name}`, email: 't@example.com', memberCount: 1 });
    expect(team).to.include({ permission: 4 });
  });

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

  it('GET, PUT and PATCH /api/org/preferences are for administrators of the organization', async () => {
    const name = await newUser();
    expect((await as(name).get('/org/preferences')).status).to.equal(403);
    expect((await as(name).send('PUT', '/org/preferences', { theme: 'dark' })).status).to.equal(403);
    const admin = as('admin', 'admin');
    expect((await admin.send('PUT', '/org/preferences', { theme: 'dark' })).status).to.equal(200);
    expect((await admin.send('PATCH', '/org/preferences', { timezone: 'utc' })).status).to.equal(200);
    expect((await admin.get('/org/preferences')).json).to.deep.equal({ theme: 'dark', timezone: 'utc' });
  });

  it('GET /api/user/auth-tokens lists the sessions; POST /api/user/revoke-auth-token logs one out', async () => {
    const [name, stranger] = [await newUser(), await newUser()];
    expect((await as(name).get('/user/auth-tokens')).json).to.deep.equal([]);
    const [own, other, foreign] = [await session(name), await session(name), await session(stranger)];
    const tokens = list(await own.get('/user/auth-tokens'));
    expect(tokens.map(({ isActive }) => isActive)).to.have.members([true, false]);
    const [active, idle] = [tokens.find((one) => one['isActive']), tokens.find((one) => !one['isActive'])];
    expect(active).to.include({ clientIp: '127.0.0.1', browser: 'Firefox', browserVersion: '128.0', os: 'Linux' });
    expect(active).to.include.keys('id', 'device', 'osVersion', 'createdAt', 'seenAt');
    expect(active?.['createdAt']).to.match(TIME);
    const revoke = (authTokenId: unknown) => own.send('POST', '/user/revoke-auth-token', { authTokenId });
    const current = { message: 'Cannot revoke active user auth token' };
    expect(statusAndBody(await revoke(active?.['id']))).to.deep.equal([400, current]);
    const [strangers] = list(await foreign.get('/user/auth-tokens'));
    for (const id of [999_999, strangers?.['id']]) {
      expect(statusAndBody(await revoke(id))).to.deep.equal([404, { message: 'User auth token not found' }]);
    }
    expect(said(await revoke({ $gt: '' }))).to.deep.equal([400, { message: 'bad request data' }]);
    expect(statusAndBody(await revoke(idle?.['id']))).to.deep.equal([200, { message: 'User auth token revoked' }]);
    expect((await other.get('/user')).status).to.equal(401);
    expect((await own.get('/user')).status).to.equal(200);
    expect((await foreign.get('/user')).status).to.equal(200);
  });

  it('POST /api/user/auth-tokens/rotate changes the secret of the session', async () => {
    const name = await newUser();
    const own = await session(name);
    const answer = await own.send('POST', '/user/auth-tokens/rotate');
    expect(answer.status, answer.text).to.equal(200);
    const next = { cookie: `grafana_session=${answer.cookies['grafana_session']}` };
    expect((await server().ask('/api/user', { headers: next })).json['login']).to.equal(name);
    expect((await as(name).send('POST', '/user/auth-tokens/rotate')).status).to.equal(401);
  });

  it('a request with a cookie from a page of another site changes nothing', async () => {
    const name = await newUser();
    const { cookies } = await server().ask('/login', { method: 'POST', body: { user: name, password: 'right' } });
    const headers = { cookie: `grafana_session=${cookies['grafana_session']}`, origin: 'http://evil.example' };
    const answer = await server().ask('/api/user', { method: 'PUT', headers, body: { login: name, name: 'X' } });
    expect(answer.status).to.equal(403);
  });

  it('a user whom an administrator disables is refused at once, with every credential', async () => {
    const name = await newUser();
    const own = await session(name);
    const admin = as('admin', 'admin');
    const { json } = await admin.get(`/users/lookup?loginOrEmail=${name}`);
    expect((await admin.send('POST', `/admin/users/${json['id']}/disable`)).status).to.equal(200);
    expect((await own.get('/user')).status).to.equal(401);
    expect((await as(name).get('/user')).status).to.equal(401);
    expect((await admin.send('POST', `/admin/users/${json['id']}/enable`)).status).to.equal(200);
    expect((await as(name).get('/user')).status).to.equal(200);
  });
});
