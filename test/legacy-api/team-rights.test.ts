import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { peopleOf } from './people.js';
import { teamsOf } from './teams.js';

oneStore('rights on teams in the legacy API', (server) => {
  const { ask } = legacyOf(server);
  const { person } = peopleOf(server);
  const { make } = teamsOf(server);
  const names = ({ teams }: Json): readonly string[] => teams.map(({ name }: Json) => name);

  // Promise: specification 5
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
