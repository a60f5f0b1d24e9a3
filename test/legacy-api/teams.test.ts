import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const TEAM_NOT_FOUND = { message: 'Team not found' };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/;

oneStore('teams in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  const resources = iam(server);
  const make = async (
    more: Json = {},
  ): Promise<{ readonly id: number; readonly uid: string; readonly name: string }> => {
    const name = fresh('team');
    const { teamId, uid } = await ask(200, 'POST', '/teams', { name, ...more });
    return { id: teamId, uid, name };
  };
  const search = async (query: string): Promise<Json> => ask(200, 'GET', `/teams/search?${query}`);
  const names = ({ teams }: Json): readonly string[] => teams.map(({ name }: Json) => name);
  const members = async (id: number): Promise<Json> => ask(200, 'GET', `/teams/${id}/members`);
  const roster = async (id: number) =>
    (await members(id)).map(({ login, permission }: Json) => [login, permission]) as [string, number][];

  describe('/api/teams/:teamId/groups', () => {
    const path = (id: number): string => `/teams/${id}/groups`;

    it('keeps the groups whose members join at sign-in, which the team has in both APIs', async () => {
      const { id, uid } = await make({ email: 'ops@example.com' });
      expect(await ask(200, 'GET', path(id))).to.deep.equal([]);
      for (const groupId of ['cn=ops,ou=groups', '@corp/ops'])
        expect(await ask(200, 'POST', path(id), { groupId })).to.deep.equal({ message: 'Group added to Team' });
      const ids = { orgId: 1, teamId: id, uid };
      expect(await ask(200, 'GET', path(id))).to.deep.equal([
        { ...ids, groupId: 'cn=ops,ou=groups' },
        { ...ids, groupId: '@corp/ops' },
      ]);
      const removed = await ask(200, 'DELETE', `${path(id)}?groupId=${encodeURIComponent('cn=ops,ou=groups')}`);
      expect(removed).to.deep.equal({ message: 'Team Group removed' });
      const { spec } = bodyOf(await resources.get('Team', uid), 200);
      expect(spec).to.deep.include({ email: 'ops@example.com', groups: ['@corp/ops'] });
      await ask(200, 'PUT', `/teams/${id}`, { email: '' });
      expect((await ask(200, 'GET', path(id))).length).to.equal(1);
    });

    it('refuses a group twice, none, and one that the team does not have, and changes nothing', async () => {
      const { id } = await make();
      await ask(200, 'POST', path(id), { groupId: 'ops' });
      for (const [status, message, method, at, body] of [
        [400, 'Group is already added to this team', 'POST', path(id), { groupId: 'ops' }],
        [400, 'bad request data', 'POST', path(id), { groupId: ' ' }],
        [400, 'bad request data', 'POST', path(id), {}],
        [404, 'Group not found', 'DELETE', `${path(id)}?groupId=dev`, undefined],
        [404, 'Group not found', 'DELETE', path(id), undefined],
        [404, 'Team not found', 'POST', path(99999), { groupId: 'ops' }],
      ] as const)
        await changingNothing(server(), () => refused(status, { message }, method, at, body));
    });
  });

  describe('POST /api/teams', () => {
    it('creates a team, which both APIs return', async () => {
      const name = fresh('Team');
      const answer = await ask(200, 'POST', '/teams', { name, email: 'ops@example.com' });
      expect(answer).to.deep.equal({ message: 'Team created', teamId: answer.teamId, uid: answer.uid });
      const object = bodyOf(await resources.get('Team', answer.uid), 200);
      expect(object.spec).to.deep.equal({ title: name, email: 'ops@example.com' });
      expect(object.metadata.labels?.['svc.app/deprecatedInternalID']).to.equal(String(answer.teamId));
      const team = await ask(200, 'GET', `/teams/${answer.teamId}`);
      expect(team).to.include({ id: answer.teamId, uid: answer.uid, orgId: 1, name, email: 'ops@example.com' });
      expect(team).to.include({ memberCount: 0, permission: 0, isProvisioned: false, externalUID: '' });
      expect(team.created).to.match(TIME);
      expect(team.updated).to.match(TIME);
    });

    it('makes a person who creates a team an admin of it, in the same commit', async () => {
      const { info, login } = await person({ role: 'Admin' });
      const name = fresh('own');
      const before = await server().end();
      const { teamId } = await ask(200, 'POST', '/teams', { name }, { user: info });
      expect(await server().end()).to.equal(before + 2);
      expect(await roster(teamId)).to.deep.equal([[login, 4]]);
      expect(await ask(200, 'GET', `/teams/${teamId}`, undefined, { user: info })).to.include({ permission: 4 });
    });

    it('does not make a service account a member', async () => {
      const user = await robot();
      const { teamId } = await ask(200, 'POST', '/teams', { name: fresh('made') }, { user });
      expect(await roster(teamId)).to.deep.equal([]);
    });

    it('refuses a taken name with 409, a missing name or an invalid body with 400, and changes nothing', async () => {
      const { name } = await make();
      const cases: readonly (readonly [number, string, unknown])[] = [
        [409, 'Team name taken', { name: name.toUpperCase() }],
        [400, 'bad request data', {}],
        [400, 'bad request data', { name: '  ' }],
        [400, 'bad request data', { name: { $gt: '' } }],
        [400, 'bad request data', { name: fresh('x'), email: { $gt: '' } }],
        [400, 'bad request data', '{'],
        [400, 'bad request data', '[]'],
      ];
      for (const [status, message, body] of cases) {
        await changingNothing(server(), () => refused(status, { message }, 'POST', '/teams', body));
      }
    });

    it('succeeds for one of 64 concurrent creators of a name', async () => {
      const name = fresh('raced');
      const answers = await Promise.all(Array.from({ length: 64 }, () => call('POST', '/teams', { body: { name } })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([200, ...Array.from({ length: 63 }, () => 409)]);
    });
  });

  it('GET /api/teams/:id finds a team by id and uid, and answers 404 or 400 for others', async () => {
    const { id, uid } = await make();
    expect(await ask(200, 'GET', `/teams/${uid}`)).to.deep.equal(await ask(200, 'GET', `/teams/${id}`));
    await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/999999');
    await refused(400, { message: 'teamId is invalid' }, 'GET', '/teams/a%20b');
    await refused(400, { message: 'bad request data' }, 'GET', '/teams/%zz');
  });

  it('PUT /api/teams/:id changes name and e-mail address, and answers 409 for a taken name and 404 for an unknown team', async () => {
    const [{ id, uid }, { name: taken }] = [await make({ email: 'a@x.org' }), await make()];
    const name = fresh('renamed');
    expect(await ask(200, 'PUT', `/teams/${id}`, { name, email: 'b@x.org' })).to.deep.equal({
      message: 'Team updated',
    });
    expect(bodyOf(await resources.get('Team', uid), 200).spec).to.deep.equal({ title: name, email: 'b@x.org' });
    await ask(200, 'PUT', `/teams/${id}`, { name });
    expect(await ask(200, 'GET', `/teams/${id}`)).to.include({ name, email: '' });
    await changingNothing(server(), () =>
      refused(409, { message: 'Team name taken' }, 'PUT', `/teams/${id}`, { name: taken }),
    );
    await refused(404, TEAM_NOT_FOUND, 'PUT', '/teams/999999', { name: 'x' });
    await refused(400, { message: 'bad request data' }, 'PUT', `/teams/${id}`, { name: { $gt: '' } });
  });

  it('DELETE /api/teams/:id also deletes memberships and preferences', async () => {
    const [{ id, uid }, { id: userId, uid: user }] = [await make(), await person()];
    await ask(200, 'POST', `/teams/${id}/members`, { userId });
    await ask(200, 'PUT', `/teams/${id}/preferences`, { theme: 'dark' });
    expect(await ask(200, 'DELETE', `/teams/${id}`)).to.deep.equal({ message: 'Team deleted' });
    expect((await resources.get('TeamBinding', `${uid}.${user}`)).status).to.equal(404);
    expect((await resources.get('Preferences', `team-${uid}`)).status).to.equal(404);
    await refused(404, TEAM_NOT_FOUND, 'DELETE', `/teams/${id}`);
    await refused(404, TEAM_NOT_FOUND, 'GET', `/teams/${id}/members`);
  });

  describe('GET /api/teams/search', () => {
    it('finds teams by a part of the name, in pages', async () => {
      const tag = fresh('find');
      for (const suffix of ['b', 'A', 'c (.*)'])
        await resources.made('Team', fresh('t'), { title: `${tag} ${suffix}` });
      const found = await search(`query=${tag.toUpperCase()}`);
      expect(found).to.include({ totalCount: 3, page: 1, perPage: 1000 });
      expect(names(found)).to.deep.equal([`${tag} A`, `${tag} b`, `${tag} c (.*)`]);
      expect(found.teams[0]).to.include.keys('id', 'uid', 'orgId', 'name', 'email', 'avatarUrl', 'memberCount');
      expect(names(await search(`query=${encodeURIComponent('c (.*)')}&teamId=`))).to.deep.equal([]);
      expect(names(await search(`query=${encodeURIComponent(`${tag} c (.*)`)}`))).to.deep.equal([`${tag} c (.*)`]);
      expect(names(await search(`query=${encodeURIComponent(`${tag}.*`)}`))).to.deep.equal([]);
      expect(names(await search(`query=${tag}&perpage=2&page=2`))).to.deep.equal([`${tag} c (.*)`]);
      expect(await search(`query=${tag}&perpage=2&page=3`)).to.deep.include({ teams: [], totalCount: 3, page: 3 });
    });

    it('finds exactly one team by name, and answers 404 if there is none', async () => {
      const { id, name } = await make();
      await make({ name: `${name} too` });
      const found = await search(`name=${name}`);
      expect(found).to.include({ totalCount: 1, page: 1, perPage: 1000 });
      expect(found.teams[0]).to.include({ id, name });
      await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/search?name=nothing-has-this-name');
      await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/search?name=.*');
    });

    it('sorts by name, email and memberCount, also by several in the given order', async () => {
      const tag = fresh('sorted');
      const people = [await person(), await person()];
      const rows: readonly (readonly [string, string, number])[] = [
        ['a', 'y@x.org', 1],
        ['b', 'x@x.org', 1],
        ['c', 'z@x.org', 2],
      ];
      for (const [suffix, email, count] of rows) {
        const { id } = await make({ name: `${tag}-${suffix}`, email });
        for (const { id: userId } of people.slice(0, count)) await ask(200, 'POST', `/teams/${id}/members`, { userId });
      }
      const order = async (sort: string) =>
        names(await search(`query=${tag}&sort=${sort}`))
          .map((name) => name.at(-1))
          .join('');
      expect(await order('')).to.equal('abc');
      expect(await order('name-desc')).to.equal('cba');
      expect(await order('email-asc')).to.equal('bac');
      expect(await order('email-desc')).to.equal('cab');
      expect(await order('memberCount-asc')).to.equal('abc');
      expect(await order('memberCount-desc,name-desc')).to.equal('cba');
      expect(await order('memberCount-asc,email-asc')).to.equal('bac');
      const refusal = { statusCode: 400, messageId: 'unknown sorting option', message: 'BadRequest', extra: null };
      await refused(400, refusal, 'GET', '/teams/search?sort=login-asc');
    });

    it('returns their own teams to members, and all teams to admins of the organization', async () => {
      const [{ id, name }, other] = [await make(), await make()];
      const { id: userId, info } = await person();
      const { info: admin } = await person({ role: 'Admin' });
      await ask(200, 'POST', `/teams/${id}/members`, { userId });
      expect(names(await ask(200, 'GET', '/teams/search', undefined, { user: info }))).to.deep.equal([name]);
      expect(names(await ask(200, 'GET', '/teams/search', undefined, { user: admin }))).to.include.members([
        name,
        other.name,
      ]);
      expect(await ask(200, 'GET', `/teams/${id}`, undefined, { user: info })).to.include({ id, name });
      await ask(403, 'GET', `/teams/${other.id}`, undefined, { user: info });
      await ask(403, 'PUT', `/teams/${id}`, { name: fresh('x') }, { user: info });
      await ask(403, 'POST', `/teams/${id}/members`, { userId }, { user: info });
      await ask(403, 'PUT', `/teams/${id}/members`, { members: [] }, { user: info });
      await ask(403, 'DELETE', `/teams/${id}`, undefined, { user: info });
      await ask(403, 'POST', '/teams', { name: fresh('x') }, { user: info });
    });

    it('allows the admins of a team to manage this team, but no other', async () => {
      const [{ id }, other] = [await make(), await make()];
      const [{ id: userId, info }, guest] = [await person(), await person()];
      await ask(200, 'POST', `/teams/${id}/members`, { userId, permission: 4 });
      await ask(200, 'POST', `/teams/${id}/members`, { userId: guest.id }, { user: info });
      await ask(200, 'PUT', `/teams/${id}`, { name: fresh('managed') }, { user: info });
      await ask(200, 'DELETE', `/teams/${id}/members/${guest.id}`, undefined, { user: info });
      await ask(403, 'POST', `/teams/${other.id}/members`, { userId: guest.id }, { user: info });
    });
  });

  describe('GET, POST, PUT and DELETE /api/teams/:teamId/members', () => {
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

  describe('GET and PUT /api/teams/:teamId/preferences', () => {
    it('answer JSON as text/plain, and reset preferences that are left out', async () => {
      const { id, uid } = await make();
      const path = `/teams/${id}/preferences`;
      expect(await ask(200, 'GET', path)).to.deep.equal({});
      const body = { theme: 'dark', timezone: 'utc', homeDashboardId: 0, homeDashboardUID: '' };
      const answer = await call('PUT', path, { body });
      expect(answer.headers['content-type']).to.match(/^text\/plain/);
      expect(JSON.parse(answer.text)).to.deep.equal({ message: 'Preferences updated' });
      expect(await ask(200, 'GET', path)).to.deep.equal({ theme: 'dark', timezone: 'utc' });
      expect(bodyOf(await resources.get('Preferences', `team-${uid}`), 200).spec).to.include({ theme: 'dark' });
      await ask(200, 'PUT', path, { timezone: 'browser' });
      expect(await ask(200, 'GET', path)).to.deep.equal({ timezone: 'browser' });
    });

    it('refuse invalid values with 400, an unknown dashboard and an unknown team with 404', async () => {
      const { id } = await make();
      const path = `/teams/${id}/preferences`;
      await refused(400, { message: 'Invalid theme' }, 'PUT', path, { theme: 'pink' });
      await ask(400, 'PUT', path, { timezone: 'nowhere' });
      await refused(400, { message: 'bad request data' }, 'PUT', path, { theme: { $gt: '' } });
      await refused(404, { message: 'Dashboard not found' }, 'PUT', path, { homeDashboardUID: 'nothing' });
      await refused(404, { message: 'Dashboard not found' }, 'PUT', path, { homeDashboardId: 99 });
      await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/999999/preferences');
      await refused(404, TEAM_NOT_FOUND, 'PUT', '/teams/999999/preferences', {});
    });
  });
});
