import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { addFolder, addPeople, addRole, bind, person, unbind } from './people.js';
import { writesOf } from './writes.js';

oneStore('privilege escalation through the role in an organization', (server) => {
  const { create, patch, inLegacy, userId, refused, allowed, editorWith } = writesOf(server);
  const adam = person('adam');
  let dora: UserInfo;
  before(async () => {
    await addPeople(server());
    dora = await editorWith('dora-o', 'org.users:read', 'org.users:add', 'org.users:write');
    await addRole(server(), 'everything-with-teams', [{ action: 'teams:*', scope: 'teams:*' }]);
    const role = ['Role', 'everything-with-teams'] as const;
    await bind(server(), 'of-viewers', { subject: ['BasicRole', 'Viewer'], role });
  });

  it('is refused for a lower role with more permissions bound to it', async () => {
    await refused(() => patch(dora, 'OrganizationBinding', 'dora-o', { role: 'Viewer' }));
    const id = await userId('dora-o');
    await refused(() => inLegacy(dora, 'PATCH', `/org/users/${id}`, { role: 'Viewer' }));
    await refused(() => patch(dora, 'OrganizationBinding', 'norm', { role: 'Viewer' }));
    await allowed(patch(dora, 'OrganizationBinding', 'norm', { role: 'Editor' }));
    await allowed(patch(adam, 'OrganizationBinding', 'norm', { role: 'Viewer' }));
  });

  it('is refused when a user is added with such a role', async () => {
    const otto = (role: string) => ({ userRef: { name: 'otto' }, role });
    await refused(() => create(dora, 'OrganizationBinding', 'otto', otto('Viewer')));
    await refused(() => inLegacy(dora, 'POST', '/org/users', { loginOrEmail: 'otto@example.com', role: 'Viewer' }));
    await allowed(create(dora, 'OrganizationBinding', 'otto', otto('Editor')));
  });

  it('is refused for a role with permissions on a folder that the caller lacks', async () => {
    await unbind(server(), 'of-viewers');
    await addFolder(server(), 'vault');
    await bind(server(), 'vault', { subject: ['BasicRole', 'Viewer'], role: ['BuiltIn', 'Admin'], folder: 'vault' });
    await refused(() => patch(dora, 'OrganizationBinding', 'dora-o', { role: 'Viewer' }));
    const id = await userId('dora-o');
    await refused(() => inLegacy(dora, 'PATCH', `/org/users/${id}`, { role: 'Viewer' }));
    await unbind(server(), 'vault');
    await allowed(patch(dora, 'OrganizationBinding', 'norm', { role: 'Viewer' }));
  });
});
