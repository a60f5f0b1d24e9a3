import { expect } from 'chai';
import { bodyOf, changingNothing } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh, legacyOf, TIME } from './legacy.js';
import { peopleOf } from './people.js';
import { TEAM_NOT_FOUND, teamsOf } from './teams.js';

oneStore('teams in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person, robot } = peopleOf(server);
  const { make, roster } = teamsOf(server);
  const resources = iam(server);

  describe('/api/teams/:teamId/groups', () => {
    const path = (id: number): string => `/teams/${id}/groups`;

    // Promise: specification 4.11
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
    // Promise: specification 1, specification 2.4, specification 4.6
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

    // Promise: specification 4.6, specification 7
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

  // Promise: specification 4.6
  it('GET /api/teams/:id finds a team by id and uid, and answers 404 or 400 for others', async () => {
    const { id, uid } = await make();
    expect(await ask(200, 'GET', `/teams/${uid}`)).to.deep.equal(await ask(200, 'GET', `/teams/${id}`));
    await refused(404, TEAM_NOT_FOUND, 'GET', '/teams/999999');
    await refused(400, { message: 'teamId is invalid' }, 'GET', '/teams/a%20b');
    await refused(400, { message: 'bad request data' }, 'GET', '/teams/%zz');
  });

  // Promise: specification 4.6
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

  // Promise: specification 4.6
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

  describe('GET and PUT /api/teams/:teamId/preferences', () => {
    // Promise: specification 1, specification 2.4, specification 2.7, specification 4.6
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

    // Promise: specification 2.7, specification 9
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
