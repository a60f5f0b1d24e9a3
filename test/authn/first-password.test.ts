import { expect } from 'chai';
import { oneStore } from './harness.js';

const NEXT = 'a password of my own';

oneStore('a password that must be changed', (server) => {
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  const whoami = (user: string, password: string) => server().ask('/whoami', { headers: basic(user, password) });
  const login = (body: object) => server().ask('/login', { method: 'POST', body });
  const dutyOf = (user: string) =>
    server().services.reader.get<{ mustChangePassword?: boolean }>('users.iam.svc.app', '', user)?.spec
      ?.mustChangePassword;
  const form = (fields: Record<string, string>) =>
    server().ask('/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://127.0.0.1:${server().port}`,
      },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    });

  it('opens neither a session nor a request, until it is replaced at the sign-in', async () => {
    await server().user('fresh', { mustChangePassword: true }, 'given');
    const refused = await login({ user: 'fresh', password: 'given' });
    expect([refused.status, refused.json['messageId']]).to.deep.equal([403, 'password-auth.must-change']);
    expect(refused.headers).to.not.have.property('set-cookie');
    expect((await whoami('fresh', 'given')).status).to.equal(403);
    expect((await login({ user: 'fresh', password: 'wrong', newPassword: NEXT })).status).to.equal(401);
    expect(dutyOf('fresh')).to.equal(true);
    const opened = await login({ user: 'fresh', password: 'given', newPassword: NEXT });
    expect([opened.status, opened.cookies['grafana_session']]).to.deep.equal([200, opened.cookies['grafana_session']]);
    expect(dutyOf('fresh')).to.equal(undefined);
    expect((await whoami('fresh', NEXT)).json).to.include({ uid: 'fresh' });
    expect((await whoami('fresh', 'given')).status).to.equal(401);
  });

  it('is not replaced by itself, nor by one that the rules refuse', async () => {
    await server().user('stubborn', { mustChangePassword: true }, 'given');
    for (const newPassword of ['given', 'x', 'eleven-long', 'stubborn', 'y'.repeat(1001)]) {
      const { status } = await login({ user: 'stubborn', password: 'given', newPassword });
      expect(status, newPassword.slice(0, 20)).to.equal(400);
    }
    expect(dutyOf('stubborn')).to.equal(true);
    expect((await login({ user: 'stubborn', password: 'given', newPassword: NEXT })).status).to.equal(200);
  });

  it('is asked for by the sign-in page, which leads to where the person wanted to go', async () => {
    await server().user('visitor', { mustChangePassword: true }, 'given');
    const given = { user: 'visitor', password: 'given', redirectTo: '/console/trash' };
    const first = await form(given);
    expect(first.status).to.equal(403);
    expect(first.text).to.contain('Choose a password').and.to.contain('name="newPassword"');
    expect(first.text).to.contain('not the present one').and.to.contain('>Change the password and sign in<');
    expect(first.text).to.contain('name="redirectTo" value="/console/trash"').and.to.contain('value="visitor"');
    const twice = (text: string) => form({ ...given, newPassword: text, newPasswordAgain: text });
    const short = await twice('x');
    expect(short.status).to.equal(400);
    expect(short.text)
      .to.match(/too short: it needs at least 12 characters\./)
      .and.to.contain('Choose a password');
    expect((await twice('given')).text).to.contain('role="alert">The new password is the old one.');
    const different = await form({ ...given, newPassword: NEXT, newPasswordAgain: `${NEXT}x` });
    expect(different.text)
      .to.contain('The two new passwords are not the same.')
      .and.to.contain('name="newPasswordAgain"');
    expect(dutyOf('visitor')).to.equal(true);
    const done = await twice(NEXT);
    expect([done.status, done.headers['location']]).to.deep.equal([303, '/console/trash']);
    expect(done.cookies).to.have.property('grafana_session');
  });

  it('ends the use of it in requests that were let in before', async () => {
    await server().user('known', {}, 'right password');
    expect((await whoami('known', 'right password')).status).to.equal(200);
    await server()
      .services.objects<object>('iam/users')
      .update('known', (user) => ({
        ...user,
        spec: { ...user.spec, mustChangePassword: true },
      }));
    expect((await whoami('known', 'right password')).status).to.equal(403);
  });

  it('that is the login is pointed out to the page behind the form', async () => {
    await server().user('obvious', {}, 'Obvious');
    const { headers } = await form({ user: 'obvious', password: 'Obvious', redirectTo: '/console' });
    expect(headers['location']).to.equal('/console#guessable-password');
  });
});
