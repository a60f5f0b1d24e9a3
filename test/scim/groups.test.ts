import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';
import { GROUP, type Json, PATCH, scimOf } from './scim.js';

eachStore('groups in SCIM', (server) => {
  const { ask, makeGroup, makeUser, patch, refused } = scimOf(server);
  const { person } = peopleOf(server);
  const resources = iam(server);

  const membersOf = async (id: string): Promise<readonly string[]> => {
    const { members = [] } = await ask(200, 'GET', `/Groups/${id}`);
    return members.map(({ value }: Json) => value).sort();
  };

  it('are teams with their members, which the resource API has at once', async () => {
    const [one, two] = [await makeUser(), await makeUser()];
    const displayName = fresh('Platform');
    const externalId = fresh('external');
    const members = [{ value: one.id }, { value: two.id, display: 'ignored' }];
    const group = await makeGroup({ displayName, externalId, members });
    expect(group.displayName).to.equal(displayName);
    expect(await membersOf(group.id)).to.deep.equal([one.id, two.id].sort());
    expect(bodyOf(await resources.get('Team', group.id), 200).spec).to.deep.equal({
      title: displayName,
      externalUID: externalId,
      provisioned: true,
    });
    const binding = bodyOf(await resources.get('TeamBinding', `${group.id}.${one.id}`), 200);
    expect(binding.spec).to.deep.equal({
      teamRef: { name: group.id },
      userRef: { name: one.id },
      permission: 'member',
      provisioned: true,
    });
    const { groups } = await ask(200, 'GET', `/Users/${one.id}`);
    expect(groups.map(({ value, display }: Json) => [value, display])).to.deep.equal([[group.id, displayName]]);
  });

  it('are found by name, externalId and member', async () => {
    const user = await makeUser();
    const externalId = fresh('external');
    const { id, displayName } = await makeGroup({ externalId, members: [{ value: user.id }] });
    for (const filter of [
      `displayName eq "${displayName.toUpperCase()}"`,
      `externalId eq "${externalId}"`,
      `members.value eq "${user.id}"`,
      `members[value eq "${user.id}"]`,
      `id eq "${id}" and displayName pr`,
      `displayName sw "${displayName}"`,
    ]) {
      const path = `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`;
      const { Resources } = await ask(200, 'GET', path);
      expect(
        Resources.map((one: Json) => [one.id, one.members]),
        filter,
      ).to.deep.equal([[id, undefined]]);
    }
  });

  it('change their members by PATCH in all dialects, and answer 204', async () => {
    const users = [await makeUser(), await makeUser(), await makeUser()].map(({ id }) => id);
    const [one, two, three] = users as [string, string, string];
    const { id } = await makeGroup({ members: [{ value: one }] });
    const steps: readonly (readonly [object[], readonly string[]])[] = [
      [[{ op: 'Add', path: 'members', value: [{ value: two }, { value: three }] }], [one, two, three]],
      [[{ op: 'remove', path: `members[value eq "${two}"]` }], [one, three]],
      [[{ op: 'Remove', path: 'members', value: [{ value: three }] }], [one]],
      [[{ op: 'replace', path: 'members', value: [{ value: two }, { value: three }] }], [two, three]],
      [[{ op: 'replace', value: { members: [{ value: one }] } }], [one]],
      [[{ op: 'add', path: 'members', value: { value: one } }], [one]],
      [[{ op: 'remove', path: `members[value eq "${two}"]` }], [one]],
      [[{ op: 'remove', path: 'members' }], []],
    ];
    for (const [operations, expected] of steps) {
      const { status, body } = await patch(`/Groups/${id}`, ...operations);
      expect(status, JSON.stringify([operations, body])).to.equal(204);
      expect(await membersOf(id), JSON.stringify(operations)).to.deep.equal([...expected].sort());
    }
  });

  it('get another name and externalId by PATCH and PUT, and end with DELETE', async () => {
    const { id } = await makeGroup();
    const displayName = fresh('Renamed');
    const operations = [{ op: 'replace', value: { id, displayName, externalId: 'x' } }];
    await ask(204, 'PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: operations });
    expect(await ask(200, 'GET', `/Groups/${id}`)).to.deep.include({ displayName, externalId: 'x' });
    const replaced = await ask(200, 'PUT', `/Groups/${id}`, { schemas: [GROUP], displayName: `${displayName} 2` });
    expect(replaced)
      .to.deep.include({ displayName: `${displayName} 2` })
      .and.not.have.property('externalId');
    await ask(204, 'DELETE', `/Groups/${id}`);
    await refused(404, undefined, 'GET', `/Groups/${id}`);
    expect((await resources.get('Team', id)).status).to.equal(404);
  });

  it('refuse names that are taken, and members whom the organization does not have, and change nothing', async () => {
    const { displayName } = await makeGroup();
    await refused(409, 'uniqueness', 'POST', '/Groups', { schemas: [GROUP], displayName: displayName.toUpperCase() });
    const outsider = await person({ role: '' });
    const name = fresh('Refused');
    for (const value of [outsider.uid, 'nobody', '__proto__', '../x']) {
      const group = { schemas: [GROUP], displayName: name, members: [{ value }] };
      await refused(400, 'invalidValue', 'POST', '/Groups', group);
    }
    const { totalResults } = await ask(200, 'GET', `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`);
    expect(totalResults).to.equal(0);
  });

  it('name at most 10,000 members in a request, because other writes wait for it', async () => {
    const members = Array.from({ length: 10_001 }, (_, i) => ({ value: `m${i}` }));
    const { id } = await makeGroup();
    await refused(413, undefined, 'POST', '/Groups', { schemas: [GROUP], displayName: fresh('Large'), members });
    const add = { schemas: [PATCH], Operations: [{ op: 'add', path: 'members', value: members }] };
    await refused(413, undefined, 'PATCH', `/Groups/${id}`, add);
  });
});
