import { expect } from 'chai';
import type { Credentials } from '../../pkg/identity/authn/authenticator.js';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { ResourceName } from '../../registry/kinds/names.js';
import { openMemory } from '../../storage/memory/backend.js';
import { AS_ADMIN, type AuthnServer, basic, bearer, openAuthnServer } from '../authn/harness.js';
import { claimsAt, type Issuer, openIssuer, signed } from '../authn/issuer.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const USERS = '/apis/iam.svc.app/v1beta1/users';

type Headers = Readonly<Record<string, string>>;

// Promise: contract 5.8
describe('An account whose deletion is held by a finalizer', () => {
  let issuer: Issuer;
  let server: AuthnServer;

  before(async () => {
    issuer = await openIssuer();
    server = await openAuthnServer(openMemory(), { argv: issuer.argv });
  });
  after(async () => {
    await server.close();
    await issuer.close();
  });

  const hold = (resource: ResourceName, name: string, namespace = '') =>
    server.services
      .objects(resource, namespace)
      .update(name, (old) => ({ ...old, metadata: { ...old.metadata, finalizers: ['example.com/hold'] } }));
  /** Makes a server administrator whose preferences have a finalizer. */
  const administrator = async (name: string) => {
    await server.user(name, { grafanaAdmin: true }, 'right');
    await server.create('preferences/preferences', `user-${name}`, {}, 'default');
    await hold('preferences/preferences', `user-${name}`, 'default');
  };
  const byToken = async (sub: string): Promise<Headers> =>
    bearer(await signed(claimsAt(server.services.now(), { sub }), issuer.key));
  const login = (user: string) => server.ask('/login', { method: 'POST', body: { user, password: 'right' } });
  const session = async (name: string): Promise<Headers> => ({
    cookie: `grafana_session=${(await login(name)).cookies['grafana_session']}`,
  });
  const credentialsOf = async (name: string): Promise<readonly Headers[]> => [
    await session(name),
    await byToken(name),
    basic(name, 'right'),
  ];
  const statusOf = async (path: string, headers: Headers) => (await server.ask(path, { headers })).status;
  const remove = async (path: string, code: number) => {
    const { status, text } = await server.ask(path, { method: 'DELETE', headers: AS_ADMIN });
    expect(status, text).to.equal(code);
  };

  it('cannot sign in any more, with a session, a JSON Web Token or a password', async () => {
    await administrator('alice');
    const all = await credentialsOf('alice');
    for (const headers of all) {
      expect(await statusOf(USERS, headers)).to.equal(200);
      expect(await statusOf('/api/users', headers)).to.equal(200);
    }
    const { id } = (await server.ask('/api/users/lookup?loginOrEmail=alice', { headers: AS_ADMIN })).json;
    await remove(`/api/admin/users/${id}`, 202);
    expect(await statusOf(`${USERS}/alice`, AS_ADMIN), 'it is held').to.equal(200);
    for (const headers of all) {
      expect(await statusOf(USERS, headers)).to.equal(401);
      expect(await statusOf('/api/users', headers)).to.equal(401);
    }
    expect((await login('alice')).status).to.equal(401);
  });

  it('has no rights for those who act as it, or who ask what it may do', async () => {
    await administrator('anna');
    const as = { ...AS_ADMIN, 'impersonate-user': 'anna' };
    const asked = async () => {
      const spec = {
        user: 'anna',
        resourceAttributes: { verb: 'delete', group: 'iam.svc.app', resource: 'users', name: 'admin' },
      };
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      const { json } = await server.ask(REVIEWS, { method: 'POST', headers: AS_ADMIN, body });
      return (json['status'] as { allowed: boolean }).allowed;
    };
    expect([await statusOf(`${USERS}/admin`, as), await asked()]).to.deep.equal([200, true]);
    await remove(`${USERS}/anna`, 200);
    expect([await statusOf(`${USERS}/admin`, as), await asked()]).to.deep.equal([403, false]);
    expect(await statusOf(`${FOLDERS}/x`, as)).to.equal(403);
  });

  const authenticate = async (given: Partial<Credentials>): Promise<UserInfo> => {
    const credentials = { authorization: undefined, cookie: undefined, certificate: undefined, ...given };
    const site = {
      method: 'GET',
      host: 'x',
      isSecure: false,
      origin: undefined,
      referer: undefined,
      fetchSite: undefined,
    };
    const request = { signal: AbortSignal.timeout(10_000) };
    return server.identity.authenticate({ ...credentials, site, remoteAddress: '127.0.0.1' }, request);
  };
  /** The code of the error of a write by a caller who was authenticated before. */
  const refusalOf = async (user: UserInfo): Promise<unknown> => {
    const object = { metadata: { name: 'x' }, spec: { title: 'x' } };
    const tried = server.services.objects('folder/folders', 'default', { user }).create(object);
    return tried.then(
      () => undefined,
      (error: unknown) => (error as { code?: unknown }).code,
    );
  };

  // Promise: security rights
  it('cannot complete a write that began before, nor can one who is no administrator any more', async () => {
    for (const change of ['delete', 'demote'] as const) {
      const name = `${change}d`;
      await administrator(name);
      const certificate = { commonName: name, organizations: ['ops'] };
      const callers = await Promise.all([...(await credentialsOf(name)), { certificate }].map(authenticate));
      for (const user of callers) expect(user).to.include({ uid: name });
      if (change === 'delete') await remove(`${USERS}/${name}`, 200);
      else await server.patch('iam/users', name, { grafanaAdmin: false });
      for (const user of callers) expect(await refusalOf(user), change).to.equal(401);
      expect(await refusalOf(await authenticate({ certificate })), 'a new request with the certificate').to.equal(403);
    }
  });

  describe('of a service account', () => {
    const by = { user: { name: 'admin', uid: 'admin', groups: ['system:masters'], extra: {} } };
    const issue = async (account: string) => {
      const spec = { title: account, role: 'Viewer', disabled: false };
      await server.create('iam/serviceaccounts', account, spec, 'default');
      return server.tokens.issue({ namespace: 'default', account, title: 't' }, by);
    };

    it('has no valid tokens', async () => {
      const { text } = await issue('robot');
      await hold('iam/serviceaccounts', 'robot', 'default');
      expect(await statusOf(FOLDERS, bearer(text))).to.equal(200);
      await remove('/apis/iam.svc.app/v1beta1/namespaces/default/serviceaccounts/robot', 200);
      expect(await statusOf(FOLDERS, bearer(text))).to.equal(401);
    });

    it('is refused, and so is a token or session that is itself held', async () => {
      const { text, token } = await issue('other');
      await hold('internal/tokens', token.metadata.name, 'default');
      await server.tokens.remove('default', token.metadata.name, by);
      expect(await statusOf(FOLDERS, bearer(text))).to.equal(401);
      await server.user('bob', {}, 'right');
      const cookie = await session('bob');
      const [stored] = server.identity.accounts.sessions.list('bob');
      await hold('internal/sessions', stored?.metadata.name ?? '');
      expect(await statusOf(FOLDERS, cookie)).to.equal(200);
      await server.identity.accounts.sessions.close(stored?.metadata.name ?? '');
      expect(await statusOf(FOLDERS, cookie)).to.equal(401);
    });

    it('has tokens that no object holds by naming them as its owner', async () => {
      const { token } = await issue('third');
      const { name, uid = '' } = token.metadata;
      const owner = { apiVersion: token.apiVersion, kind: token.kind, name, uid };
      const metadata = { name: 'holder', finalizers: ['example.com/hold'], ownerReferences: [owner] };
      const body = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata, spec: { title: 'holder' } };
      expect((await server.ask(FOLDERS, { method: 'POST', headers: AS_ADMIN, body })).status).to.equal(201);
      await server.tokens.remove('default', name, by);
      expect(server.tokens.list('default', 'third')).to.deep.equal([]);
    });
  });
});
