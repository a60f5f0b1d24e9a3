import { expect } from 'chai';
import { MASTERS_GROUP, type UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { addPerson, HERE, person } from './people.js';

oneStore('a former server administrator', (server) => {
  const asMaster = (user: UserInfo): UserInfo => ({ ...user, groups: [...user.groups, MASTERS_GROUP] });
  const statusOf = async (path: string, user: UserInfo): Promise<number> =>
    (await server().call('GET', path, { user })).status;

  it('has the grants of their memberships', async () => {
    await addPerson(server(), 'mia', 'Admin');
    expect(await statusOf(`${HERE}/teams?watch=1&timeoutSeconds=1`, asMaster(person('mia')))).to.equal(200);
    expect(await statusOf(`${HERE}/teams`, person('mia'))).to.equal(200);
  });
});
