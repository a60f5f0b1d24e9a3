import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import {
  account,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  addTeam,
  addTeamMember,
  bind,
  FOLDERS,
  HERE,
  person,
} from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { eachStore } from '../harness/stores.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const USERS = '/apis/iam.svc.app/v1beta1/users';
const PREFERENCES = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
const HELD = /^The deletion has begun/;

/**
 * The tests hold objects with finalizers, as a caller would who wants to keep rights. Rights must end in the commit of
 * the deletion.
 */
// Promise: contract 5.8
eachStore('What is deleted but held grants nothing', (server) => {
  const { inLegacy, idOf, userId } = writesOf(server);
  let made = 0;

  /** A member without rights. The bindings and teams of a test have the same name as its member. */
  const newcomer = async (role = 'None'): Promise<UserInfo> => {
    const uid = `new-${++made}`;
    return addPerson(server(), uid, role);
  };
  const hold = async (path: string): Promise<void> => {
    const finalizers = ['example.com/hold'];
    const { status, text } = await server().call('PATCH', path, { headers: MERGE, body: { metadata: { finalizers } } });
    expect(status, text).to.equal(200);
  };
  const heldPreferences = async (name: string): Promise<void> => {
    const body = { apiVersion: 'preferences.svc.app/v1beta1', kind: 'Preferences', metadata: { name }, spec: {} };
    const { status, text } = await server().call('POST', PREFERENCES, { body });
    expect(status, text).to.equal(201);
    await hold(`${PREFERENCES}/${name}`);
  };
  const canRead = async (user: UserInfo): Promise<boolean> => {
    const answers = [
      await server().call('GET', `${FOLDERS}/box`, { user }),
      await inLegacy(user, 'GET', '/folders/box'),
    ];
    const [status, other] = answers.map((answer) => answer.status);
    expect(status).to.equal(other);
    return status === 200;
  };
  /** Deletes an object that a finalizer holds, and expects that the caller can do nothing after that. */
  const endsWith = async (
    user: UserInfo,
    path: string,
    remove = () => server().call('DELETE', path),
  ): Promise<void> => {
    expect(await canRead(user), 'before').to.equal(true);
    const { status, text } = await remove();
    expect(status, text).to.be.oneOf([200, 202]);
    const stored = await server().call('GET', path);
    expect(stored.json().metadata, 'it is held').to.have.property('deletionTimestamp');
    expect(await canRead(user), 'after').to.equal(false);
  };
  /** Opens a watch. Returns a function that waits for its end, and expects no change in it. */
  const watch = async (user: UserInfo): Promise<() => Promise<void>> => {
    const { frames } = await server().call('GET', FOLDERS, { user, query: { watch: 'true' } });
    return async () => {
      let type = 'ADDED';
      while (type === 'ADDED') type = (await frames.take(1))[0]?.type ?? '';
      expect(type).to.equal('ERROR');
    };
  };

  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
  });

  it('as a role binding', async () => {
    const user = await newcomer();
    await bind(server(), user.uid, { subject: ['User', user.uid], role: ['BuiltIn', 'Viewer'] });
    await hold(`${HERE}/rolebindings/${user.uid}`);
    const watchEnds = await watch(user);
    await endsWith(user, `${HERE}/rolebindings/${user.uid}`);
    await watchEnds();
  });

  it('as a role whose binding holds it', async () => {
    const user = await newcomer();
    await addRole(server(), user.uid, [{ action: 'folders:read', scope: 'folders:*' }]);
    await bind(server(), user.uid, { subject: ['User', user.uid], role: ['Role', user.uid] });
    await hold(`${HERE}/rolebindings/${user.uid}`);
    await endsWith(user, `${HERE}/roles/${user.uid}`);
  });

  it('as a role that itself is held', async () => {
    const user = await newcomer();
    await addRole(server(), user.uid, [{ action: 'folders:read', scope: 'folders:*' }]);
    await bind(server(), user.uid, { subject: ['User', user.uid], role: ['Role', user.uid] });
    await hold(`${HERE}/roles/${user.uid}`);
    await endsWith(user, `${HERE}/roles/${user.uid}`);
  });

  const inTeam = async (user: UserInfo): Promise<void> => {
    await addTeam(server(), user.uid);
    await addTeamMember(server(), user.uid, user.uid);
    await bind(server(), user.uid, { subject: ['Team', user.uid], role: ['BuiltIn', 'Viewer'] });
  };

  it('as a team binding, and the legacy API does not count the member any more', async () => {
    const user = await newcomer();
    await inTeam(user);
    const binding = `${HERE}/teambindings/${user.uid}.${user.uid}`;
    await hold(binding);
    const team = await idOf(`${HERE}/teams/${user.uid}`);
    const admin = person('adam');
    const remove = async () => inLegacy(admin, 'DELETE', `/teams/${team}/members/${await userId(user.uid)}`);
    await endsWith(user, binding, remove);
    expect((await inLegacy(admin, 'GET', `/teams/${team}/members`)).text).to.equal('[]');
    expect((await inLegacy(admin, 'GET', `/teams/${team}`)).json()).to.include({ memberCount: 0 });
  });

  for (const what of ['its bindings', 'its preferences', 'itself']) {
    it(`as a team that is held by ${what}`, async () => {
      const user = await newcomer();
      await inTeam(user);
      if (what === 'its bindings') {
        await hold(`${HERE}/teambindings/${user.uid}.${user.uid}`);
        await hold(`${HERE}/rolebindings/${user.uid}`);
      } else if (what === 'itself') await hold(`${HERE}/teams/${user.uid}`);
      else await heldPreferences(`team-${user.uid}`);
      const team = await idOf(`${HERE}/teams/${user.uid}`);
      await endsWith(user, `${HERE}/teams/${user.uid}`, async () => {
        const answer = await inLegacy(person('adam'), 'DELETE', `/teams/${team}`);
        expect([answer.status, answer.json().message]).to.satisfy(
          ([code, message]: [number, string]) => code === 202 && HELD.test(message),
        );
        return answer;
      });
    });
  }

  it('as a folder permission that the legacy API removes', async () => {
    const user = await newcomer();
    const own = `/folders/box/permissions`;
    const usual = [
      { role: 'Editor', permission: 2 },
      { role: 'Viewer', permission: 1 },
    ];
    const items = [...usual, { userId: await userId(user.uid), permission: 1 }];
    expect((await inLegacy(person('adam'), 'POST', own, { items })).status).to.equal(200);
    const { items: bindings } = (await server().call('GET', `${HERE}/rolebindings`)).json();
    const found = bindings.find(({ spec }) => JSON.stringify(spec).includes(user.uid));
    const binding = `${HERE}/rolebindings/${found?.metadata.name}`;
    await hold(binding);
    await endsWith(user, binding, () => inLegacy(person('adam'), 'POST', own, { items: usual }));
    expect((await inLegacy(person('adam'), 'GET', own)).text).to.not.include(user.uid);
  });

  it('as a membership, which DELETE /api/org/users/:id answers with 202, and no list has the member', async () => {
    const user = await newcomer('Viewer');
    await heldPreferences(`user-${user.uid}`);
    const path = `/org/users/${await userId(user.uid)}`;
    const watchEnds = await watch(user);
    await endsWith(user, `${HERE}/organizationbindings/${user.uid}`, async () => {
      const answer = await inLegacy(person('adam'), 'DELETE', path);
      expect(answer.status, answer.text).to.equal(202);
      return answer;
    });
    await watchEnds();
    expect((await inLegacy(person('adam'), 'GET', '/org/users')).text).to.not.include(user.name);
    expect((await inLegacy(user, 'GET', '/user/orgs')).text).to.equal('[]');
    expect((await inLegacy(person('adam'), 'PATCH', path, { role: 'Editor' })).status).to.equal(404);
    const own = await server().call('GET', `${PREFERENCES}/user-${user.uid}`, { user });
    expect(own.status, 'even their own preferences').to.equal(403);
  });

  it('as a user, whom DELETE /api/admin/users/:id answers with 202', async () => {
    const user = await newcomer('Viewer');
    await heldPreferences(`user-${user.uid}`);
    await endsWith(user, `${USERS}/${user.uid}`, async () => {
      const answer = await server().call('DELETE', `/api/admin/users/${await userId(user.uid)}`);
      expect(answer.status, answer.text).to.equal(202);
      return answer;
    });
  });

  it('as a service account', async () => {
    const name = `robot-${++made}`;
    const spec = { title: name, role: 'Viewer' };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'ServiceAccount', metadata: { name }, spec };
    expect((await server().call('POST', `${HERE}/serviceaccounts`, { body })).status).to.equal(201);
    await hold(`${HERE}/serviceaccounts/${name}`);
    const id = await idOf(`${HERE}/serviceaccounts/${name}`);
    await endsWith(account(name), `${HERE}/serviceaccounts/${name}`, () =>
      inLegacy(person('adam'), 'DELETE', `/serviceaccounts/${id}`),
    );
  });

  it('as a folder, of which the legacy API says 202', async () => {
    await addFolder(server(), 'held');
    await hold(`${FOLDERS}/held`);
    const { status, text } = await inLegacy(person('adam'), 'DELETE', '/folders/held');
    expect(status, text).to.equal(202);
  });

  it('as an organization: its members have no rights there while it is being emptied', async () => {
    const user = await newcomer();
    const { json } = await server().call('POST', '/api/orgs', { body: { name: 'Short-lived' } });
    const { orgId } = json() as unknown as { orgId: number };
    const there = FOLDERS.replace('default', `org-${orgId}`);
    const body = { loginOrEmail: user.name, role: 'Viewer' };
    expect((await server().call('POST', `/api/orgs/${orgId}/users`, { body })).status).to.equal(200);
    const folder = { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', spec: { title: 'kept' } };
    const metadata = { name: 'kept', finalizers: ['example.com/hold'] };
    expect((await server().call('POST', there, { body: { ...folder, metadata } })).status).to.equal(201);
    expect((await server().call('GET', `${there}/kept`, { user })).status).to.equal(200);
    await hold(`${HERE.replace('default', `org-${orgId}`)}/organizationbindings/${user.uid}`);
    expect((await server().call('DELETE', `/api/orgs/${orgId}`)).status).to.equal(200);
    expect((await server().call('GET', `${there}/kept`)).status, 'it is held').to.equal(200);
    expect((await server().call('GET', `${there}/kept`, { user })).status).to.equal(403);
  });
});
