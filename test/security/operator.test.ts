import { expect } from 'chai';
import { AS_ADMIN, type Ask, basic, oneStore } from '../authn/harness.js';
import { legacyRoutesOf } from '../harness/legacy-routes.js';

const OPERATOR = { name: 'system:admin', uid: 'system:admin' };
/** The token, and the client certificate. */
const CREDENTIALS: readonly Ask[] = [{ headers: AS_ADMIN }, { asAdmin: true }];

oneStore('The operator', (server) => {
  before(async () => {
    await server().user('edd', {}, 'right');
  });

  /** Changes the login of the user. */
  const rename = async (login: string): Promise<void> => {
    const { status } = await server().ask('/api/user', {
      method: 'PUT',
      headers: { authorization: basic('edd', 'right').authorization ?? '' },
      body: { login, email: 'edd@example.com', name: 'edd' },
    });
    expect(status).to.equal(200);
  };

  // Promise: contract 7
  it('is no user, also when a user has taken the login "admin"', async () => {
    await server().patch('iam/users', 'admin', { login: 'root' });
    await rename('admin');
    for (const [index, credential] of CREDENTIALS.entries()) {
      expect((await server().ask('/whoami', credential)).json).to.deep.include({ ...OPERATOR, extra: {} });
      const name = `Organization ${index}`;
      const created = await server().ask('/api/orgs', { ...credential, method: 'POST', body: { name } });
      expect(created.status, created.text).to.equal(200);
      const members = await server().ask(`/api/orgs/${String(created.json['orgId'])}/users`, credential);
      expect([members.status, members.json], 'the members of a new organization').to.deep.equal([200, []]);
      expect((await server().ask('/api/user', credential)).status).to.equal(404);
    }
  });

  it('is the author of what it writes, and not a user named "system"', async () => {
    await server().user('system', { login: 'someone' });
    const folder = { method: 'POST', headers: AS_ADMIN, body: { title: 'of the operator' } };
    const { status, json } = await server().ask('/api/folders', folder);
    expect([status, json['createdBy']]).to.deep.equal([200, 'system:admin']);
  });

  it('gets an answer from every legacy route', async () => {
    const { api } = server();
    for (const { method, path } of legacyRoutesOf({ api })) {
      for (const id of ['1', '999', 'system:admin']) {
        const at = `/api${path.replaceAll(/[:*]\w+/g, encodeURIComponent(id)).replaceAll(/[{}]/g, '')}`;
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const { status, text } = await server().ask(at, { method, headers: AS_ADMIN, body });
        expect(status, `${method} ${at}: ${text}`).to.be.lessThan(500);
      }
    }
    expect((await server().ask('/bootdata', { headers: AS_ADMIN })).status).to.equal(200);
  });

  it('is not recorded as a user who was seen', async () => {
    await server().identity.settled();
    expect(server().services.reader.get('lastseens.internal.svc.app', '', 'system:admin')).to.equal(undefined);
  });
});
