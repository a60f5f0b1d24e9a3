import { expect } from 'chai';
import { type Answer, AS_ADMIN, basic, oneStore } from '../authn/harness.js';

oneStore('A common password', (server) => {
  const COMMON = ['1234', 'admin', 'ADMIN', 'password', 'letmein'];
  /** Common passwords for the user `vic`. */
  const FOR_VIC = [...COMMON, 'vic@example.com', 'Vic@Example.Com'];
  const send = (method: string, path: string, body: object, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
    server().ask(path, { method, body, headers });
  const refused = ({ status, json }: Answer): unknown => [status, json['messageId']];
  const NOT_ALLOWED = [400, 'password.password-policy-infringe'];

  before(async () => {
    await server().user('vic', {}, 'right');
  });
  const lookUp = (name: string) => server().ask(`/api/users/lookup?loginOrEmail=${name}`, { headers: AS_ADMIN });
  const idOfVic = async () => (await lookUp('vic')).json['id'];

  it('is refused for a new user, who is not created', async () => {
    for (const password of [...COMMON, 'new@example.com', 'NEWCOMER']) {
      const body = { login: 'newcomer', email: 'new@example.com', password };
      expect(refused(await send('POST', '/api/admin/users', body)), password).to.deep.equal(NOT_ALLOWED);
    }
    expect((await lookUp('newcomer')).status).to.equal(404);
    const short = await send('POST', '/api/admin/users', { login: 'newcomer', password: 'x7Q' });
    expect(short.json['message']).to.match(/^Password is missing or too short: it needs at least \d+ characters$/);
    expect(short.status).to.equal(400);
  });

  it('is refused where an administrator sets it, and the old one stays', async () => {
    const path = `/api/admin/users/${await idOfVic()}/password`;
    for (const password of FOR_VIC)
      expect(refused(await send('PUT', path, { password })), password).to.deep.equal(NOT_ALLOWED);
    expect((await server().ask('/whoami', { headers: basic('vic', 'right') })).status).to.equal(200);
    expect((await send('PUT', path, { password: 'x7Q' })).json['messageId']).to.equal(
      'password.password-policy-too-short',
    );
  });

  it('is refused where users change their own, and the old one stays', async () => {
    for (const newPassword of FOR_VIC) {
      const change = { oldPassword: 'right', newPassword, confirmNew: newPassword };
      expect(refused(await send('PUT', '/api/user/password', change, basic('vic', 'right')))).to.deep.equal(
        NOT_ALLOWED,
      );
    }
    const change = { oldPassword: 'right', newPassword: 'open sesame' };
    expect((await send('PUT', '/api/user/password', change, basic('vic', 'right'))).status).to.equal(200);
    expect((await server().ask('/whoami', { headers: basic('vic', 'open sesame') })).status).to.equal(200);
  });

  it('cannot be set as an object of the resource API', async () => {
    const path = '/apis/internal.svc.app/v1beta1/credentials';
    expect((await send('POST', path, { metadata: { name: 'vic' }, spec: { hash: 'x' } })).status).to.equal(404);
  });

  it('still signs in the first administrator, who has it by default on loopback', async () => {
    expect(
      (await server().ask('/login', { method: 'POST', body: { user: 'admin', password: 'admin' } })).status,
    ).to.equal(200);
  });
});
