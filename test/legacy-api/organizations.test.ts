import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';

const USERS = '/apis/iam.svc.app/v1beta1/users';

oneStore('organizations in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);

  const user = async (
    more: Json = {},
  ): Promise<{ readonly uid: string; readonly id: number; readonly login: string }> => {
    const uid = fresh('user');
    const body = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'User',
      metadata: { name: uid },
      spec: { login: uid, email: `${uid}@example.com`, ...more },
    };
    const answer = await server().call('POST', USERS, { body });
    expect(answer.status, answer.text).to.equal(201);
    return { uid, login: uid, id: Number(answer.json().metadata.labels?.['svc.app/deprecatedInternalID']) };
  };
  const asUser = (uid: string): UserInfo => ({ ...ADMIN, name: uid, uid });
  const organization = async (): Promise<{ readonly id: number; readonly name: string }> => {
    const name = fresh('Organization');
    return { name, id: (await ask(200, 'POST', '/orgs', { name })).orgId };
  };
  const inOrg = (id: number) => ({ headers: { 'x-grafana-org-id': String(id) } });

  it('GET and PUT /api/org return and rename the own organization', async () => {
    expect(await ask(200, 'GET', '/org')).to.deep.include({ id: 1, name: 'Main Org.' });
    const { id } = await organization();
    const name = fresh('Renamed');
    expect(await ask(200, 'PUT', '/org', { name }, inOrg(id))).to.deep.equal({ message: 'Organization updated' });
    expect((await ask(200, 'GET', '/org', undefined, inOrg(id))).name).to.equal(name);
  });

  // Promise: specification 4.11
  it('GET /api/org/users/lookup has logins and names for people who give permissions, and no addresses', async () => {
    const { person } = peopleOf(server);
    const [viewer, owner] = [await person(), await person()];
    await ask(403, 'GET', '/org/users/lookup', undefined, { user: owner.info });
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    await ask(200, 'POST', `/access-control/folders/${uid}/users/${owner.id}`, { permission: 'Admin' });
    const path = `/org/users/lookup?query=${viewer.login}`;
    const found = await ask(200, 'GET', path, undefined, { user: owner.info });
    expect(found).to.have.length(1);
    const { name, ...shown } = found[0];
    expect(shown, 'not even the hash of an address, which confirms a guess').to.deep.equal({
      avatarUrl: '',
      uid: viewer.uid,
      userId: viewer.id,
      login: viewer.login,
    });
    const byName = await ask(200, 'GET', `/org/users/lookup?query=${encodeURIComponent(name)}`, undefined, {
      user: owner.info,
    });
    expect(byName[0]).to.include({ login: viewer.login, name });
    expect(await ask(200, 'GET', '/org/users/lookup?query=@example', undefined, { user: owner.info })).to.deep.equal(
      [],
    );
    await ask(403, 'GET', '/org/users', undefined, { user: owner.info });
    expect((await ask(200, 'GET', path))[0]).to.include({ email: viewer.email });
    await ask(200, 'POST', `/access-control/folders/${uid}/users/${viewer.id}`, { permission: 'View' });
    const seenBy = async (options = {}) =>
      (await ask(200, 'GET', `/folders/${uid}/permissions`, undefined, options)).find(
        (item: { userUid: string }) => item.userUid === viewer.uid,
      );
    expect(await seenBy({ user: owner.info })).to.include({ userEmail: '', userAvatarUrl: '' });
    expect((await seenBy()).userAvatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
  });

  it('GET /api/teams/lookup has the names of all teams for people who give permissions, and else the own ones', async () => {
    const { person } = peopleOf(server);
    const owner = await person();
    const title = fresh('Team');
    const { teamId, uid: team } = await ask(200, 'POST', '/teams', { name: title, email: 'secret@example.com' });
    const path = `/teams/lookup?query=${title.toUpperCase()}`;
    expect(await ask(200, 'GET', path, undefined, { user: owner.info })).to.deep.equal([]);
    const { uid } = await ask(200, 'POST', '/folders', { title: fresh('Folder') });
    await ask(200, 'POST', `/access-control/folders/${uid}/users/${owner.id}`, { permission: 'Admin' });
    const found = await ask(200, 'GET', path, undefined, { user: owner.info });
    expect(found).to.deep.equal([{ id: teamId, uid: team, name: title }]);
  });

  it('have an address', async () => {
    const { id, name } = await organization();
    await ask(200, 'PUT', `/orgs/${id}/address`, { city: 'Bern', address1: '' });
    const address = { address1: '', address2: '', city: 'Bern', zipCode: '', state: '', country: '' };
    expect(await ask(200, 'GET', `/orgs/${id}`)).to.deep.equal({ id, name, address });
  });

  // Promise: specification 4.12
  it('POST /api/orgs creates an organization with the caller as administrator and a namespace named after its id', async () => {
    const { uid, login } = await user({ grafanaAdmin: true });
    const name = fresh('Own');
    const answer = await ask(200, 'POST', '/orgs', { name }, { user: asUser(uid) });
    expect(answer.message).to.equal('Organization created');
    const members = await ask(200, 'GET', `/orgs/${answer.orgId}/users`);
    expect(members).to.have.length(1);
    expect(members[0]).to.include({ orgId: answer.orgId, login, role: 'Admin' });
    const namespace = await server().call('GET', `/apis/iam.svc.app/v1beta1/organizations/org-${answer.orgId}`);
    expect(namespace.status).to.equal(200);
    await refused(409, { message: 'Organization name taken' }, 'POST', '/orgs', { name: name.toUpperCase() });
  });

  it('refuse invalid bodies with 400, and change nothing', async () => {
    const before = await server().end();
    for (const body of [{}, { name: '' }, { name: { $gt: '' } }, '{', { name: '   ' }])
      await refused(400, { message: 'bad request data' }, 'POST', '/orgs', body);
    await refused(400, { message: 'orgId is invalid' }, 'GET', '/orgs/one');
    expect(await server().end()).to.equal(before);
  });

  it('are found by id and by name, and listed', async () => {
    const { id, name } = await organization();
    expect(await ask(200, 'GET', `/orgs/name/${encodeURIComponent(name)}`)).to.include({ id, name });
    await refused(404, { message: 'Organization not found' }, 'GET', '/orgs/99999');
    await refused(404, { message: 'Organization not found' }, 'GET', '/orgs/name/nobody');
    expect(await ask(200, 'GET', `/orgs?name=${encodeURIComponent(name)}`)).to.deep.equal([{ id, name }]);
    expect(await ask(200, 'GET', '/orgs?perpage=1&page=9999')).to.deep.equal([]);
  });

  it('PUT /api/orgs/:id renames an organization, and refuses a name that is taken', async () => {
    const [one, other] = [await organization(), await organization()];
    expect(await ask(200, 'PUT', `/orgs/${one.id}`, { name: fresh('New') })).to.deep.equal({
      message: 'Organization updated',
    });
    await refused(409, { message: 'Organization name taken' }, 'PUT', `/orgs/${one.id}`, { name: other.name });
  });

  it('DELETE /api/orgs/:id deletes an organization, but not the active one of the caller', async () => {
    const { id } = await organization();
    const active = await ask(400, 'DELETE', `/orgs/${id}`, undefined, inOrg(id));
    expect(active).to.deep.equal({ message: 'Cannot delete your active organization' });
    const first = await ask(400, 'DELETE', '/orgs/1', undefined, inOrg(id));
    expect(first).to.deep.equal({ message: 'The first organization cannot be deleted' });
    expect(await ask(200, 'DELETE', `/orgs/${id}`)).to.deep.equal({ message: 'Organization deleted' });
    await refused(404, { message: 'Failed to delete organization. ID not found' }, 'DELETE', '/orgs/99999');
  });

  // Promise: specification 2.10
  it('have separate folders', async () => {
    const { id } = await organization();
    const uid = fresh('apart');
    const folder = await ask(200, 'POST', '/folders', { uid, title: 'there' }, inOrg(id));
    expect(folder.orgId).to.equal(id);
    await ask(404, 'GET', `/folders/${uid}`);
    await ask(404, 'GET', `/folders/id/${folder.id}`);
    await ask(200, 'GET', `/folders/${uid}`, undefined, inOrg(id));
    const object = await server().call('GET', `/apis/folder.svc.app/v1beta1/namespaces/org-${id}/folders/${uid}`);
    expect(object.status).to.equal(200);
  });

  describe('members', () => {
    it('can be added by login or e-mail address, changed and removed', async () => {
      const { id } = await organization();
      const [admin, member] = [await user(), await user()];
      const path = `/orgs/${id}/users`;
      await ask(200, 'POST', path, { loginOrEmail: admin.login, role: 'Admin' });
      const added = await ask(200, 'POST', path, { loginOrEmail: `${member.login}@EXAMPLE.com`, role: 'Viewer' });
      expect(added).to.deep.equal({ message: 'User added to organization', userId: member.id });
      const already = { message: 'User is already member of this organization' };
      await refused(409, already, 'POST', path, { loginOrEmail: member.login, role: 'Editor' });
      const updated = { message: 'Organization user updated' };
      expect(await ask(200, 'PATCH', `${path}/${member.id}`, { role: 'Editor' })).to.deep.equal(updated);
      const found = await ask(200, 'GET', `${path}/search?query=${member.login}`);
      expect(found).to.include({ totalCount: 1, page: 1, perPage: 1000 });
      expect(found.orgUsers[0]).to.include({ userId: member.id, login: member.login, role: 'Editor', orgId: id });
      const removed = { message: 'User removed from organization' };
      expect(await ask(200, 'DELETE', `${path}/${member.id}`)).to.deep.equal(removed);
      await refused(404, { message: 'User not found' }, 'DELETE', `${path}/${member.id}`);
    });

    it('always include an administrator', async () => {
      const { id } = await organization();
      const admin = await user();
      await ask(200, 'POST', '/org/users', { loginOrEmail: admin.login, role: 'Admin' }, inOrg(id));
      const last = { message: 'Cannot remove last organization admin' };
      await refused(400, last, 'DELETE', `/orgs/${id}/users/${admin.id}`);
      await refused(400, last, 'PATCH', `/orgs/${id}/users/${admin.id}`, { role: 'Viewer' });
      await refused(400, last, 'DELETE', `/admin/users/${admin.id}`);
    });

    it('are refused if the user or the role is unknown', async () => {
      const { login } = await user();
      const unknown = { message: 'User not found' };
      await refused(404, unknown, 'POST', '/org/users', { loginOrEmail: 'nobody', role: 'Viewer' });
      const badRequest = { message: 'bad request data' };
      await refused(400, badRequest, 'POST', '/org/users', { loginOrEmail: login, role: 'King' });
      await refused(400, badRequest, 'POST', '/org/users', { loginOrEmail: { $gt: '' }, role: 'Viewer' });
      await refused(400, { message: 'userId is invalid' }, 'DELETE', '/org/users/one');
      await refused(404, unknown, 'DELETE', '/org/users/999999');
      await refused(404, unknown, 'PATCH', '/org/users/999999', { role: 'Viewer' });
    });

    it('of an unknown organization are a 404', async () => {
      const unknown = { message: 'Organization not found' };
      await refused(404, unknown, 'GET', '/orgs/999999/users');
      await refused(404, unknown, 'POST', '/orgs/999999/users', { loginOrEmail: 'admin', role: 'Viewer' });
      await refused(404, unknown, 'DELETE', '/orgs/999999/users/1');
    });
  });

  // Promise: specification 4.11
  it('GET …/users?uid= lists only these members, and refuses more than 100', async () => {
    const { id } = await organization();
    const [first, second, other] = [await user(), await user(), await user()];
    for (const { login } of [first, second]) {
      await ask(200, 'POST', `/orgs/${id}/users`, { loginOrEmail: login, role: 'Viewer' });
    }
    const uids = async (query: string): Promise<readonly string[]> =>
      (await ask(200, 'GET', `/org/users?${query}`, undefined, inOrg(id))).map(({ uid }: Json) => uid);
    expect(await uids(`uid=${first.uid}&uid=${second.uid}&uid=${other.uid}&uid=none`)).to.have.members([
      first.uid,
      second.uid,
    ]);
    expect(await uids(`uid=${first.uid}&query=${second.login}`)).to.deep.equal([]);
    const found = await ask(200, 'GET', `/orgs/${id}/users/search?uid=${second.uid}`);
    expect(found).to.deep.include({ totalCount: 1 });
    const many = Array.from({ length: 101 }, (_, index) => `uid=u${index}`).join('&');
    await refused(400, { message: 'uid: must not be given more than 100 times' }, 'GET', `/orgs/${id}/users?${many}`);
  });
});
