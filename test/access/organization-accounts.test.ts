import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { eachStore } from '../harness/stores.js';
import { ADMINISTRATOR, addPeople, addRole, bind, person } from './people.js';
import { writesOf } from './writes.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const POST = ['POST', '/org/accounts'] as const;

eachStore('accounts that administrators of an organization create', (server) => {
  const { inLegacy, refused, editorWith } = writesOf(server);
  const accountOf = (login: string, more: object = {}) => ({ login, role: 'Viewer', ...more });
  const create = (user: UserInfo, body: object) => inLegacy(user, ...POST, body);
  const read = async (path: string) => (await server().call('GET', `${IAM}${path}`)).json();

  before(() => addPeople(server()));

  it('belong to it alone, and have a password that must be changed', async () => {
    const email = 'Nina@example.com';
    const answer = await create(ADMINISTRATOR, accountOf('nina', { email, name: 'Nina', role: 'Editor' }));
    expect(answer.status, answer.text).to.equal(200);
    const { uid, password } = answer.json() as unknown as { uid: string; password: string };
    expect(password).to.match(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    const user = await read(`/users/${uid}`);
    expect(user.spec).to.deep.equal({
      ...{ login: 'nina', email, name: 'Nina', disabled: false, grafanaAdmin: false },
      ...{ emailVerified: false, mustChangePassword: true, createdIn: 'default' },
    });
    expect(user.metadata.annotations).to.include({ 'svc.app/createdBy': 'user:adam' });
    const { items } = (await read('/organizationbindings')) as unknown as { items: (typeof user)[] };
    const own = items.filter(({ metadata }) => metadata.name === uid);
    expect(own.map(({ metadata, spec }) => [metadata.namespace, spec['role']])).to.deep.equal([['default', 'Editor']]);
  });

  it('are counted, for those who may create them', async () => {
    const counted = await inLegacy(ADMINISTRATOR, 'GET', '/org/accounts');
    expect(counted.json()).to.deep.equal({ created: 1, max: 1000 });
  });

  it('are created by no viewer, editor or outsider, and not as users of the server', async () => {
    for (const uid of ['vera', 'edith', 'norm', 'otto']) await refused(() => create(person(uid), accountOf('no')));
    const user = { apiVersion: 'iam.svc.app/v1beta1', kind: 'User', metadata: { name: 'no' }, spec: { login: 'no' } };
    await refused(() => server().call('POST', `${IAM}/users`, { user: ADMINISTRATOR, body: user }));
    await refused(() => inLegacy(ADMINISTRATOR, 'POST', '/admin/users', { login: 'no', password: 'long enough' }));
  });

  it('are created in no other organization', async () => {
    const other = await server().call('POST', '/api/orgs', { body: { name: 'Other' } });
    const { orgId } = other.json() as unknown as { orgId: number };
    await refused(() => inLegacy(ADMINISTRATOR, 'POST', `/org/accounts?orgId=${orgId}`, accountOf('no')), 404);
    const headers = { 'x-grafana-org-id': String(orgId) };
    const user = { ...ADMINISTRATOR, extra: { 'svc.app/organization': ['default'] } };
    await refused(() => server().call('POST', '/api/org/accounts', { user, body: accountOf('no'), headers }), 404);
    const namespace = `org-${orgId}`;
    const withPlace = await create(ADMINISTRATOR, accountOf('placed', { orgId, OrgId: orgId, namespace }));
    const { uid } = withPlace.json() as unknown as { uid: string };
    expect((await server().call('GET', `${IAM}/namespaces/${namespace}/organizationbindings/${uid}`)).status).to.equal(
      404,
    );
  });

  it('take no member of a user but the profile', async () => {
    const more = {
      ...{ uid: 'mine', name: 'N', grafanaAdmin: true, isGrafanaAdmin: true, provisioned: true, provisionedBy: 'x' },
      ...{ emailVerified: true, mustChangePassword: false, createdIn: 'x', password: 'x', hash: 'x', disabled: true },
    };
    const answer = await create(ADMINISTRATOR, accountOf('plain', more));
    const { uid, password } = answer.json() as unknown as { uid: string; password: string };
    expect([uid, password]).to.not.include.members(['mine']);
    expect(password).to.have.length(23);
    expect((await read(`/users/${uid}`)).spec).to.deep.equal({
      ...{ login: 'plain', email: 'plain', name: 'N', disabled: false, grafanaAdmin: false },
      ...{ emailVerified: false, mustChangePassword: true, createdIn: 'default' },
    });
  });

  it('neither replace nor join an account that exists, and the answer does not say what is taken', async () => {
    const told = async (body: object) => {
      const { text } = await refused(() => create(ADMINISTRATOR, body), 412);
      return text;
    };
    const words = (login: string, email: string) =>
      JSON.stringify({ message: `User with email '${email}' or username '${login}' already exists` });
    const OTTO = 'otto@example.com';
    expect(await told(accountOf('OTTO@here'))).to.equal(words('OTTO@here', 'OTTO@here'));
    expect(await told(accountOf('free', { email: OTTO }))).to.equal(words('free', OTTO));
    expect(await told({ email: OTTO, role: 'None' })).to.equal(words(OTTO, OTTO));
    await refused(() => create(ADMINISTRATOR, { role: 'Viewer' }), 400);
    await refused(() => create(ADMINISTRATOR, accountOf('system:x')), 400);
    await refused(() => create(ADMINISTRATOR, accountOf('x', { role: 'Server' })), 400);
  });

  it('take no address of somebody else as login', async () => {
    await refused(() => create(ADMINISTRATOR, accountOf('ceo@x.org', { email: 'mine@x.org' })), 400);
    expect((await create(ADMINISTRATOR, accountOf('Ceo@x.org', { email: 'ceo@x.org' }))).status).to.equal(200);
  });

  it('get no role that their author lacks', async () => {
    const onlyCreate = await editorWith('only-create', 'org.users:create');
    await refused(() => create(onlyCreate, accountOf('no')));
    const onlyAdd = await editorWith('only-add', 'org.users:add');
    await refused(() => create(onlyAdd, accountOf('no')));
    await refused(() => inLegacy(onlyAdd, 'GET', '/org/accounts'));
    const both = await editorWith('creates-and-adds', 'org.users:create', 'org.users:add');
    await refused(() => create(both, accountOf('no', { role: 'Admin' })));
    for (const role of ['None', 'Viewer', 'Editor']) {
      const { status, text } = await create(both, accountOf(`by-both-${role}`, { role }));
      expect(status, text).to.equal(200);
    }
    await addRole(server(), 'reads-teams', [{ action: 'teams:write', scope: 'teams:*' }]);
    await bind(server(), 'of-viewers', { subject: ['BasicRole', 'Viewer'], role: ['Role', 'reads-teams'] });
    await refused(() => create(both, accountOf('no', { role: 'Viewer' })));
    await refused(() => create(both, accountOf('no', { role: 'Admin' })));
  });

  it('give their authors nothing on them beyond the membership', async () => {
    const { uid } = (await create(ADMINISTRATOR, accountOf('alone'))).json() as unknown as { uid: string };
    const user = await read(`/users/${uid}`);
    const id = user.metadata.labels?.['svc.app/deprecatedInternalID'];
    const password = { password: 'a long one 7' };
    await refused(() => inLegacy(ADMINISTRATOR, 'PUT', `/admin/users/${id}/password`, password));
    await refused(() => inLegacy(ADMINISTRATOR, 'PUT', `/admin/users/${id}/permissions`, { isGrafanaAdmin: true }));
    await refused(() => inLegacy(ADMINISTRATOR, 'PUT', `/users/${id}`, { login: 'mine' }));
    await refused(() => inLegacy(ADMINISTRATOR, 'DELETE', `/admin/users/${id}`));
  });
});
