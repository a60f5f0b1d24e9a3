import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { addPeople, addTeam, addTeamMember, namesOf, person } from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('team permissions', (server) => {
  const TEAMS = '/apis/iam.svc.app/v1beta1/namespaces/default';

  before(async () => {
    await addPeople(server());
    await addTeam(server(), 'red');
    await addTeam(server(), 'blue');
    await addTeamMember(server(), 'red', 'norm');
    await addTeamMember(server(), 'red', 'vera', 'admin');
  });

  const teams = (uid: string) => namesOf(server().call('GET', `${TEAMS}/teams`, { user: person(uid) }));
  const rename = async (team: string, uid: string) =>
    (
      await server().call('PATCH', `${TEAMS}/teams/${team}`, {
        user: person(uid),
        body: { spec: { email: `${uid}@example.com` } },
        headers: MERGE,
      })
    ).status;

  it('allow members to view their own team', async () => {
    expect(await teams('norm')).to.deep.equal(['red']);
    expect(await rename('red', 'norm')).to.equal(403);
  });

  it('allow the admins of a team to manage it and its members, but no other team', async () => {
    expect(await teams('vera')).to.deep.equal(['red']);
    expect(await rename('red', 'vera')).to.equal(200);
    expect(await rename('blue', 'vera')).to.equal(403);
    const add = async (team: string) => {
      const spec = { teamRef: { name: team }, userRef: { name: 'edith' } };
      const body = {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'TeamBinding',
        metadata: { name: `${team}.edith` },
        spec,
      };
      return (await server().call('POST', `${TEAMS}/teambindings`, { user: person('vera'), body })).status;
    };
    expect(await add('red')).to.equal(201);
    expect(await add('blue')).to.equal(403);
  });

  // Promise: specification 5
  it('allow admins of the organization to manage all teams', async () => {
    expect(await teams('adam')).to.deep.equal(['blue', 'red']);
    expect(await rename('blue', 'adam')).to.equal(200);
  });
});
