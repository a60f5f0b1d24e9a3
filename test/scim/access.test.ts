import { expect } from 'chai';
import { identityServices } from '../../apis/authentication/services.js';
import { AUTHENTICATED_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { bodyOf } from '../harness/resource.js';
import { eachStore, oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { ALL_ACTIONS, GROUP, type Json, PATCH, scimOf, USER } from './scim.js';

const replace = (path: string, value: unknown) => ({ schemas: [PATCH], Operations: [{ op: 'replace', path, value }] });

oneStore('the permission to use SCIM', (server) => {
  const { ask, call, client, makeUser, refused } = scimOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);

  // Promise: security rights
  it('is one of four actions, each for its own requests, in one organization', async () => {
    const { id } = await makeUser();
    const requests = {
      'scim.users:read': [
        ['GET', '/Users'],
        ['GET', `/Users/${id}`],
        ['POST', '/Users/.search'],
      ],
      'scim.users:write': [
        ['POST', '/Users'],
        ['PUT', `/Users/${id}`],
        ['PATCH', `/Users/${id}`],
        ['DELETE', `/Users/${id}`],
      ],
      'scim.groups:read': [
        ['GET', '/Groups'],
        ['GET', '/Groups/x'],
        ['POST', '/Groups/.search'],
      ],
      'scim.groups:write': [
        ['POST', '/Groups'],
        ['PUT', '/Groups/x'],
        ['PATCH', '/Groups/x'],
        ['DELETE', '/Groups/x'],
      ],
    } as const;
    for (const action of ALL_ACTIONS) {
      const others = ALL_ACTIONS.filter((other) => other !== action);
      const [user, without] = [await client([action]), await client(others)];
      for (const [method, path] of requests[action as keyof typeof requests]) {
        const { status } = await call(method, path, method === 'GET' ? undefined : {}, { user });
        if (method !== 'DELETE') expect(status, `${action} ${method} ${path}`).to.not.equal(403);
        await refused(403, undefined, method, path, method === 'GET' ? undefined : {}, { user: without });
      }
    }
  });

  it('is nobody’s who does not have one of them, whatever else they may do in the organization', async () => {
    const admin = await person({ role: 'Admin' });
    for (const path of ['/Users', '/Groups', '/ServiceProviderConfig', '/Schemas', '/Bulk', '/Users/x']) {
      const method = path === '/Bulk' ? 'POST' : 'GET';
      await refused(403, undefined, method, path, method === 'POST' ? {} : undefined, { user: admin.info });
      await refused(401, undefined, method, path, undefined, { user: null });
    }
    await refused(403, undefined, 'GET', '/Users', undefined, { user: await client(), namespace: 'no-such' });
    await refused(404, undefined, 'GET', '/Users', undefined, { namespace: 'no-such' });
  });

  it('is given by administrators of the server only', async () => {
    const admin = await person({ role: 'Admin' });
    const spec = { permissions: ALL_ACTIONS.map((action) => ({ action })) };
    const role = { apiVersion: 'iam.svc.app/v1beta1', kind: 'Role', metadata: { name: fresh('role') }, spec };
    const path = '/apis/iam.svc.app/v1beta1/namespaces/default';
    expect((await server().call('POST', `${path}/roles`, { body: role, user: admin.info })).status).to.equal(422);
    await resources.made('Role', role.metadata.name, spec);
    const binding = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'RoleBinding',
      metadata: { name: fresh('binding') },
      spec: { subject: { kind: 'User', name: admin.uid }, roleRef: { kind: 'Role', name: role.metadata.name } },
    };
    const bound = await server().call('POST', `${path}/rolebindings`, { body: binding, user: admin.info });
    expect(bound.status, bound.text).to.equal(422);
  });

  it('is not needed to read what SCIM says about oneself', async () => {
    const { uid, login, info } = await person();
    expect(await ask(200, 'GET', '/Me', undefined, { user: info })).to.deep.include({ id: uid, userName: login });
    await refused(404, undefined, 'GET', '/Me', undefined, { user: await client() });
    await refused(403, undefined, 'DELETE', '/Me', undefined, { user: info });
  });
});

eachStore('SCIM and several organizations', (server) => {
  const { ask, call, makeGroup, makeUser, refused } = scimOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);

  const organization = async (): Promise<string> => {
    const name = fresh('org');
    await resources.made('Organization', name, { title: name });
    return name;
  };
  const callerOf = (uid: string, login: string): UserInfo => ({
    name: login,
    uid,
    groups: [AUTHENTICATED_GROUP],
    extra: {},
  });
  const mayRead = async (namespace: string, user: UserInfo): Promise<boolean> =>
    (await server().call('GET', `/apis/folder.svc.app/v1beta1/namespaces/${namespace}/folders`, { user })).status ===
    200;
  const find = async (namespace: string, filter: string): Promise<readonly Json[]> =>
    (await ask(200, 'GET', `/Users?filter=${encodeURIComponent(filter)}`, undefined, { namespace })).Resources;

  const legacyMember = async (uid: string): Promise<Json> =>
    JSON.parse((await server().call('GET', `/api/org/users?uid=${uid}`)).text)[0];

  // Promise: security rights
  it('never shows people and teams of another organization', async () => {
    const namespace = await organization();
    const { id, userName } = await makeUser();
    const group = await makeGroup({ members: [{ value: id }] });
    expect(await find(namespace, `userName eq "${userName}"`)).to.deep.equal([]);
    expect(await find(namespace, `userName pr`)).to.deep.equal([]);
    for (const method of ['GET', 'DELETE'])
      for (const path of [`/Users/${id}`, `/Groups/${group.id}`])
        await refused(404, undefined, method, path, undefined, { namespace });
    await refused(404, undefined, 'PATCH', `/Users/${id}`, replace('active', false), { namespace });
    const members = { schemas: [GROUP], displayName: 'x', members: [{ value: id }] };
    await refused(400, 'invalidValue', 'POST', '/Groups', members, { namespace });
  });

  // Promise: security rights
  it('makes the account of another organization a member for those who know its verified address', async () => {
    const namespace = await organization();
    const { id, userName } = await makeUser({ displayName: 'Ada' });
    const guess = (more: object) => ({ schemas: [USER], userName, ...more });
    await refused(409, 'uniqueness', 'POST', '/Users', guess({ emails: [{ value: 'other@example.com' }] }), {
      namespace,
    });
    const unverified = await person({ spec: { emailVerified: false } });
    const other = { schemas: [USER], userName: unverified.login, emails: [{ value: unverified.email }] };
    await refused(409, 'uniqueness', 'POST', '/Users', other, { namespace });
    // Whoever made this account here would sign in with the password as a member there.
    const known = await makeUser({ password: 'A password that is known' });
    const waiting = { schemas: [USER], userName: known.userName };
    await refused(409, 'uniqueness', 'POST', '/Users', waiting, { namespace });
    const sent = guess({ externalId: 'there', displayName: 'Somebody else' });
    const answer = await call('POST', '/Users', sent, { namespace });
    expect(answer.status).to.equal(201);
    expect(answer.body).to.deep.include({ id, displayName: 'Ada', externalId: 'there' });
    expect(await ask(200, 'GET', `/Users/${id}`)).to.not.have.property('externalId');
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('displayName', 'Mine'), { namespace });
    await refused(400, 'mutability', 'PATCH', `/Users/${id}`, replace('password', 'A long new password'), {
      namespace,
    });
  });

  // Promise: security rights
  it('suspends the membership of somebody whom another organization has, too, and disables nobody there', async () => {
    const namespace = await organization();
    const { id, userName } = await makeUser();
    await ask(201, 'POST', '/Users', { schemas: [USER], userName }, { namespace });
    const caller = callerOf(id, userName);
    expect([await mayRead('default', caller), await mayRead(namespace, caller)]).to.deep.equal([true, true]);
    for (const [where, other] of [
      [namespace, 'default'],
      ['default', namespace],
    ] as const) {
      const off = await ask(200, 'PATCH', `/Users/${id}`, replace('active', 'False'), { namespace: where });
      expect(off.active).to.equal(false);
      expect([await mayRead(where, caller), await mayRead(other, caller)], where).to.deep.equal([false, true]);
      expect((await ask(200, 'GET', `/Users/${id}`, undefined, { namespace: other })).active).to.equal(true);
      if (where === 'default')
        expect(await legacyMember(id)).to.deep.include({ isDisabled: true, isProvisioned: true });
      expect(bodyOf(await resources.get('User', id), 200).spec?.['disabled']).to.equal(false);
      const on = await ask(200, 'PATCH', `/Users/${id}`, replace('active', true), { namespace: where });
      expect(on.active).to.equal(true);
      expect(await mayRead(where, caller)).to.equal(true);
    }
  });

  it('ends the membership with DELETE, and the account with the last one', async () => {
    const namespace = await organization();
    const { id, userName } = await makeUser();
    await ask(201, 'POST', '/Users', { schemas: [USER], userName }, { namespace });
    await ask(204, 'DELETE', `/Users/${id}`);
    expect((await resources.get('User', id)).status).to.equal(200);
    expect((await resources.get('OrganizationBinding', id)).status).to.equal(404);
    await ask(204, 'DELETE', `/Users/${id}`, undefined, { namespace });
    expect((await resources.get('OrganizationBinding', id, namespace)).status).to.equal(404);
    expect((await resources.get('User', id)).status).to.equal(404);
  });

  // Promise: security rights
  it('never disables, changes or deletes an administrator of the server', async () => {
    const { uid } = await person({ spec: { grafanaAdmin: true } });
    await refused(400, 'mutability', 'PATCH', `/Users/${uid}`, replace('displayName', 'x'));
    await refused(400, 'mutability', 'PATCH', `/Users/${uid}`, replace('password', 'A long new password'));
    expect((await ask(200, 'PATCH', `/Users/${uid}`, replace('active', false))).active).to.equal(false);
    expect(bodyOf(await resources.get('User', uid), 200).spec?.['disabled']).to.equal(false);
    await ask(204, 'DELETE', `/Users/${uid}`);
    expect((await resources.get('User', uid)).status).to.equal(200);
  });

  // Promise: security browsers
  it('ends the sessions of whom it disables', async () => {
    const { id } = await makeUser();
    const sessions = identityServices(server().api.registry, 'svc.app').objects('internal/sessions');
    const spec = { userRef: { name: id }, hash: 'a'.repeat(64), createdAt: new Date().toISOString() };
    const name = fresh('session');
    await sessions.create({ metadata: { name }, spec });
    await ask(200, 'PATCH', `/Users/${id}`, replace('active', false));
    expect(sessions.find(name)).to.equal(undefined);
  });
});
