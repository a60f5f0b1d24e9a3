import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { legacyOf } from '../legacy-api/legacy.js';
import { asAdmin, type Person, peopleOf } from '../legacy-api/people.js';

const SECRET = 'secret-acquisition';

oneStore('Callers learn nothing of other organizations and their users', (server) => {
  const { call, ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { made } = iam(server);
  let viewer: Person;
  let admin: Person;
  let insider: Person;
  let secretId: number;

  /** Status and body without the random id of a refusal. */
  const told = ({ status, text }: Answer) => `${status} ${text.replace(/ACE\d+/, '')}`;
  const tell = async (user: UserInfo | undefined, method: string, path: string, body?: unknown) =>
    told(await call(method, path, { ...(user && { user }), ...(body === undefined ? {} : { body }) }));

  before(async () => {
    viewer = await person({ role: 'Viewer' });
    admin = await person({ role: 'Admin' });
    insider = await person({ role: '' });
    const organization = await made('Organization', SECRET, { title: 'Secret Acquisition' });
    secretId = Number(organization.metadata.labels?.['svc.app/deprecatedInternalID']);
    const member = { userRef: { name: insider.uid }, role: 'None' };
    await made('OrganizationBinding', insider.uid, member, SECRET);
  });

  describe('GET /bootdata and /api/frontend/settings', () => {
    const boot = (user: UserInfo, id: number) => server().call('GET', `/bootdata?orgId=${id}`, { user });

    it('do not name the namespace of another organization', async () => {
      for (const { info } of [viewer, admin]) {
        const answer = await boot(info, secretId);
        expect(told(answer)).to.equal(told(await boot(info, 99_999)));
        expect(answer.text).to.not.contain(SECRET);
        const settings = await tell(info, 'GET', `/frontend/settings?orgId=${secretId}`);
        expect(settings).to.equal(await tell(info, 'GET', '/frontend/settings?orgId=99999'));
      }
    });

    it('name it to members and to administrators of the server', async () => {
      for (const user of [insider.info, asAdmin(viewer)]) {
        expect((await boot(user, secretId)).json()).to.have.nested.property('settings.namespace', SECRET);
      }
    });
  });

  // Promise: security rights
  it('/api/orgs/name/:name and /api/orgs/:orgId answer alike whether the organization exists or not', async () => {
    for (const { info } of [viewer, admin]) {
      const byName = await tell(info, 'GET', '/orgs/name/Secret%20Acquisition');
      expect(byName).to.match(/^403 /);
      expect(byName).to.equal(await tell(info, 'GET', '/orgs/name/Nothing'));
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { name: 'x' }],
        ['PUT', '/address', { city: 'x' }],
        ['DELETE', '', undefined],
        ['GET', '/users', undefined],
        ['POST', '/users', { loginOrEmail: viewer.login, role: 'Viewer' }],
        ['PATCH', `/users/${insider.id}`, { role: 'Viewer' }],
        ['DELETE', `/users/${insider.id}`, undefined],
      ] as const) {
        const there = await tell(info, method, `/orgs/${secretId}${path}`, body);
        expect(there, `${method} ${path}`).to.match(/^403 /);
        expect(there, `${method} ${path}`).to.equal(await tell(info, method, `/orgs/99999${path}`, body));
      }
    }
    expect(await tell(undefined, 'GET', '/orgs/name/Nothing')).to.match(/^404 .*Organization not found/);
    expect(await tell(undefined, 'GET', '/orgs/99999/users')).to.match(/^404 .*Organization not found/);
  });

  it('?orgId and X-Grafana-Org-Id answer alike whether the organization exists or not', async () => {
    const routes = [
      '/folders',
      '/org',
      '/org/users',
      '/teams/search',
      '/search',
      '/user/preferences',
      '/serviceaccounts/search',
    ];
    for (const { info } of [viewer, admin]) {
      for (const path of routes) {
        const there = await tell(info, 'GET', `${path}?orgId=${secretId}`);
        expect(there, path).to.equal('404 {"message":"Organization not found"}');
        expect(await tell(info, 'GET', `${path}?orgId=99999`), path).to.equal(there);
        const byHeader = await call('GET', path, { user: info, headers: { 'x-grafana-org-id': `${secretId}` } });
        expect(told(byHeader), path).to.equal(there);
      }
    }
    expect(await tell(insider.info, 'GET', `/org?orgId=${secretId}`)).to.match(/^200 .*Secret Acquisition/);
    expect(await tell(asAdmin(viewer), 'GET', `/org?orgId=${secretId}`)).to.match(/^200 .*Secret Acquisition/);
  });

  // Promise: security rights
  it('the resource API answers alike for a namespace of others and one that nobody has', async () => {
    const kinds = server().api.registry.kinds.filter(({ scope, served }) => served && scope === 'Namespaced');
    expect(kinds.length).to.be.greaterThan(15);
    const merge = { 'content-type': 'application/merge-patch+json' };
    for (const { group, version, kind, resource, subresources } of kinds)
      for (const name of ['', '/x', `/user-${admin.uid}`, ...subresources.map((sub) => `/x/${sub.name}`)])
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const object = { apiVersion: [group, version].filter(Boolean).join('/'), kind, metadata: { name: 'x' } };
          const body = ['GET', 'DELETE'].includes(method) ? {} : { body: object };
          const headers = method === 'PATCH' ? merge : {};
          const path = (namespace: string) =>
            `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${resource}${name}`;
          const tells = async (namespace: string) => {
            const answer = await server().call(method, path(namespace), { user: admin.info, headers, ...body });
            return told(answer).replaceAll(namespace, 'NAMESPACE');
          };
          expect(await tells(SECRET), `${method} ${path(SECRET)}`).to.equal(await tells('nothing'));
        }
  });

  it('DELETE /api/orgs/:orgId answers alike to a caller who may delete another organization only', async () => {
    const permissions = [{ action: 'orgs:delete', scope: 'orgs:uid:elsewhere' }];
    await made('Role', 'remover', { title: 'Remover', permissions });
    await made('RoleBinding', 'remover', {
      subject: { kind: 'User', name: viewer.uid },
      roleRef: { kind: 'Role', name: 'remover' },
    });
    const there = await tell(viewer.info, 'DELETE', `/orgs/${secretId}`);
    expect(there).to.match(/^403 /);
    expect(await tell(viewer.info, 'DELETE', '/orgs/99999')).to.equal(there);
  });

  describe('POST /api/org/users', () => {
    const add = (user: UserInfo, loginOrEmail: string, role = 'Viewer') =>
      tell(user, 'POST', '/org/users', { loginOrEmail, role });

    it('does not tell an organization administrator who guesses a login the e-mail address', async () => {
      const stranger = await person({ role: '' });
      expect(await add(admin.info, stranger.login)).to.equal(await add(admin.info, 'nobody-has-this-login'));
      const members = await ask(200, 'GET', '/org/users', undefined, { user: admin.info });
      expect(JSON.stringify(members)).to.not.contain(stranger.email);
    });

    it('adds the user whose e-mail address the organization administrator knows', async () => {
      const stranger = await person({ role: '' });
      const added = await add(admin.info, stranger.email.toUpperCase());
      expect(added).to.equal(`200 {"message":"User added to organization","userId":${stranger.id}}`);
      expect(await add(admin.info, stranger.login)).to.match(/^409 .*already member/);
    });

    it('adds users by login for those who may view users', async () => {
      const stranger = await person({ role: '' });
      expect(await add(asAdmin(admin), stranger.login)).to.match(/^200 /);
    });
  });
});
