import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';
import { TEAM_NOT_FOUND, teamsOf } from './teams.js';

oneStore('the members of teams in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const { make, members, roster } = teamsOf(server);
  const resources = iam(server);

  describe('GET, POST, PUT and DELETE /api/teams/:teamId/members', () => {
    // Promise: specification 2.4, specification 4.6
    it('add, change, list and remove members, as the resource API shows', async () => {
      const [{ id, uid }, { id: userId, uid: user, login, email }] = [await make(), await person()];
      expect(await ask(200, 'POST', `/teams/${id}/members`, { userId })).to.deep.equal({
        message: 'Member added to Team',
      });
      const [member] = await members(id);
      expect(member).to.include({
        orgId: 1,
        teamId: id,
        teamUID: uid,
        userId,
        userUID: user,
        email,
        login,
        permission: 0,
      });
      expect(member.avatarUrl).to.match(/^\/avatar\/[0-9a-f]{32}$/);
      expect(member.labels).to.deep.equal([]);
      const changed = await ask(200, 'PUT', `/teams/${id}/members/${userId}`, { permission: 4 });
      expect(changed).to.deep.equal({ message: 'Team member updated' });
      expect(bodyOf(await resources.get('TeamBinding', `${uid}.${user}`), 200).spec).to.include({
        permission: 'admin',
      });
      const removed = await ask(200, 'DELETE', `/teams/${id}/members/${userId}`);
      expect(removed).to.deep.equal({ message: 'Team Member removed' });
      expect((await resources.get('TeamBinding', `${uid}.${user}`)).status).to.equal(404);
    });

    it('list members that were created through the resource API', async () => {
      const [{ id, uid }, { uid: user, login }] = [await make(), await person()];
      const spec = { teamRef: { name: uid }, userRef: { name: user }, permission: 'admin' };
      await resources.made('TeamBinding', fresh('binding'), spec);
      expect(await roster(id)).to.deep.equal([[login, 4]]);
    });

    // Promise: specification 4.6, specification 7
    it('refuse a user who is already a member with 400, and a user who is no member or unknown with 404', async () => {
      const [{ id }, { id: userId }] = [await make(), await person()];
      await ask(200, 'POST', `/teams/${id}/members`, { userId });
      const already = { message: 'User is already added to this team' };
      await changingNothing(server(), () => refused(400, already, 'POST', `/teams/${id}/members`, { userId }));
      await refused(404, { message: 'user not found' }, 'POST', `/teams/${id}/members`, { userId: 999_999 });
      await refused(404, TEAM_NOT_FOUND, 'POST', '/teams/999999/members', { userId });
      const { id: other } = await person();
      await refused(404, { message: 'Team member not found' }, 'DELETE', `/teams/${id}/members/${other}`);
      await refused(404, { message: 'Team member not found' }, 'DELETE', `/teams/${id}/members/999999`);
      await refused(404, { message: 'Team member not found' }, 'PUT', `/teams/${id}/members/${other}`, {
        permission: 4,
      });
      await refused(400, { message: 'userId is invalid' }, 'DELETE', `/teams/${id}/members/x`);
      for (const body of [{}, { userId: 'x' }, { userId: { $gt: '' } }, { userId, permission: 3 }, '{']) {
        await refused(400, { message: 'bad request data' }, 'POST', `/teams/${id}/members`, body);
      }
      await refused(400, { message: 'bad request data' }, 'PUT', `/teams/${id}/members/${userId}`, { permission: 1 });
    });

    it('succeed for one of 64 concurrent requests that add the same member', async () => {
      const [{ id }, { id: userId }] = [await make(), await person()];
      const add = () => call('POST', `/teams/${id}/members`, { body: { userId } });
      const statuses = (await Promise.all(Array.from({ length: 64 }, add))).map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 63 }, () => 400)]);
    });
  });

  describe('PUT /api/teams/:teamId/members', () => {
    const DONE = { message: 'Team memberships have been updated' };

    // Promise: specification 4.6
    it('replaces all members and admins in one commit, and makes a user in both lists an admin', async () => {
      const { id } = await make();
      const people: readonly Person[] = await Promise.all(Array.from({ length: 4 }, () => person()));
      const [stays, goes, turns, comes] = people as [Person, Person, Person, Person];
      for (const { id: userId } of [stays, goes, turns]) await ask(200, 'POST', `/teams/${id}/members`, { userId });
      const before = await server().end();
      const body = { members: [stays.email, turns.email], admins: [turns.email.toUpperCase(), comes.email] };
      expect(await ask(200, 'PUT', `/teams/${id}/members`, body)).to.deep.equal(DONE);
      expect(await server().end(), 'one removed, one changed, one added').to.equal(before + 3);
      expect(await roster(id)).to.have.deep.members([
        [stays.login, 0],
        [turns.login, 4],
        [comes.login, 4],
      ]);
      await changingNothing(server(), () => ask(200, 'PUT', `/teams/${id}/members`, body));
      expect(await ask(200, 'PUT', `/teams/${id}/members`, { members: [], admins: [] })).to.deep.equal(DONE);
      expect(await roster(id)).to.deep.equal([]);
    });

    // Promise: specification 4.6
    it('changes nothing if one e-mail address is unknown, or the body is invalid', async () => {
      const [{ id }, one, two] = [await make(), await person(), await person()];
      await ask(200, 'POST', `/teams/${id}/members`, { userId: one.id });
      const unknown = { members: [two.email, 'nobody@example.com'], admins: [] };
      await changingNothing(server(), () =>
        refused(404, { message: 'user not found' }, 'PUT', `/teams/${id}/members`, unknown),
      );
      for (const body of [
        { members: 'x' },
        { members: [{ $gt: '' }] },
        { admins: { $gt: '' } },
        '[',
        {},
        { member: [two.email] },
        { members: null },
      ]) {
        await changingNothing(server(), () =>
          refused(400, { message: 'bad request data' }, 'PUT', `/teams/${id}/members`, body),
        );
      }
      expect(await roster(id)).to.deep.equal([[one.login, 0]]);
    });

    it('leaves the members of exactly one of several concurrent requests', async () => {
      const { id } = await make();
      const people = await Promise.all(Array.from({ length: 8 }, () => person()));
      const lists = people.map((_, i) =>
        [...people.slice(i), ...people.slice(0, i)].slice(0, 3).map(({ email }) => email),
      );
      const put = (members: readonly string[]) => call('PUT', `/teams/${id}/members`, { body: { members } });
      const answers = await Promise.all(lists.map(put));
      for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 409]);
      const byEmail = (await members(id)).map(({ email }: Json) => email).sort();
      expect(lists.map((list) => [...list].sort())).to.deep.include(byEmail);
    });
  });

  describe('GET and POST /api/access-control/teams/:teamId', () => {
    it('list and change members by the names of their permissions, and keep the others', async () => {
      const [{ id }, first, second] = [await make(), await person(), await person()];
      const path = `/access-control/teams/${id}`;
      const permissionsById = async () =>
        (await ask(200, 'GET', path)).map(({ userId, permission }: Json) => [userId, permission]);
      const updated = { message: 'Permission updated' };
      expect(await ask(200, 'POST', `${path}/users/${first.id}`, { permission: 'Member' })).to.deep.equal(updated);
      const permissions = [{ userId: second.id, permission: 'Admin' }];
      expect(await ask(200, 'POST', path, { permissions })).to.deep.equal({ message: 'Permissions updated' });
      expect(await permissionsById()).to.have.deep.members([
        [first.id, 'Member'],
        [second.id, 'Admin'],
      ]);
      const [member] = (await ask(200, 'GET', path)).filter(({ userId }: Json) => userId === first.id);
      expect(member).to.include({ userLogin: first.login, isManaged: true, isInherited: false });
      expect(member.actions).to.include('teams:read').and.not.to.include('teams:write');
      const removed = { message: 'Permission removed' };
      for (const _ of ['there', 'gone already'])
        expect(await ask(200, 'POST', `${path}/users/${first.id}`, { permission: '' })).to.deep.equal(removed);
      expect(await permissionsById()).to.deep.equal([[second.id, 'Admin']]);
      const described = await ask(200, 'GET', '/access-control/teams/description');
      expect(described.permissions).to.deep.equal(['Member', 'Admin']);
    });

    it('take the last of several items of a user, and remove one without a permission', async () => {
      const [{ id }, { id: userId }, { id: leaving }] = [await make(), await person(), await person()];
      const path = `/access-control/teams/${id}`;
      await ask(200, 'POST', path, { permissions: [{ userId: leaving, permission: 'Member' }] });
      const permissions = [{ userId }, { userId: leaving }, { userId, permission: 'Admin' }];
      await ask(200, 'POST', path, { permissions });
      const listed = await ask(200, 'GET', path);
      expect(listed.map((one: Json) => [one.userId, one.permission])).to.deep.equal([[userId, 'Admin']]);
    });

    it('refuse invalid requests, and change nothing', async () => {
      const [{ id }, { id: userId }] = [await make(), await person()];
      const path = `/access-control/teams/${id}`;
      const before = await server().end();
      await refused(400, { message: 'invalid permission' }, 'POST', `${path}/users/${userId}`, { permission: 'King' });
      await refused(404, { message: 'user not found' }, 'POST', `${path}/users/999999`, { permission: 'Member' });
      const unknown = [
        { userId, permission: 'Member' },
        { userId: 999_999, permission: 'Member' },
      ];
      await refused(404, { message: 'user not found' }, 'POST', path, { permissions: unknown });
      await refused(400, { message: 'bad request data' }, 'POST', path, { permissions: { $gt: '' } });
      await refused(404, TEAM_NOT_FOUND, 'GET', '/access-control/teams/999999');
      expect(await server().end()).to.equal(before);
    });
  });
});
