import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf, TIME } from './legacy.js';
import { peopleOf } from './people.js';

const ROLES = '/access-control/roles';
const READ = [{ action: 'folders:read', scope: 'folders:*' }];
oneStore('roles in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);
  const make = (more: Json = {}): Promise<Json> =>
    ask(201, 'POST', ROLES, { name: fresh('custom:role'), version: 1, permissions: READ, ...more });
  const team = async (): Promise<number> => (await ask(200, 'POST', '/teams', { name: fresh('team') })).teamId;
  const account = async (): Promise<number> => (await ask(201, 'POST', '/serviceaccounts', { name: fresh('sa') })).id;

  it('GET /api/access-control/status tells that there are roles', async () => {
    expect(await ask(200, 'GET', '/access-control/status')).to.deep.equal({ enabled: true });
  });

  // Promise: specification 4.11
  it('POST creates a role, which both APIs return', async () => {
    const name = fresh('custom:reports');
    const sent = {
      uid: fresh('reports'),
      name,
      displayName: 'Reports',
      description: 'Reads',
      group: 'Ours',
      version: 3,
      global: false,
      permissions: [...READ, { action: 'orgs.preferences:read' }],
    };
    const role = await ask(201, 'POST', ROLES, sent);
    expect(role).to.deep.include({
      uid: sent.uid,
      name,
      displayName: 'Reports',
      description: 'Reads',
      group: 'Ours',
      version: 3,
      global: false,
      hidden: false,
    });
    expect(role.created).to.match(TIME);
    expect(role.permissions.map(({ action, scope }: Json) => [action, scope])).to.deep.equal([
      ['folders:read', 'folders:*'],
      ['orgs.preferences:read', ''],
    ]);
    expect(bodyOf(await resources.get('Role', sent.uid), 200).spec).to.deep.equal({
      title: 'Reports',
      description: 'Reads',
      permissions: [...READ, { action: 'orgs.preferences:read', scope: '' }],
      name,
      group: 'Ours',
      version: 3,
    });
    expect(await ask(200, 'GET', `${ROLES}/${sent.uid}`)).to.deep.equal(role);
  });

  it('GET lists roles without permissions, and hidden ones only if they are asked for', async () => {
    const [shown, hidden] = [await make(), await make({ hidden: true })];
    const uids = async (query = ''): Promise<readonly string[]> =>
      (await ask(200, 'GET', `${ROLES}${query}`)).map(({ uid }: Json) => uid);
    expect(await uids())
      .to.include(shown.uid)
      .and.not.include(hidden.uid);
    expect(await uids('?includeHidden=true')).to.include.members([shown.uid, hidden.uid]);
    const [first] = await ask(200, 'GET', ROLES);
    expect(first).not.to.have.property('permissions');
  });

  // Promise: specification 4.11
  it('PUT replaces a role, and needs a higher version', async () => {
    const { uid, name } = await make({ displayName: 'Old', group: 'Old' });
    const body = { name, description: 'New', permissions: [], version: 1 };
    const older = { message: 'version must be higher than 1, the stored one' };
    await changingNothing(server(), () => refused(400, older, 'PUT', `${ROLES}/${uid}`, body));
    const changed = await ask(200, 'PUT', `${ROLES}/${uid}`, { ...body, version: 2 });
    expect(changed).to.deep.include({ uid, name, displayName: '', group: '', description: 'New', version: 2 });
    expect(changed.permissions).to.deep.equal([]);
  });

  // Promise: specification 4.11
  it('DELETE refuses a role that somebody has, unless force=true', async () => {
    const { uid } = await make();
    await ask(200, 'POST', `/access-control/teams/${await team()}/roles`, { roleUid: uid });
    const assigned = { message: 'the role is assigned: remove its assignments, or send force=true' };
    await changingNothing(server(), () => refused(400, assigned, 'DELETE', `${ROLES}/${uid}?force=false`));
    expect(await ask(200, 'DELETE', `${ROLES}/${uid}?force=true&global=false`)).to.deep.equal({
      message: 'Role deleted',
    });
    await ask(404, 'GET', `${ROLES}/${uid}`);
  });

  it('refuse what cannot be done, and change nothing', async () => {
    const { uid, name } = await make();
    const reserved = '"fixed:x": names that begin so are those of the server';
    for (const [status, message, method, path, body] of [
      [400, 'bad request data', 'POST', ROLES, { permissions: [] }],
      [400, 'another role of the organization has this name', 'POST', ROLES, { name }],
      [400, 'a role with this uid already exists', 'POST', ROLES, { uid, name: fresh('x') }],
      [400, reserved, 'POST', ROLES, { name: 'fixed:x' }],
      [404, 'role not found', 'PUT', `${ROLES}/none`, { name: 'x', version: 1 }],
      [404, 'role not found', 'DELETE', `${ROLES}/none`, undefined],
      [404, 'role not found', 'PUT', `${ROLES}/none/assignments`, { users: [] }],
      [404, 'user not found', 'PUT', `${ROLES}/${uid}/assignments`, { users: [99999] }],
      [404, 'team not found', 'POST', '/access-control/teams/99999/roles', { roleUid: uid }],
      [404, 'user not found', 'GET', '/access-control/users/99999/roles', undefined],
    ] as const)
      await changingNothing(server(), () => refused(status, { message }, method, path, body));
    const answer = await call('POST', ROLES, {
      body: { name: fresh('x'), permissions: [{ action: 'Not An Action' }] },
    });
    expect([answer.status, answer.text]).to.deep.equal([400, answer.text]);
    expect(answer.text).to.contain('action');
  });

  // Promise: specification 4.11
  it('are assigned to users, teams and service accounts, and what a list leaves out is taken away', async () => {
    const { uid } = await make();
    const path = `${ROLES}/${uid}/assignments`;
    const [one, other] = [await person(), await person()];
    const [teamId, accountId] = [await team(), await account()];
    const all = { users: [one.id, other.id], teams: [teamId], service_accounts: [accountId] };
    expect(await ask(200, 'PUT', path, all)).to.deep.equal({ role_uid: uid, ...all });
    expect(await ask(200, 'GET', path)).to.deep.equal({ role_uid: uid, ...all });
    const fewer = { users: [other.id], teams: [], service_accounts: [] };
    expect(await ask(200, 'PUT', path, { users: [other.id] })).to.deep.equal({ role_uid: uid, ...fewer });
    const binding = bodyOf(await resources.get('RoleBinding', `role.${uid}.user.${other.uid}`), 200);
    expect(binding.spec).to.deep.equal({
      subject: { kind: 'User', name: other.uid },
      roleRef: { kind: 'Role', name: uid },
    });
  });

  // Promise: specification 4.11
  it('are added to and taken from a user or a team one by one or together', async () => {
    const [a, b, hidden] = [await make(), await make(), await make({ hidden: true })];
    const { id } = await person();
    for (const path of [`/access-control/users/${id}/roles`, `/access-control/teams/${await team()}/roles`]) {
      const uids = async (query = ''): Promise<readonly string[]> =>
        (await ask(200, 'GET', `${path}${query}`)).map((role: Json) => role.uid).sort();
      await ask(200, 'POST', path, { roleUid: a.uid, global: false });
      await ask(200, 'POST', path, { roleUid: a.uid });
      await ask(200, 'POST', path, { roleUid: hidden.uid });
      expect(await uids()).to.deep.equal([a.uid]);
      await ask(200, 'PUT', path, { roleUids: [b.uid] });
      expect(await uids('?includeHidden=true')).to.deep.equal([b.uid, hidden.uid].sort());
      await ask(200, 'PUT', path, { roleUids: [a.uid, b.uid], includeHidden: true });
      expect(await uids('?includeHidden=true')).to.deep.equal([a.uid, b.uid].sort());
      await ask(200, 'DELETE', `${path}/${a.uid}`);
      expect(await uids()).to.deep.equal([b.uid]);
      await changingNothing(server(), () =>
        refused(404, { message: 'role not found' }, 'POST', path, { roleUid: 'none' }),
      );
    }
  });

  it('hold at once for those who have them', async () => {
    const { info: user, id } = await person();
    const folder = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    await ask(200, 'POST', `/folders/${folder.uid}/permissions`, { items: [] });
    await ask(403, 'GET', `/folders/${folder.uid}`, undefined, { user });
    const { uid } = await make();
    await ask(200, 'POST', `/access-control/users/${id}/roles`, { roleUid: uid });
    await ask(200, 'GET', `/folders/${folder.uid}`, undefined, { user });
    await ask(200, 'DELETE', `/access-control/users/${id}/roles/${uid}`);
    await ask(403, 'GET', `/folders/${folder.uid}`, undefined, { user });
  });

  it('let those who have them manage roles as far as they have their permissions, by the scope that existing clients use', async () => {
    const { info: user, id } = await person();
    const scope = 'permissions:type:delegate';
    const { uid, permissions } = await make({ permissions: [...READ, { action: 'roles:write', scope }] });
    expect(permissions[1].scope).to.equal(scope);
    await ask(200, 'POST', `/access-control/users/${id}/roles`, { roleUid: uid });
    const own = { name: fresh('own'), permissions: READ };
    await ask(201, 'POST', ROLES, own, { user });
    const more = { name: fresh('more'), permissions: [{ action: 'teams:write', scope: 'teams:*' }] };
    await ask(403, 'POST', ROLES, more, { user });
  });

  it('have versions that the server counts for clients that do not', async () => {
    const sent = { uid: fresh('counted'), name: fresh('counted'), hidden: true, group: 'g' };
    expect(await ask(201, 'POST', ROLES, sent)).to.include({ hidden: true, version: 0 });
    const permissions = [{ action: 'users:read', scope: 'global.users:*' }, { action: 'users:create' }];
    const changed = await ask(200, 'PUT', `${ROLES}/${sent.uid}`, { ...sent, permissions });
    expect(changed).to.include({ version: 1, global: false });
    expect(changed.permissions.map(({ action }: Json) => action)).to.deep.equal(['users:read', 'users:create']);
  });

  // Promise: specification 4.11
  it('are given by server administrators to users who are no members yet, and hold when they are', async () => {
    const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('Other') });
    const headers = { 'x-grafana-org-id': String(orgId) };
    const within = (status: number, method: string, path: string, body?: unknown): Promise<Json> =>
      ask(status, method, path, body, { headers });
    const { uid } = await within(201, 'POST', ROLES, { name: fresh('r'), permissions: READ });
    const { id, uid: user } = await person();
    const path = `${ROLES}/${uid}/assignments`;
    const assigned = { role_uid: uid, users: [id], teams: [], service_accounts: [] };
    expect(await within(200, 'PUT', path, { users: [id] })).to.deep.equal(assigned);
    expect(await within(200, 'GET', path)).to.deep.equal(assigned);
    const roles = await within(200, 'GET', `/access-control/users/${id}/roles`);
    expect(roles.map((role: Json) => role.uid)).to.deep.equal([uid]);
    await within(200, 'POST', '/org/users', { loginOrEmail: user, role: 'None' });
    const { uid: folder } = await within(200, 'POST', '/folders', { title: fresh('Folder') });
    await within(200, 'POST', `/folders/${folder}/permissions`, { items: [] });
    const { info } = { info: { name: user, uid: user, groups: ['system:authenticated'], extra: {} } };
    await ask(200, 'GET', `/folders/${folder}`, undefined, { headers, user: info });
    await within(200, 'PUT', path, { users: [] });
    await ask(403, 'GET', `/folders/${folder}`, undefined, { headers, user: info });
  });

  // Promise: specification 4.11
  it('tell nobody of another organization who there is', async () => {
    const { id } = await person({ role: '' });
    const { uid } = await make();
    const { info: user } = await person({ role: 'Admin' });
    const path = `/access-control/users/${id}/roles`;
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { roleUid: uid }],
      ['PUT', { roleUids: [uid] }],
    ] as const)
      expect(await ask(404, method, path, body, { user })).to.deep.equal({ message: 'user not found' });
  });
});
