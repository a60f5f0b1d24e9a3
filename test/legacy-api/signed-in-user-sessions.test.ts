import { expect } from 'chai';
import { type Answer, oneStore } from '../authn/harness.js';
import { TIME } from './legacy.js';
import { list, ownAccountsOf, said, statusAndBody } from './own-account.js';

oneStore('the password and the sessions of the signed-in user', (server) => {
  const { newUser, as, session } = ownAccountsOf(server);

  // Promise: specification 4.4
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

  // Promise: security browsers
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

  // Promise: specification 2.3, specification 3, specification 4.4
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
