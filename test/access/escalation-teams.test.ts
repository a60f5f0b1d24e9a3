import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { oneStore } from '../harness/stores.js';
import { addDashboard, addFolder, addPeople, addTeam, addTeamMember, bind, HERE, person, unbind } from './people.js';
import { writesOf } from './writes.js';

oneStore('privilege escalation through teams', (server) => {
  const { create, patch, inLegacy, idOf, userId, refused, allowed, editorWith } = writesOf(server);
  const adam = person('adam');
  let dora: UserInfo;
  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
    dora = await editorWith('dora-t', 'teams:read', 'teams.permissions:read', 'teams.permissions:write');
    await addTeam(server(), 'chiefs');
    await addTeam(server(), 'crew');
    await bind(server(), 'chiefs', { subject: ['Team', 'chiefs'], role: ['BuiltIn', 'Admin'] });
    await bind(server(), 'crew', { subject: ['Team', 'crew'], role: ['BuiltIn', 'Admin'], folder: 'box' });
  });

  const joining = (team: string, user: string, permission = 'member') => ({
    teamRef: { name: team },
    userRef: { name: user },
    permission,
  });

  // Promise: security rights
  it('is refused when a caller adds themselves or others to a team with more permissions, through either API', async () => {
    await refused(() => create(dora, 'TeamBinding', 'chiefs.dora-t', joining('chiefs', 'dora-t')));
    const id = await idOf(`${HERE}/teams/chiefs`);
    const dorasId = await userId('dora-t');
    await refused(() => inLegacy(dora, 'POST', `/teams/${id}/members`, { userId: dorasId }));
    await refused(() => inLegacy(dora, 'PUT', `/teams/${id}/members`, { admins: ['dora-t@example.com'] }));
    await refused(() =>
      inLegacy(dora, 'POST', `/access-control/teams/${id}/users/${dorasId}`, { permission: 'Member' }),
    );
    await refused(() => create(dora, 'TeamBinding', 'chiefs.norm', joining('chiefs', 'norm')));
  });

  it('is not assumed for callers who have the permissions of the team: administrators, and its own admins', async () => {
    await allowed(create(adam, 'TeamBinding', 'chiefs.norm', joining('chiefs', 'norm', 'admin')));
    await allowed(create(person('norm'), 'TeamBinding', 'chiefs.vera', joining('chiefs', 'vera')));
    await allowed(patch(dora, 'TeamBinding', 'chiefs.norm', { permission: 'member' }));
    await unbind(server(), 'chiefs.norm', 'teambindings');
    await unbind(server(), 'chiefs.vera', 'teambindings');
  });

  it('is refused when a caller gives a group to a team with more permissions, or may not change its members', async () => {
    const gwen = await editorWith(
      'gwen-t',
      'teams:read',
      'teams:write',
      'teams.permissions:read',
      'teams.permissions:write',
    );
    const walt = await editorWith('walt-t', 'teams:read', 'teams:write');
    const id = await idOf(`${HERE}/teams/chiefs`);
    await refused(() => patch(gwen, 'Team', 'chiefs', { groups: ['gwens'] }));
    await refused(() => inLegacy(gwen, 'POST', `/teams/${id}/groups`, { groupId: 'gwens' }));
    await addTeam(server(), 'nobodies');
    await refused(() => patch(walt, 'Team', 'nobodies', { groups: ['walts'] }));
    await allowed(patch(gwen, 'Team', 'nobodies', { groups: ['gwens'] }));
    await refused(() => patch(walt, 'Team', 'nobodies', { groups: [] }));
    await allowed(patch(walt, 'Team', 'nobodies', { title: 'Somebodies' }));
    await allowed(patch(adam, 'Team', 'chiefs', { groups: ['admins'] }));
    await allowed(patch(gwen, 'Team', 'chiefs', { groups: [] }));
  });

  it('is refused for a team with permissions on a folder that the caller lacks', async () => {
    await refused(() => create(dora, 'TeamBinding', 'crew.dora-t', joining('crew', 'dora-t', 'admin')));
    await refused(() => create(dora, 'TeamBinding', 'crew.norm', joining('crew', 'norm')));
    const id = await idOf(`${HERE}/teams/crew`);
    const dorasId = await userId('dora-t');
    await refused(() => inLegacy(dora, 'POST', `/teams/${id}/members`, { userId: dorasId }));
    await refused(() => inLegacy(dora, 'PUT', `/teams/${id}/members`, { admins: ['dora-t@example.com'] }));
    await refused(() =>
      inLegacy(dora, 'POST', `/access-control/teams/${id}/users/${dorasId}`, { permission: 'Member' }),
    );
  });

  it('is not assumed for members of the team, and for callers with these permissions on a folder above it', async () => {
    await addTeamMember(server(), 'crew', 'vera', 'admin');
    await allowed(create(person('vera'), 'TeamBinding', 'crew.edith', joining('crew', 'edith', 'admin')));
    await allowed(patch(person('vera'), 'TeamBinding', 'crew.edith', { permission: 'member' }));
    const id = await idOf(`${HERE}/teams/crew`);
    await allowed(inLegacy(person('vera'), 'POST', `/teams/${id}/members`, { userId: await userId('norm') }));
    await addFolder(server(), 'inner', 'box');
    await addTeam(server(), 'inner');
    await bind(server(), 'inner', { subject: ['Team', 'inner'], role: ['BuiltIn', 'Admin'], folder: 'inner' });
    await refused(() => create(dora, 'TeamBinding', 'inner.dora-t', joining('inner', 'dora-t')));
    await bind(server(), 'doras', { subject: ['User', 'dora-t'], role: ['BuiltIn', 'Admin'], folder: 'box' });
    await allowed(create(dora, 'TeamBinding', 'inner.dora-t', joining('inner', 'dora-t')));
  });

  it('is refused for a team with permissions on a dashboard, except for callers who have these on a folder above it', async () => {
    const dashboard = 'charts';
    for (const [folder, user] of [
      ['charts', 'dana-t'],
      ['beside', 'dirk-t'],
    ] as const) {
      await addFolder(server(), folder);
      await editorWith(user, 'teams:read', 'teams.permissions:read', 'teams.permissions:write');
      await bind(server(), `${user}-${folder}`, { subject: ['User', user], role: ['BuiltIn', 'Admin'], folder });
    }
    await addDashboard(server(), dashboard, 'charts');
    await addTeam(server(), 'charts');
    await bind(server(), 'charts', { subject: ['Team', 'charts'], role: ['BuiltIn', 'Admin'], dashboard });
    await refused(() => create(person('dirk-t'), 'TeamBinding', 'charts.dirk-t', joining('charts', 'dirk-t')));
    await allowed(create(person('dana-t'), 'TeamBinding', 'charts.dana-t', joining('charts', 'dana-t')));
  });
});
