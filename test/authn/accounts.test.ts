import { expect } from 'chai';
import { ADMIN_TOKEN, AS_ADMIN, basic, bearer, oneStore } from './harness.js';

oneStore('callers with a password', (server) => {
  const whoami = (headers: Record<string, string>, path = '/whoami') => server().ask(path, { headers });

  before(async () => {
    await server().user('alice', { email: 'Alice@Example.com' }, 'right');
    await server().user('root', { grafanaAdmin: true }, 'right');
  });

  // Promise: specification 5
  it('are identified by login or e-mail address in any case, with their organization', async () => {
    for (const login of ['alice', 'ALICE', 'alice@example.com']) {
      const { status, json } = await whoami(basic(login, 'right'));
      expect(status, login).to.equal(200);
      expect(json).to.deep.include({ name: 'alice', uid: 'alice', extra: { 'svc.app/organization': ['default'] } });
      expect(json['groups']).to.deep.equal(['system:authenticated']);
    }
  });

  it('are server administrators if the user is one', async () => {
    expect((await whoami(basic('root', 'right'))).json['groups']).to.include('system:masters');
  });

  it('get the same error for a wrong password and an unknown login, in the form of each API', async () => {
    const failure = {
      statusCode: 401,
      messageId: 'password-auth.failed',
      message: 'Invalid username or password',
      extra: null,
      traceID: '',
    };
    const wrong = await whoami(basic('alice', 'wrong'), '/api/whoami');
    const unknown = await whoami(basic('nobody', 'wrong'), '/api/whoami');
    expect([wrong.status, unknown.status]).to.deep.equal([401, 401]);
    expect(wrong.json).to.deep.equal(failure);
    expect(unknown.json).to.deep.equal(failure);
    const status = await whoami(basic('nobody', 'wrong'));
    expect(status.json).to.deep.include({ kind: 'Status', reason: 'Unauthorized', code: 401 });
    expect(status.json['details']).to.deep.equal({ uid: 'password-auth.failed' });
  });

  it('get 400 for a malformed header', async () => {
    const { status, json } = await whoami({ authorization: 'Basic %%%' }, '/api/whoami');
    expect(status).to.equal(400);
    expect(json).to.include({ messageId: 'basic-auth.invalid-header', message: 'Invalid Basic Auth Header' });
  });

  it('are refused at once with the old password after a change, and accepted with the new one', async () => {
    await server().user('bob', {}, 'first');
    expect((await whoami(basic('bob', 'first'))).status).to.equal(200);
    await server().setPassword('bob', 'second');
    expect((await whoami(basic('bob', 'first'))).status).to.equal(401);
    expect((await whoami(basic('bob', 'second'))).status).to.equal(200);
  });

  it('are refused at once when they are disabled or deleted, and accepted again when they are enabled', async () => {
    await server().user('carl', {}, 'right');
    expect((await whoami(basic('carl', 'right'))).status).to.equal(200);
    await server().patch('iam/users', 'carl', { disabled: true });
    expect((await whoami(basic('carl', 'right'))).status).to.equal(401);
    await server().patch('iam/users', 'carl', { disabled: false });
    expect((await whoami(basic('carl', 'right'))).status).to.equal(200);
    const gone = await server().ask('/apis/iam.svc.app/v1beta1/users/carl', { method: 'DELETE', headers: AS_ADMIN });
    expect(gone.status).to.equal(200);
    expect((await whoami(basic('carl', 'right'))).status).to.equal(401);
  });

  it('become and stop being server administrators at once', async () => {
    await server().user('dora', { grafanaAdmin: true }, 'right');
    const groups = async () => (await whoami(basic('dora', 'right'))).json['groups'];
    expect(await groups()).to.include('system:masters');
    await server().patch('iam/users', 'dora', { grafanaAdmin: false });
    expect(await groups()).to.not.include('system:masters');
  });

  it('work in the organization that they chose as long as they are members of it', async () => {
    await server().create('iam/organizations', 'second', { title: 'Second' });
    await server().user('eve', { activeOrganization: 'second' }, 'right');
    const organization = async () => {
      const extra = (await whoami(basic('eve', 'right'))).json['extra'] as Record<string, unknown>;
      return extra['svc.app/organization'];
    };
    expect(await organization()).to.deep.equal(['default']);
    await server().create('iam/organizationbindings', 'eve', { userRef: { name: 'eve' }, role: 'Viewer' }, 'second');
    expect(await organization()).to.deep.equal(['second']);
  });

  it('must wait after five wrong passwords from their usual address, but a password that was verified before is still accepted', async () => {
    await server().user('fred', {}, 'right');
    expect((await whoami(basic('fred', 'right'))).status).to.equal(200);
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await whoami(basic('fred', `wrong${i}`)));
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 401, 429]);
    expect(answers.at(-1)?.headers['retry-after']).to.equal('1');
    expect((await whoami(basic('fred', 'right'))).status).to.equal(200);
  });

  it('have one count of wrong passwords for all spellings of their login, and another one for their e-mail address', async () => {
    await server().user('joerg', { login: 'jörg', email: 'joerg@example.com' }, 'right');
    const names = ['jörg', 'JÖRG', 'jo\u0308rg', 'jörg', 'joerg@example.com', 'Joerg@Example.com'];
    const answers = [];
    server().advance(3_600_000);
    for (const name of names) answers.push(await whoami(basic(name, 'wrong')));
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401, 429, 401, 401]);
  });

  it('have their last-seen time stored at most once in five minutes, without a change of the user', async () => {
    await server().user('gina', {}, 'right');
    const at = () => server().services.reader.get('lastseens.internal.svc.app', '', 'gina');
    const seen = async () => {
      await whoami(basic('gina', 'right'));
      await server().identity.settled();
      return at();
    };
    const user = server().services.reader.get('users.iam.svc.app', '', 'gina');
    const first = await seen();
    expect(first?.spec).to.have.property('at');
    expect(await seen()).to.equal(first);
    server().advance(4 * 60_000);
    expect(await seen()).to.equal(first);
    server().advance(2 * 60_000);
    expect((await seen())?.spec).to.not.deep.equal(first?.spec);
    expect(server().services.reader.get('users.iam.svc.app', '', 'gina')).to.equal(user);
  });

  // Promise: contract 6, specification 7
  it('get 401 without a credential, in the form of each API', async () => {
    expect((await whoami({})).json).to.deep.include({ kind: 'Status', message: 'Unauthorized', code: 401 });
    expect((await whoami({}, '/api/whoami')).json).to.include({
      messageId: 'auth.unauthorized',
      message: 'Unauthorized',
    });
  });

  it('are the administrator with the admin token, even if the user is disabled or no longer an administrator', async () => {
    const admin = await whoami(bearer(ADMIN_TOKEN));
    expect(admin.json).to.include({ name: 'system:admin', uid: 'system:admin' });
    await server().patch('iam/users', 'admin', { disabled: true, grafanaAdmin: false });
    const still = await whoami(bearer(ADMIN_TOKEN));
    expect(still.json['groups']).to.include('system:masters');
    await server().patch('iam/users', 'admin', { disabled: false, grafanaAdmin: true });
  });

  // Promise: contract 7
  it('are the administrator with the admin certificate', async () => {
    const { json } = await server().ask('/whoami', { asAdmin: true });
    expect(json).to.deep.include({ name: 'system:admin', uid: 'system:admin', extra: {} });
    expect(json['groups']).to.include('system:masters');
  });
});

oneStore(
  'anonymous callers',
  (server) => {
    it('are accepted without a credential, but not with a wrong one', async () => {
      expect((await server().ask('/whoami')).json['name']).to.equal('system:anonymous');
      expect((await server().ask('/whoami', { headers: bearer('wrong') })).status).to.equal(401);
      expect((await server().ask('/whoami', { headers: basic('nobody', 'x') })).status).to.equal(401);
      const over = await server().ask('/whoami', { headers: { cookie: 'grafana_session=over' } });
      expect(over.json['name']).to.equal('system:anonymous');
    });
  },
  { argv: ['--auth.anonymous.enabled=true'] },
);
