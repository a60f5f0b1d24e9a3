import { expect } from 'chai';
import { openMemory } from '../../storage/memory/backend.js';
import { type Answer, AS_ADMIN, type Ask, type AuthnServer, basic, bearer, openAuthnServer } from '../authn/harness.js';
import { auditLog } from '../harness/audit-log.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';
const INTERNAL_ID = 'svc.app/deprecatedInternalID';
const AS_EDD = { 'Impersonate-User': 'edd' };
const ATTACK = { login: 'intruder', email: 'intruder@example.com', password: 'a long secret word', name: 'x' };

describe('Impersonation in the legacy API', () => {
  const log = auditLog();
  let server: AuthnServer;
  let vicId = '';

  before(async () => {
    server = await openAuthnServer(openMemory(), { audit: log.trail });
    await server.user('edd', {}, 'right password');
    await server.user('vic', {}, 'right password');
    await server.user('oadm', {}, 'right password');
    await server.user('root', { grafanaAdmin: true }, 'right password');
    await server.patch('iam/organizationbindings', 'oadm', { role: 'Admin' }, 'default');
    const { json } = await server.ask(`${USERS}/vic`, { headers: AS_ADMIN });
    vicId = (json as { metadata: { labels: Record<string, string> } }).metadata.labels[INTERNAL_ID] ?? '';
  });
  after(() => server.close());

  /** The credentials of the real administrator. */
  const administrators = async (): Promise<Readonly<Record<string, Ask>>> => {
    const body = { user: 'root', password: 'right password' };
    const { cookies } = await server.ask('/login', { method: 'POST', body });
    return {
      'the token of the operator': { headers: AS_ADMIN },
      'a client certificate': { asAdmin: true },
      'a password': { headers: basic('root', 'right password') },
      'a session': { headers: { cookie: `grafana_session=${cookies['grafana_session']}` } },
    };
  };
  const robot = async (): Promise<string> => {
    await server.create('iam/serviceaccounts', 'robot', { title: 'robot', role: 'Admin', disabled: false }, 'default');
    const by = { user: { name: 'x', uid: '', groups: ['system:masters'], extra: {} } };
    return (await server.tokens.issue({ namespace: 'default', account: 'robot', title: 'one' }, by)).text;
  };
  const send = (caller: Ask, headers: Readonly<Record<string, string>>, method: string, path: string, body?: object) =>
    server.ask(path, { ...caller, method, headers: { ...caller.headers, ...headers }, ...(body && { body }) });
  /** A first call, whose time the server stores. */
  const firstCall = (caller: Ask) => send(caller, {}, 'GET', '/api/folders');
  /** Expects 403 and that nothing is stored. */
  const refused = async (work: () => Promise<Answer>, what: string) => {
    await server.identity.settled();
    const before = server.api.registry.cacher.state.revision;
    const { status, text } = await work();
    await server.identity.settled();
    expect(status, `${what}: ${text}`).to.equal(403);
    expect(server.api.registry.cacher.state.revision, what).to.equal(before);
  };

  it('takes the rights of the administrator away, however they are authenticated', async () => {
    for (const [how, caller] of Object.entries(await administrators())) {
      await firstCall(caller);
      for (const [method, path, body] of [
        ['POST', '/api/admin/users', ATTACK],
        ['PUT', `/api/admin/users/${vicId}/password`, { password: 'another long secret' }],
        ['PUT', `/api/admin/users/${vicId}/permissions`, { isGrafanaAdmin: true }],
        ['DELETE', `/api/admin/users/${vicId}`, undefined],
        ['POST', '/api/orgs', { name: 'Intruders' }],
        ['GET', '/api/users', undefined],
        ['GET', '/api/admin/settings', undefined],
      ] as const) {
        await refused(() => send(caller, AS_EDD, method, path, body), `${method} ${path} with ${how}`);
      }
    }
    expect((await server.ask(`${USERS}/vic`, { headers: AS_ADMIN })).status).to.equal(200);
    const { text } = await server.ask(USERS, { headers: AS_ADMIN });
    expect(text).to.not.contain('intruder');
  });

  it('makes the request that of the other user', async () => {
    for (const [how, caller] of Object.entries(await administrators())) {
      const { json } = await send(caller, AS_EDD, 'GET', '/api/user');
      expect(json['login'], how).to.equal('edd');
    }
  });

  it('is refused to callers who may not impersonate, also for themselves', async () => {
    const callers = {
      vic: basic('vic', 'right password'),
      oadm: basic('oadm', 'right password'),
      robot: bearer(await robot()),
    };
    for (const [who, headers] of Object.entries(callers)) {
      await firstCall({ headers });
      for (const name of ['admin', 'root', 'edd', who]) {
        const as = { 'Impersonate-User': name };
        const what = `${who} as ${name}`;
        await refused(() => send({ headers }, as, 'POST', '/api/admin/users', ATTACK), what);
        await refused(() => send({ headers }, as, 'GET', '/api/folders'), what);
      }
      const master = { 'Impersonate-User': who, 'Impersonate-Group': 'system:masters' };
      await refused(() => send({ headers }, master, 'POST', '/api/admin/users', ATTACK), `${who} as a master`);
    }
    expect((await send({}, { 'Impersonate-User': 'admin' }, 'GET', '/api/user')).status).to.equal(401);
  });

  it('needs a user: groups alone are refused with 400', async () => {
    const groups = { 'Impersonate-Group': 'system:masters' };
    expect((await send({ headers: AS_ADMIN }, groups, 'POST', '/api/admin/users', ATTACK)).status).to.equal(400);
  });

  it('keeps the audit id, and the audit log names both users', async () => {
    for (const [headers, user, as] of [
      [AS_ADMIN, 'system:admin', 'edd'],
      [basic('vic', 'right password'), 'vic', undefined],
    ] as const) {
      log.take();
      const id = `impersonated-${user.replace(':', '-')}`;
      const sent = { ...AS_EDD, 'Audit-ID': id };
      const answer = await send({ headers }, sent, 'POST', '/api/admin/users', ATTACK);
      expect([answer.status, answer.headers['audit-id']]).to.deep.equal([403, id]);
      const [event] = log.take();
      expect(event).to.include({ auditID: id });
      expect([event?.user.username, event?.impersonatedUser?.username]).to.deep.equal([user, as]);
    }
  });

  it('does not open a session of the other user at /login', async () => {
    const body = { user: 'vic', password: 'right password' };
    const login = await server.ask('/login', { method: 'POST', body, headers: { 'impersonate-user': 'root' } });
    const cookie = `grafana_session=${login.cookies['grafana_session']}`;
    const { json } = await server.ask('/api/user', { headers: { cookie } });
    expect(json['login']).to.equal('vic');
  });
});
