import { expect } from 'chai';
import type { Backend } from '../../storage/backend.js';
import { type AuthnServer, openAuthnServer } from '../authn/harness.js';
import { onEachStore } from '../harness/stores.js';
import { ldapCalls, openDirectory, passwordOf, personDn, type TestDirectory } from './ldap-world.js';

const open = (backend: Backend): Promise<AuthnServer> =>
  openAuthnServer(backend, { argv: ['--auth.provider_networks=127.0.0.0/8'] });

onEachStore('sign-in by LDAP', open, (server) => {
  let directory: TestDirectory;
  before(async function () {
    this.timeout(120_000);
    directory = await openDirectory(this);
    await directory.person('ann');
    await server().user('local', {}, 'local password');
  });
  after(() => directory?.close());

  const { set, login, whoami, userOf } = ldapCalls(server);

  beforeEach(() => set({}, directory.server));

  it('opens a session for a person with the right password, and makes the user', async () => {
    const answer = await login('ann', passwordOf('ann'));
    expect(answer.status, answer.text).to.equal(200);
    const cookie = Object.entries(answer.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const caller = await server().ask('/whoami', { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect(caller.json).to.include({ name: 'ann' });
    const user = userOf('ann');
    expect(user?.spec).to.deep.include({ login: 'ann', email: 'ann@example.com', name: 'ann Example' });
    expect(
      server()
        .services.objects('internal/credentials')
        .find(user?.metadata.name ?? ''),
    ).to.equal(undefined);
  });

  it('works by Basic, and asks the directory once for a while', async () => {
    expect((await whoami('ann', passwordOf('ann'))).json).to.include({ name: 'ann' });
    await directory.stop();
    try {
      expect((await whoami('ann', passwordOf('ann'))).status).to.equal(200);
      expect((await whoami('ann', 'another')).status).to.equal(503);
      server().advance(61_000);
      expect((await whoami('ann', passwordOf('ann'))).status).to.equal(503);
    } finally {
      await directory.start();
    }
    server().advance(600_000);
    expect((await whoami('ann', passwordOf('ann'))).status).to.equal(200);
  });

  // Promise: security ldap
  it('refuses wrong and empty passwords, unknown people, and what would change the filter or the name', async () => {
    const right = passwordOf('ann');
    const wrong: readonly (readonly [string, string])[] = [
      ['ann', 'wrong'],
      ['ann', ''],
      ['nobody', right],
      ['*', right],
      ['an*', right],
      ['ann)(uid=*', right],
      ['*)(objectClass=*', right],
      ['ann\\', right],
      ['ann\u0000', right],
      [personDn('ann'), right],
      ['', right],
    ];
    for (const [user, password] of wrong) {
      server().advance(3_600_000);
      expect((await login(user, password)).status, user).to.be.oneOf([400, 401]);
    }
    server().advance(3_600_000);
  });

  it('leaves local users their passwords, and asks the directory first', async () => {
    expect((await login('local', 'local password')).status).to.equal(200);
    await server().user('both', {}, 'local password');
    await directory.person('both');
    expect((await login('both', 'local password')).status).to.equal(200);
    // The login is that of another account here.
    const answer = await login('both', passwordOf('both'));
    expect([answer.status, answer.json['messageId']]).to.deep.equal([403, 'sign-on.taken']);
    server().advance(3_600_000);
  });

  it('gives no local password to a person of the directory, while it is on', async () => {
    await directory.person('paul');
    expect((await login('paul', passwordOf('paul'))).status).to.equal(200);
    const user = userOf('paul');
    await server().setPassword(user?.metadata.name ?? '', 'a local password');
    expect((await login('paul', 'a local password')).status).to.equal(401);
    expect((await whoami('paul', 'a local password')).status).to.equal(401);
    server().advance(3_600_000);
  });

  it('ends with the user who is disabled, and with the directory that is off', async () => {
    await directory.person('dora');
    expect((await whoami('dora', passwordOf('dora'))).status).to.equal(200);
    const user = userOf('dora');
    await server().patch('iam/users', user?.metadata.name ?? '', { disabled: true });
    expect((await whoami('dora', passwordOf('dora'))).status).to.equal(403);
    await server().patch('iam/users', user?.metadata.name ?? '', { disabled: false });
    expect((await whoami('dora', passwordOf('dora'))).status).to.equal(200);
    await set({ enabled: false }, directory.server);
    expect((await whoami('dora', passwordOf('dora'))).status).to.equal(401);
    server().advance(3_600_000);
  });

  // Promise: security ldap
  it('gives an account that SCIM made to nobody by an address that is not verified', async () => {
    const waiting = { login: 'sam.scim', email: 'sam@example.com', emailVerified: true, provisionedBy: 'the-provider' };
    await server()
      .services.objects('iam/users')
      .create({ metadata: { name: 'sam' }, spec: { ...waiting, disabled: false, grafanaAdmin: false } });
    await directory.person('sam');
    expect((await login('sam')).json['messageId']).to.equal('sign-on.taken');
    server().advance(3_600_000);
    await set({}, { ...directory.server, email_verified: true });
    expect((await login('sam')).status).to.equal(200);
    expect([userOf('sam'), userOf('sam.scim')?.metadata.name]).to.deep.equal([undefined, 'sam']);
  });

  it('makes guessers wait, as for other passwords', async () => {
    const answers = [];
    for (let tries = 0; tries < 4; tries++) answers.push((await login('guessed', `guess ${tries}`)).status);
    expect(answers).to.deep.equal([401, 401, 401, 429]);
    server().advance(3_600_000);
  });

  // Promise: security ldap
  it('counts guesses for one person together, whichever way the directory lets the login be written', async () => {
    const answers = [];
    for (const name of ['guest', 'guest ', ' GUEST', '\uff47uest', 'guest  '])
      answers.push((await login(name, 'wrong')).status);
    expect(answers).to.deep.equal([401, 401, 401, 429, 429]);
    server().advance(3_600_000);
  });

  // Promise: security ldap
  it('takes no account of this server over by a login or an address, in any case', async () => {
    await server().user('owner', { email: 'owner@example.org' }, 'local password');
    for (const name of ['OWNER', 'owner@example.org', '\u043ewner']) {
      await directory.person(name, [], { mail: 'another@example.com' });
      expect((await login(name)).json['messageId'], name).to.equal('sign-on.taken');
      server().advance(3_600_000);
      await directory.remove(personDn(name));
    }
    await directory.person('mailer', [], { mail: 'OWNER@example.org' });
    expect((await login('mailer')).json['messageId']).to.equal('sign-on.taken');
    for (const name of ['owner', 'owner@example.org'])
      expect((await login(name, 'local password')).status, name).to.equal(200);
    server().advance(3_600_000);
  });

  it('makes no user if sign-up is off', async () => {
    await directory.person('new');
    await set({ allowSignUp: false }, directory.server);
    const answer = await login('new', passwordOf('new'));
    expect([answer.status, answer.json['messageId']]).to.deep.equal([403, 'sign-on.no-account']);
    expect((await login('ann', passwordOf('ann'))).status).to.equal(200);
  });

  it('goes on for local users while the directory does not answer, and the form says why others cannot', async () => {
    await set({}, { ...directory.server, timeout: 1 });
    directory.pause();
    try {
      expect((await login('local', 'local password')).status).to.equal(200);
      const form = await server().ask('/login', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: `http://127.0.0.1:${server().port}`,
        },
        body: Buffer.from('user=ann&password=x'),
      });
      expect(form.status).to.equal(503);
      expect(form.text).to.contain('or the directory that knows it does not answer');
    } finally {
      directory.resume();
    }
    expect(server().warnings.join('\n')).to.contain('A sign-in by LDAP by 127.0.0.1 failed');
    server().advance(3_600_000);
    expect((await login('ann', passwordOf('ann'))).status).to.equal(200);
  });
});
