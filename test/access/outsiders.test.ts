import { expect } from 'chai';
import { MASTERS_GROUP } from '../../pkg/identity/authn/user.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { objectKey } from '../../registry/kinds/registry.js';
import type { Answer } from '../harness/answer.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, addPerson, addTeam, addTeamMember, bind, HERE, person, unbind } from './people.js';
import { writesOf } from './writes.js';

const NOT_FOUND = { message: 'user not found' };

oneStore('users of other organizations', (server) => {
  const { create, patch, inLegacy, idOf, userId, refused, allowed } = writesOf(server);
  const [adam, vera] = [person('adam'), person('vera')];

  before(async () => {
    await addPeople(server());
    await addTeam(server(), 'red');
    await addTeamMember(server(), 'red', 'vera', 'admin');
    await addFolder(server(), 'box');
  });

  /** Deletes an object from the store, without its dependents. */
  const forget = async (kindName: string, name: string): Promise<void> => {
    const { registry } = server().api;
    const kind = registry.kinds.find((one) => one.kind === kindName) as Kind;
    const key = objectKey(kind, 'default', name);
    await registry.writer.transact({ run: (state) => state.delete(key) });
  };
  const answers = async (tried: () => Promise<Answer>, code: number, body: object): Promise<void> => {
    expect(JSON.parse((await refused(tried, code)).text)).to.deep.equal(body);
  };
  const causeOf = async (tried: () => Promise<Answer>) => (await refused(tried, 422)).json().details.causes?.[0];

  it('cannot be added to a team, and are unknown users for the legacy API', async () => {
    const spec = (name: string) => ({ teamRef: { name: 'red' }, userRef: { name } });
    const cause = await causeOf(() => create(vera, 'TeamBinding', 'red.otto', spec('otto')));
    expect(cause).to.include({ reason: 'FieldValueNotFound', field: 'spec.userRef.name' });
    const unknown = await causeOf(() => create(vera, 'TeamBinding', 'red.otto', spec('none')));
    expect(cause?.message.replace('otto', 'none'), 'the same message as for an unknown user').to.equal(
      unknown?.message,
    );
    const id = await idOf(`${HERE}/teams/red`);
    const ottosId = await userId('otto');
    await answers(() => inLegacy(vera, 'POST', `/teams/${id}/members`, { userId: ottosId }), 404, NOT_FOUND);
    await answers(
      () => inLegacy(vera, 'PUT', `/teams/${id}/members`, { members: ['otto@example.com'] }),
      404,
      NOT_FOUND,
    );
    const path = `/access-control/teams/${id}`;
    await answers(() => inLegacy(vera, 'POST', `${path}/users/${ottosId}`, { permission: 'Member' }), 404, NOT_FOUND);
    const permissions = [{ userId: ottosId, permission: 'Member' }];
    await answers(() => inLegacy(vera, 'POST', path, { permissions }), 404, NOT_FOUND);
  });

  it('get no folder permission before they are members, and are unknown users for the legacy API', async () => {
    const spec = { subject: { kind: 'User', name: 'otto' }, roleRef: { kind: 'BuiltIn', name: 'View' } };
    const told = async (name: string): Promise<string> => {
      const bound = { ...spec, subject: { kind: 'User', name }, scope: { folder: 'box' } };
      const answer = await create(adam, 'RoleBinding', `for-${name}`, bound);
      expect(answer.status, answer.text).to.equal(201);
      const { status } = answer.json() as unknown as { readonly status: { readonly conditions: readonly object[] } };
      const [condition] = status.conditions as readonly { readonly message: string; readonly status: string }[];
      expect(condition?.status, 'it waits, and grants nothing').to.equal('False');
      return `${condition?.message} ${answer.headers['warning']}`.replaceAll(name, '<name>');
    };
    expect(await told('otto'), 'the same as for an unknown user').to.equal(await told('nobody'));
    const ottosId = await userId('otto');
    const items = [{ userId: ottosId, permission: 1 }];
    await answers(() => inLegacy(adam, 'POST', '/folders/box/permissions', { items }), 400, NOT_FOUND);
    const path = '/access-control/folders/box';
    await answers(() => inLegacy(adam, 'POST', `${path}/users/${ottosId}`, { permission: 'View' }), 400, NOT_FOUND);
    const permissions = [{ userId: ottosId, permission: 'View' }];
    await answers(() => inLegacy(adam, 'POST', path, { permissions }), 400, NOT_FOUND);
  });

  it('lose their memberships and permissions in the commit that removes them from the organization', async () => {
    await addPerson(server(), 'lea', 'Viewer');
    await addTeamMember(server(), 'red', 'lea');
    await bind(server(), 'leas', { subject: ['User', 'lea'], role: ['BuiltIn', 'Admin'], folder: 'box' });
    const before = await server().end();
    await unbind(server(), 'lea', 'organizationbindings');
    expect(await server().end(), 'all at once').to.equal(before + 3);
    for (const path of ['teambindings/red.lea', 'rolebindings/leas'])
      expect((await server().call('GET', `${HERE}/${path}`)).status, path).to.equal(404);
  });

  it('keep bindings that older versions left, and these can be changed and deleted', async () => {
    await addPerson(server(), 'old', 'Viewer');
    await addTeamMember(server(), 'red', 'old');
    await bind(server(), 'olds', { subject: ['User', 'old'], role: ['BuiltIn', 'View'], folder: 'box' });
    await forget('OrganizationBinding', 'old');
    await allowed(patch(vera, 'TeamBinding', 'red.old', { permission: 'admin' }));
    await allowed(patch(adam, 'RoleBinding', 'olds', { roleRef: { kind: 'BuiltIn', name: 'Edit' } }));
    await unbind(server(), 'red.old', 'teambindings');
    await unbind(server(), 'olds');
  });

  it('do not become members by creating folders and teams as server administrators', async () => {
    const otto = { ...person('otto'), groups: [...person('otto').groups, MASTERS_GROUP] };
    const before = await server().end();
    await allowed(inLegacy(otto, 'POST', '/folders', { uid: 'ottos', title: 'ottos' }));
    await allowed(inLegacy(otto, 'POST', '/teams', { name: 'ottos' }));
    expect(await server().end(), 'nothing beside them').to.equal(before + 2);
  });
});
