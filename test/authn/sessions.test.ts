import { once } from 'node:events';
import http from 'node:http';
import { expect } from 'chai';
import type { SessionSpec } from '../../apis/internal/session/schema.js';
import { type Answer, AS_ADMIN, oneStore } from './harness.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const MINUTE = 60_000;

oneStore('sessions', (server) => {
  const login = (user: string, password: string, headers: Record<string, string> = {}, secure = false) =>
    server().ask('/login', { method: 'POST', body: { user, password }, headers, secure });
  const cookie = ({ cookies }: Answer) => ({ cookie: `grafana_session=${cookies['grafana_session']}` });
  const session = async (user: string) => cookie(await login(user, 'right'));
  const whoami = (headers: Record<string, string>) => server().ask('/whoami', { headers });
  const origin = () => ({ origin: `http://127.0.0.1:${server().port}` });
  const stored = (uid: string) =>
    server()
      .services.reader.range('sessions.internal.svc.app', 'byUser', [uid])
      .map(({ spec }) => spec as SessionSpec);

  before(async () => {
    await server().user('alice', { grafanaAdmin: true }, 'right');
    await server().user('bob', {}, 'right');
  });

  it('start at POST /login and identify the browser as the user', async () => {
    const answer = await login('alice', 'right', { 'user-agent': FIREFOX });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({ message: 'Logged in', redirectUrl: '/' });
    const set = (answer.headers['set-cookie'] ?? []).find((one) => one.startsWith('grafana_session='));
    expect(set).to.match(/^grafana_session=[\w-]{43}; Path=\/; Max-Age=604800; SameSite=Lax; HttpOnly$/);
    const { json } = await whoami(cookie(answer));
    expect(json).to.include({ name: 'alice', uid: 'alice' });
    expect(json['extra'])
      .to.have.property('authentication.kubernetes.io/credential-id')
      .that.match(/^SESSION=/);
  });

  it('are stored with a hash of the secret, and with the description of the browser', async () => {
    const answer = await login('bob', 'right', { 'user-agent': FIREFOX });
    const [spec] = stored('bob');
    expect(JSON.stringify(spec)).to.not.contain(answer.cookies['grafana_session']);
    expect(spec).to.include({ browser: 'Firefox', browserVersion: '128.0', os: 'Linux', clientIp: '127.0.0.1' });
  });

  it('have Secure cookies over HTTPS', async () => {
    const { headers } = await login('bob', 'right', {}, true);
    for (const one of headers['set-cookie'] ?? []) expect(one).to.contain('; Secure');
  });

  it('start with a warning of what the body asks for in vain', async () => {
    const body = { user: 'bob', password: 'right', remember: true };
    const { status, headers } = await server().ask('/login', { method: 'POST', body });
    expect([status, `${headers['warning']}`]).to.deep.equal([200, '299 - "unknown field \\"remember\\""']);
  });

  it('do not start with a wrong password, an unknown login or an invalid body', async () => {
    const wrong = await login('alice', 'wrong');
    expect([wrong.status, wrong.json['messageId']]).to.deep.equal([401, 'password-auth.failed']);
    expect(wrong.headers).to.not.have.property('set-cookie');
    expect((await login('nobody', 'wrong')).json).to.deep.equal(wrong.json);
    for (const body of ['rubbish', '[]', '{"user":{"$gt":""},"password":""}', '{}']) {
      const answer = await server().ask('/login', { method: 'POST', body: Buffer.from(body) });
      expect(answer.status, body).to.equal(400);
      expect(answer.json['message'], body).to.match(/^bad request data: /);
    }
  });

  it('count wrong passwords in the throttle', async () => {
    await server().user('guessed', {}, 'right');
    const codes = [];
    for (let i = 0; i < 6; i++) codes.push((await login('guessed', 'wrong')).status);
    expect(codes).to.deep.equal([401, 401, 401, 429, 429, 429]);
  });

  it('start for many simultaneous logins with the right password, but allow no more wrong passwords', async () => {
    await server().user('parallel', {}, 'right');
    const all = (password: string) => Promise.all(Array.from({ length: 12 }, () => login('parallel', password)));
    expect((await all('right')).map(({ status }) => status)).to.deep.equal(Array(12).fill(200));
    const statuses = (await all('wrong')).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(5).fill(401), ...Array(7).fill(429)]);
  });

  // Promise: security browsers
  it('have a new secret after each login, whatever cookie the browser had, and end if the browser logs in again', async () => {
    const first = await session('alice');
    const second = cookie(await login('bob', 'right', first));
    expect((await whoami(first)).status).to.equal(401);
    const third = cookie(await login('bob', 'right', second));
    expect([third === second, (await whoami(second)).status, (await whoami(third)).status]).to.deep.equal([
      false,
      401,
      200,
    ]);
    const chosen = { cookie: `grafana_session=${'x'.repeat(43)}` };
    expect((await whoami(cookie(await login('bob', 'right', chosen)))).status).to.equal(200);
    expect((await whoami(chosen)).status).to.equal(401);
    expect((await login('bob', 'wrong', third)).status).to.equal(401);
    expect((await whoami(third)).status).to.equal(200);
  });

  // Promise: security browsers
  it('do not start from a page of another site', async () => {
    const foreign = await login('alice', 'right', { origin: 'https://evil.example' });
    expect(foreign.status).to.equal(403);
    expect((await login('alice', 'right', origin())).status).to.equal(200);
  });

  // Promise: security browsers
  it('allow changes by pages of this server and by scripts, but not by pages of other sites', async () => {
    const headers = await session('alice');
    const create = (name: string, more: Record<string, string>) =>
      server().ask(FOLDERS, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: { metadata: { name }, spec: { title: name } },
      });
    const { port } = server();
    const foreign: Record<string, string>[] = [
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', ...origin() },
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: 'http://127.0.0.1' },
      { origin: 'https://evil.example', referer: `http://127.0.0.1:${port}/` },
      { referer: `http://evil.example/?http://127.0.0.1:${port}/` },
    ];
    for (const more of foreign) {
      const { status, json } = await create('foreign', more);
      expect([status, (json['details'] as { uid: string }).uid], JSON.stringify(more)).to.deep.equal([
        403,
        'session.origin-not-allowed',
      ]);
    }
    expect((await create('by-origin', origin())).status).to.equal(201);
    expect((await create('by-referer', { referer: `http://127.0.0.1:${port}/dashboards` })).status).to.equal(201);
    expect((await create('by-fetch', { ...origin(), 'sec-fetch-site': 'same-origin' })).status).to.equal(201);
    expect((await create('by-script', {})).status).to.equal(201);
    expect((await server().ask(FOLDERS, { headers })).status).to.equal(200);
  });

  it('end at /logout, which deletes the cookies and redirects to the login page', async () => {
    const headers = await session('bob');
    const out = await server().ask('/logout', { headers });
    expect([out.status, out.headers.location]).to.deep.equal([302, '/login']);
    for (const one of out.headers['set-cookie'] ?? []) expect(one).to.contain('Max-Age=0');
    expect((await whoami(headers)).status).to.equal(401);
    const again = await server().ask('/logout', { headers });
    expect(again.status).to.equal(302);
  });

  it('are checked at /api/login/ping', async () => {
    const headers = await session('bob');
    expect((await server().ask('/api/login/ping', { headers })).json).to.deep.equal({ message: 'Logged in' });
    const without = await server().ask('/api/login/ping');
    expect([without.status, without.json['messageId']]).to.deep.equal([401, 'auth.unauthorized']);
  });

  it('are ignored if there is an Authorization header, and refused if they are unknown', async () => {
    const headers = await session('bob');
    expect((await whoami({ ...headers, ...AS_ADMIN })).json['name']).to.equal('system:admin');
    expect((await whoami({ ...headers, authorization: 'Bearer wrong' })).status).to.equal(401);
    expect((await whoami({ cookie: 'grafana_session=unknown' })).status).to.equal(401);
  });

  it('end at once and for good when their user is disabled or deleted', async () => {
    await server().user('carl', {}, 'right');
    const disabled = await session('carl');
    await server().patch('iam/users', 'carl', { disabled: true });
    expect((await whoami(disabled)).status).to.equal(401);
    expect(stored('carl')).to.deep.equal([]);
    await server().patch('iam/users', 'carl', { disabled: false });
    expect((await whoami(disabled)).status).to.equal(401);
    const headers = await session('carl');
    expect((await whoami(headers)).status).to.equal(200);
    await server().ask('/apis/iam.svc.app/v1beta1/users/carl', { method: 'DELETE', headers: AS_ADMIN });
    expect((await whoami(headers)).status).to.equal(401);
    expect(stored('carl')).to.deep.equal([]);
  });

  it('rotate their secret while they are used, and accept the old one until the new one is used a minute later', async () => {
    const old = await session('bob');
    expect((await whoami(old)).cookies).to.deep.equal({});
    server().advance(10 * MINUTE);
    const rotated = await whoami(old);
    const next = cookie(rotated);
    expect(next).to.not.deep.equal(old);
    const [before, after] = [await whoami(old), await whoami(next)];
    expect([before.status, after.status]).to.deep.equal([200, 200]);
    expect([before.cookies, after.cookies]).to.deep.equal([{}, {}]);
    server().advance(MINUTE);
    expect((await whoami(next)).status).to.equal(200);
    while ((await whoami(old)).status === 200) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await whoami(next)).status).to.equal(200);
  });

  it('rotate again for a client that never received the new secret', async () => {
    const old = await session('bob');
    server().advance(10 * MINUTE);
    await whoami(old);
    server().advance(5 * MINUTE);
    const again = await whoami(old);
    expect(again.status).to.equal(200);
    expect((await whoami(cookie(again))).status).to.equal(200);
  });

  it('rotate once for many simultaneous requests, and refuse none of them', async () => {
    const old = await session('bob');
    server().advance(10 * MINUTE);
    const answers = await Promise.all(Array.from({ length: 16 }, () => whoami(old)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(16).fill(200));
    const rotated = answers.filter(({ cookies }) => cookies['grafana_session'] !== undefined);
    expect(rotated).to.have.length(1);
  });

  it('last while they are used, and end after a week without use', async () => {
    let headers = await session('bob');
    for (let day = 0; day < 12; day += 6) {
      server().advance(6 * 24 * 60 * MINUTE);
      const answer = await whoami(headers);
      expect(answer.status).to.equal(200);
      headers = cookie(answer);
    }
    server().advance(7 * 24 * 60 * MINUTE);
    expect((await whoami(headers)).status).to.equal(401);
  });

  it('end after a month even if they are used', async () => {
    let headers = await session('bob');
    for (let day = 0; day < 30; day += 6) {
      const answer = await whoami(headers);
      expect(answer.status, `day ${day}`).to.equal(200);
      if (answer.cookies['grafana_session'] !== undefined) headers = cookie(answer);
      server().advance(6 * 24 * 60 * MINUTE);
    }
    expect((await whoami(headers)).status).to.equal(401);
  });

  // Promise: security work
  it('are limited to the newest fifty of a user', async () => {
    await server().user('often', {}, 'right');
    const first = await session('often');
    for (let i = 0; i < 50; i++) await session('often');
    expect(stored('often')).to.have.length(50);
    expect((await whoami(first)).status).to.equal(401);
  });

  it('end their watches when they end', async () => {
    const headers = await session('alice');
    const request = http.get({
      host: '127.0.0.1',
      port: server().port,
      path: `${FOLDERS}?watch=true`,
      headers,
      agent: false,
    });
    const [watch] = (await once(request, 'response')) as [http.IncomingMessage];
    watch.resume();
    await server().ask('/logout', { headers });
    await once(watch, 'end');
    expect(watch.complete).to.equal(true);
  });
});

oneStore(
  'sessions behind a proxy',
  (server) => {
    it('accept pages of server.root_url, and have Secure cookies', async () => {
      await server().user('alice', {}, 'right');
      const body = { user: 'alice', password: 'right' };
      const ask = (origin: string) => server().ask('/login', { method: 'POST', body, headers: { origin } });
      const answer = await ask('https://dash.example');
      expect(answer.status).to.equal(200);
      for (const one of answer.headers['set-cookie'] ?? []) expect(one).to.contain('; Secure');
      expect((await ask('http://dash.example')).status).to.equal(403);
    });
  },
  { argv: ['--server.root_url=https://dash.example/path/'] },
);
