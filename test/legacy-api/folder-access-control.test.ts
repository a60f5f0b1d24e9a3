import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { guardedFolders } from './guarded-folders.js';
import { type Json, legacyOf } from './legacy.js';

oneStore('folder permissions below /api/access-control', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person, team, folder } = guardedFolders(server);

  /** Declarative clients remove unwanted permissions, set the others, and then expect no difference. */
  // Promise: specification 4.11
  it('are in the end what a declarative client wants, for every list', async () => {
    const { id: teamId } = await team();
    const outer = await folder();
    const places = [await folder(), await folder({ parentUid: outer })];
    const wanted: readonly Json[] = [
      [
        { builtInRole: 'Editor', permission: 'Edit' },
        { builtInRole: 'Viewer', permission: 'View' },
        { teamId, permission: 'Edit' },
      ],
      [{ teamId, permission: 'Edit' }],
      [{ builtInRole: 'Editor', permission: 'View' }],
      [
        { builtInRole: 'Editor', permission: 'Admin' },
        { builtInRole: 'Viewer', permission: 'View' },
      ],
      [],
    ];
    for (const uid of places)
      for (const list of wanted) {
        const path = `/access-control/folders/${uid}`;
        const read = async (): Promise<Json> =>
          (await ask(200, 'GET', path))
            .filter(({ isInherited, userId }: Json) => !isInherited && userId === undefined)
            .map(({ builtInRole, teamId: id, permission }: Json) => ({
              ...(builtInRole && { builtInRole }),
              ...(id && { teamId: id }),
              permission,
            }));
        const removals = (await read()).map(({ permission: _, ...who }: Json) => who);
        await ask(200, 'POST', path, { permissions: [...removals, ...list] });
        expect(await read(), JSON.stringify(list)).to.have.deep.members(list);
      }
  });

  it('can be set and removed one by one below /api/access-control', async () => {
    const [{ id: userId }, { id: teamId }] = [await person(), await team()];
    const uid = await folder();
    const path = `/access-control/folders/${uid}`;
    const updated = { message: 'Permission updated' };
    expect(await ask(200, 'POST', `${path}/users/${userId}`, { permission: 'View' })).to.deep.equal(updated);
    expect(await ask(200, 'POST', `${path}/users/${userId}`, { permission: 'Edit' })).to.deep.equal(updated);
    await ask(200, 'POST', `${path}/teams/${teamId}`, { permission: 'Admin' });
    await ask(200, 'POST', `${path}/builtInRoles/Editor`, { permission: 'Edit' });
    const listed = await ask(200, 'GET', `/folders/${uid}/permissions`);
    expect(listed.map(({ permissionName }: Json) => permissionName)).to.have.members(['Edit', 'Admin', 'Edit', 'View']);
    const removed = { message: 'Permission removed' };
    expect(await ask(200, 'POST', `${path}/users/${userId}`, { permission: '' })).to.deep.equal(removed);
    expect(await ask(200, 'GET', `/folders/${uid}/permissions`)).to.have.length(3);
    await refused(400, { message: 'invalid permission' }, 'POST', `${path}/users/${userId}`, { permission: 'Own' });
    await refused(400, { message: 'user not found' }, 'POST', `${path}/users/99999`, { permission: 'View' });
  });

  it('can be listed and changed by name with GET and POST /api/access-control/folders/:uid', async () => {
    const [{ id: userId, info }, { id: teamId, name }] = [await person(), await team()];
    const outer = await folder();
    const inner = await folder({ parentUid: outer });
    const path = `/access-control/folders/${inner}`;
    const own = (all: Json) => all.filter(({ isInherited }: Json) => !isInherited);
    await ask(200, 'POST', `/access-control/folders/${outer}`, {
      permissions: [{ builtInRole: 'Editor', permission: 'Admin' }],
    });
    const permissions = [
      { userId, permission: 'Edit' },
      { teamId, permission: 'View' },
    ];
    expect(await ask(200, 'POST', path, { permissions })).to.deep.equal({ message: 'Permissions updated' });
    const listed = await ask(200, 'GET', path);
    const found = (isIt: (one: Json) => boolean): Json => listed.find(isIt);
    const forTeam = found((one) => one.teamId === teamId);
    const forUser = found((one) => one.userId === userId);
    const inherited = found((one) => one.isInherited);
    const common = { isManaged: true, isServiceAccount: false };
    expect(forTeam).to.include({
      ...common,
      team: name,
      permission: 'View',
      roleName: `managed:teams:${teamId}:permissions`,
    });
    expect(forUser).to.include({ ...common, userLogin: info.name, permission: 'Edit', isInherited: false });
    expect(forUser.actions).to.include.members(['folders:read', 'folders:write']);
    expect(inherited).to.include({ ...common, builtInRole: 'Editor', permission: 'Admin', isInherited: true });
    expect(inherited).not.to.have.any.keys('userId', 'teamId');
    await ask(200, 'POST', path, { permissions: [{ userId, permission: '' }] });
    expect(own(await ask(200, 'GET', path)).map(({ teamId: id }: Json) => id)).to.deep.equal([teamId]);
    await refused(404, { message: 'folder not found', status: 'not-found' }, 'GET', '/access-control/folders/nowhere');
    const described = await ask(200, 'GET', '/access-control/folders/description');
    expect(described.permissions).to.deep.equal(['View', 'Edit', 'Admin']);
  });

  it('stay unchanged if one item of POST /api/access-control/folders/:uid is invalid', async () => {
    const { id: userId } = await person();
    const uid = await folder();
    const before = await server().end();
    const wrong: readonly (readonly [Json, string])[] = [
      [[{ userId, permission: 'Own' }], 'invalid permission'],
      [[{ userId, permission: 1 }], 'bad request data'],
      [[{ userId, builtInRole: 'Viewer', permission: 'View' }], 'bad request data'],
      [[{ permission: 'View' }], 'bad request data'],
      [[{ builtInRole: 'King', permission: 'View' }], 'role is invalid'],
      [
        [
          { userId, permission: 'View' },
          { userId: 99_999, permission: 'View' },
        ],
        'user not found',
      ],
    ];
    for (const [permissions, message] of wrong)
      await refused(400, { message }, 'POST', `/access-control/folders/${uid}`, { permissions });
    expect(await server().end()).to.equal(before);
  });

  it('reveal nothing about users and teams to callers who may not change them', async () => {
    const { info } = await person('Viewer');
    const uid = await folder();
    const items = [{ userId: 99_999, permission: 1 }];
    await ask(403, 'POST', `/folders/${uid}/permissions`, { items }, { user: info });
    for (const path of ['/users/99999', '/teams/99999', '/builtInRoles/King'])
      await ask(403, 'POST', `/access-control/folders/${uid}${path}`, { permission: 'View' }, { user: info });
  });
});
