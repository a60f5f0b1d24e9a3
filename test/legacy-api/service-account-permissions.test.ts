import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const EDIT = ['serviceaccounts:read', 'serviceaccounts:write'];
const PERMISSIONS = ['serviceaccounts.permissions:read', 'serviceaccounts.permissions:write'];

oneStore('permissions on service accounts in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);
  const make = (options = {}): Promise<Json> =>
    ask(201, 'POST', '/serviceaccounts', { name: fresh('Account'), role: 'Viewer' }, options);
  const access = (path: string | number): string => `/access-control/serviceaccounts/${path}`;
  const list = async (id: number): Promise<Json> =>
    (await ask(200, 'GET', access(id))).map((one: Json) => [
      one.userLogin ?? one.team ?? one.builtInRole,
      one.permission,
    ]);

  it('GET …/description tells which subjects and permissions there are', async () => {
    expect(await ask(200, 'GET', access('description'))).to.deep.equal({
      assignments: { users: true, serviceAccounts: true, teams: true, builtInRoles: true },
      permissions: ['Edit', 'Admin'],
    });
  });

  // Promise: specification 4.11
  it('make the creator Admin', async () => {
    const { info, id: userId, login } = await person({ role: 'Admin' });
    const { id } = await make({ user: info });
    const [only, ...others] = await ask(200, 'GET', access(id));
    expect(others).to.deep.equal([]);
    expect(only).to.include({ userId, userLogin: login, permission: 'Admin', isInherited: false, isManaged: true });
    expect(only.actions).to.deep.equal([...EDIT, 'serviceaccounts:delete', ...PERMISSIONS]);
  });

  // Promise: specification 4.11
  it('are set for users, teams and roles one by one or together, and an empty permission removes one', async () => {
    const { id: userId, login } = await person();
    const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('team') });
    const { id, uid } = await make();
    await ask(200, 'POST', access(`${id}/users/${userId}`), { permission: 'Edit' });
    await ask(200, 'POST', access(`${uid}/builtInRoles/Viewer`), { permission: 'Edit' });
    await ask(200, 'POST', access(`${id}/teams/${teamId}`), { permission: 'Admin' });
    expect((await list(id)).slice(-3).map(([, level]: Json) => level)).to.have.members(['Edit', 'Edit', 'Admin']);
    await ask(200, 'POST', access(id), { permissions: [{ userId }, { teamId, permission: 'Edit' }] });
    const after = await list(id);
    expect(after.map(([who]: Json) => who)).not.to.include(login);
    expect(after).to.deep.include(['Viewer', 'Edit']);
    expect(await ask(200, 'POST', access(`${id}/builtInRoles/Viewer`), {})).to.deep.equal({
      message: 'Permission removed',
    });
    expect(await list(id)).not.to.deep.include(['Viewer', 'Edit']);
  });

  it('let a viewer read and change that account only, and issue no token that can do more than they', async () => {
    const { id: userId, info: user } = await person();
    const [own, other] = [await make(), await make()];
    await ask(200, 'POST', access(`${own.id}/users/${userId}`), { permission: 'Edit' });
    expect((await call('GET', `/serviceaccounts/${other.id}`, { user })).status).to.equal(403);
    const { accessControl } = await ask(200, 'GET', `/serviceaccounts/${own.id}?accesscontrol=true`, undefined, {
      user,
    });
    expect(accessControl).to.deep.equal({ 'serviceaccounts:read': true, 'serviceaccounts:write': true });
    await ask(200, 'PATCH', `/serviceaccounts/${own.id}`, { name: fresh('Renamed') }, { user });
    expect((await call('GET', access(own.id), { user })).status).to.equal(403);
    expect((await call('DELETE', `/serviceaccounts/${own.id}`, { user })).status).to.equal(403);
    await ask(200, 'POST', `/serviceaccounts/${own.id}/tokens`, { name: fresh('token') }, { user });
    await ask(200, 'PATCH', `/serviceaccounts/${own.id}`, { role: 'Admin' });
    const body = { name: fresh('token') };
    expect((await call('POST', `/serviceaccounts/${own.id}/tokens`, { user, body })).status).to.equal(403);
    expect((await call('PATCH', `/serviceaccounts/${own.id}`, { user, body: { role: 'Editor' } })).status).to.equal(
      403,
    );
  });

  it('are RoleBindings with the account as their scope, which are deleted with it', async () => {
    const { id: userId, uid: user } = await person();
    const { id, uid } = await make();
    await ask(200, 'POST', access(`${id}/users/${userId}`), { permission: 'Edit' });
    const name = `serviceaccount.${uid}.user.${user}`;
    expect(bodyOf(await resources.get('RoleBinding', name), 200).spec).to.deep.equal({
      subject: { kind: 'User', name: user },
      roleRef: { kind: 'BuiltIn', name: 'Edit' },
      scope: { serviceAccount: uid },
    });
    await ask(200, 'DELETE', `/serviceaccounts/${id}`);
    expect((await resources.get('RoleBinding', name)).status).to.equal(404);
  });

  it('refuse unknown accounts, people, roles and permissions, and change nothing', async () => {
    const { id } = await make();
    for (const [status, message, path, body] of [
      [404, 'service account not found', '99999/users/1', { permission: 'Edit' }],
      [404, 'service account not found', 'none/users/1', { permission: 'Edit' }],
      [400, 'user not found', `${id}/users/99999`, { permission: 'Edit' }],
      [404, 'team not found', `${id}/teams/99999`, { permission: 'Edit' }],
      [400, 'role is invalid', `${id}/builtInRoles/Owner`, { permission: 'Edit' }],
      [400, 'invalid permission', `${id}/users/1`, { permission: 'View' }],
      [400, 'invalid permission', `${id}`, { permissions: [{ userId: 1, permission: 'constructor' }] }],
    ] as const)
      await changingNothing(server(), () => refused(status, { message }, 'POST', access(path), body));
  });
});
