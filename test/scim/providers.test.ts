import { expect } from 'chai';
import { eachStore } from '../harness/stores.js';
import { fresh } from '../legacy-api/legacy.js';
import { ENTERPRISE, GROUP, type Json, PATCH, scimOf, USER } from './scim.js';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const operations = (...all: readonly object[]) => ({ schemas: [PATCH], Operations: all });

/** The requests that the documentation of the two providers shows, in their order and form. */
eachStore('the SCIM clients of providers', (server) => {
  const { ask, client, refused } = scimOf(server);

  it('of Entra ID keep users: match, create, change, disable, and delete', async () => {
    const user = await client(['scim.users:read', 'scim.users:write']);
    const as = { user };
    const name = fresh('Test_User');
    const userName = `${name}@testuser.com`;
    const match = (text: string) =>
      ask(200, 'GET', `/Users?filter=userName+eq+%22${encodeURIComponent(text)}%22`, undefined, as);
    const none = await match(userName);
    expect(none).to.deep.include({ schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] });
    const created = await ask(
      201,
      'POST',
      '/Users',
      {
        schemas: [USER, ENTERPRISE],
        externalId: name,
        userName,
        active: true,
        displayName: 'BobIsAmazing',
        addresses: [],
        phoneNumbers: [{ value: '1', type: 'mobile' }],
        emails: [{ primary: true, type: 'work', value: `${name}@testuser.com` }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
        title: 'Engineer',
        [ENTERPRISE]: { department: 'bob', manager: 'x' },
      },
      as,
    );
    expect(created).to.deep.include({ externalId: name, userName, active: true, displayName: 'BobIsAmazing' });
    const path = `/Users/${created.id}`;
    expect(await ask(200, 'GET', path, undefined, as)).to.deep.equal(created);
    expect((await match(userName.toUpperCase())).Resources).to.deep.equal([created]);
    const email = `${name}.updated@microsoft.com`;
    const changed = await ask(
      200,
      'PATCH',
      path,
      operations(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: 'title', value: 'tester' },
        { op: 'Add', path: `${ENTERPRISE}:department`, value: 'sales' },
      ),
      as,
    );
    expect(changed.emails).to.deep.equal([{ value: email, type: 'work', primary: true }]);
    expect(changed.name).to.deep.equal({ familyName: 'updatedFamilyName', givenName: 'givenName' });
    const renamed = `${fresh('renamed')}@testuser.com`;
    expect(
      (await ask(200, 'PATCH', path, operations({ op: 'Replace', path: 'userName', value: renamed }), as)).userName,
    ).to.equal(renamed);
    for (const [value, active] of [
      ['False', false],
      ['True', true],
      [false, false],
    ] as const)
      expect((await ask(200, 'PATCH', path, operations({ op: 'Replace', path: 'active', value }), as)).active).to.equal(
        active,
      );
    await ask(204, 'DELETE', path, undefined, as);
    await refused(404, undefined, 'GET', path, undefined, as);
    expect((await match(renamed)).totalResults).to.equal(0);
  });

  it('of Entra ID keep groups: create, match without members, rename, add and remove members, and delete', async () => {
    const as = { user: await client() };
    const displayName = fresh('displayName');
    const externalId = fresh('8aa1a0c0');
    const sent = {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId,
      displayName,
      meta: { resourceType: 'Group' },
    };
    const group = await ask(201, 'POST', '/Groups', sent, as);
    const path = `/Groups/${group.id}`;
    expect(await ask(200, 'GET', `${path}?excludedAttributes=members`, undefined, as)).to.not.have.property('members');
    const found = await ask(
      200,
      'GET',
      `/Groups?excludedAttributes=members&filter=displayName+eq+%22${displayName}%22`,
      undefined,
      as,
    );
    expect(found.Resources.map(({ id }: Json) => id)).to.deep.equal([group.id]);
    const renamed = fresh('renamed');
    await ask(204, 'PATCH', path, operations({ op: 'Replace', path: 'displayName', value: renamed }), as);
    const { id: value } = await ask(201, 'POST', '/Users', { schemas: [USER], userName: fresh('member') }, as);
    const members = async () =>
      ((await ask(200, 'GET', path, undefined, as)).members ?? []).map((one: Json) => one.value);
    await ask(204, 'PATCH', path, operations({ op: 'Add', path: 'members', value: [{ $ref: null, value }] }), as);
    expect(await members()).to.deep.equal([value]);
    await ask(204, 'PATCH', path, operations({ op: 'Remove', path: 'members', value: [{ $ref: null, value }] }), as);
    expect(await members()).to.deep.equal([]);
    await ask(204, 'DELETE', path, undefined, as);
  });

  it('of Okta keep users: import, match, create with a password, replace, deactivate, and activate', async () => {
    const as = { user: await client() };
    expect(await ask(200, 'GET', '/Users?startIndex=1&count=2', undefined, as)).to.deep.include({ startIndex: 1 });
    const userName = `${fresh('test.user')}@okta.local`;
    const query = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
    expect((await ask(200, 'GET', query, undefined, as)).totalResults).to.equal(0);
    const profile = {
      schemas: [USER],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: fresh('00ujl29u0le5T6Aj10h7'),
    };
    const user = await ask(201, 'POST', '/Users', { ...profile, groups: [], password: '1mz050nq', active: true }, as);
    expect((await ask(200, 'GET', query, undefined, as)).Resources).to.deep.equal([user]);
    const path = `/Users/${user.id}`;
    const another = {
      ...profile,
      id: user.id,
      name: { givenName: 'Another', familyName: 'User' },
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    };
    expect((await ask(200, 'PUT', path, another, as)).name).to.deep.equal(another.name);
    for (const active of [false, true])
      expect((await ask(200, 'PATCH', path, operations({ op: 'replace', value: { active } }), as)).active).to.equal(
        active,
      );
    const password = operations({ op: 'replace', value: { password: 'A new password' } });
    expect(await ask(200, 'PATCH', path, password, as)).to.not.have.property('password');
  });

  it('of Okta push groups: create, rename with the id, and change members', async () => {
    const as = { user: await client() };
    const [one, two] = [fresh('one'), fresh('two')];
    const ids: string[] = [];
    for (const userName of [one, two])
      ids.push((await ask(201, 'POST', '/Users', { schemas: [USER], userName }, as)).id);
    const group = await ask(
      201,
      'POST',
      '/Groups',
      { schemas: [GROUP], displayName: fresh('Test SCIMv2'), members: [] },
      as,
    );
    const path = `/Groups/${group.id}`;
    const displayName = fresh('Test SCIMv20');
    await ask(204, 'PATCH', path, operations({ op: 'replace', value: { id: group.id, displayName } }), as);
    await ask(
      204,
      'PATCH',
      path,
      operations({ op: 'add', path: 'members', value: [{ value: ids[0], display: one }] }),
      as,
    );
    await ask(
      204,
      'PATCH',
      path,
      operations(
        { op: 'remove', path: `members[value eq "${ids[0]}"]` },
        { op: 'add', path: 'members', value: [{ value: ids[1], display: two }] },
      ),
      as,
    );
    const { members } = await ask(200, 'GET', path, undefined, as);
    expect(members.map(({ value }: Json) => value)).to.deep.equal([ids[1]]);
    await ask(
      204,
      'PATCH',
      path,
      operations({ op: 'replace', path: 'members', value: ids.map((value) => ({ value })) }),
      as,
    );
    const listed = await ask(200, 'GET', '/Groups?startIndex=1&count=100', undefined, as);
    expect(listed.Resources.find(({ id }: Json) => id === group.id).members.length).to.equal(2);
    await ask(204, 'DELETE', path, undefined, as);
  });
});
