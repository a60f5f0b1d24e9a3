import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { addMember, addPeople, addPerson, addTeam, addTeamMember, addUser, HERE, namesOf, person } from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('lists at an earlier revision', (server) => {
  const list = (resource: string, user: UserInfo, query: Readonly<Record<string, string>>) =>
    server().call('GET', `${HERE}/${resource}`, { user, query });
  const exact = async () => {
    const { resourceVersion = '' } = (await server().call('GET', `${HERE}/teams`)).json().metadata;
    return { resourceVersion, resourceVersionMatch: 'Exact' };
  };
  const giveRole = async (name: string, role: string) => {
    const path = `${HERE}/organizationbindings/${name}`;
    const { status, text } = await server().call('PATCH', path, { body: { spec: { role } }, headers: MERGE });
    expect(status, text).to.equal(200);
  };

  before(async () => {
    await addPeople(server());
    await addTeam(server(), 'staff');
    await addTeam(server(), 'others');
    await addTeamMember(server(), 'others', 'norm');
  });

  it('are read with the rights that the caller has now, not with those of then', async () => {
    const alice = await addPerson(server(), 'alice', 'Admin');
    await addTeamMember(server(), 'staff', 'alice');
    const query = await exact();
    const resources = ['organizationbindings', 'teambindings', 'serviceaccounts'];
    const pages = new Map<string, string>();
    for (const resource of resources) {
      const page = (await list(resource, alice, { limit: '1' })).json();
      pages.set(resource, page.metadata.continue ?? '');
    }
    expect(await namesOf(list('organizationbindings', alice, query))).to.include.members(['adam', 'alice', 'vera']);
    await giveRole('alice', 'None');
    for (const resource of resources) {
      const now = await namesOf(list(resource, alice, {}));
      expect(await namesOf(list(resource, alice, query)), resource).to.deep.equal(now);
      const token = pages.get(resource) ?? '';
      if (token === '') continue;
      const rest = await namesOf(list(resource, alice, { continue: token }));
      expect(now, `the next page of ${resource}`).to.include.members([...rest]);
    }
    expect(await namesOf(list('organizationbindings', alice, query))).to.deep.equal(['alice']);
  });

  it('have what a caller may view who had no rights then', async () => {
    await addUser(server(), 'late');
    const query = await exact();
    await addMember(server(), 'late', 'Admin');
    expect(await namesOf(list('teambindings', person('late'), query))).to.include('others.norm');
    expect(await namesOf(list('organizationbindings', person('late'), query))).to.include('vera');
  });

  it('do not show own objects to a caller who has left', async () => {
    const gone = await addPerson(server(), 'gone', 'Viewer');
    const query = await exact();
    await server().call('DELETE', `${HERE}/organizationbindings/gone`);
    expect(await namesOf(list('organizationbindings', gone, query))).to.deep.equal([]);
  });
});
