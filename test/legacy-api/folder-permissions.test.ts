import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { iam } from '../identity/iam.js';
import { guardedFolders } from './guarded-folders.js';
import { fresh, type Json, legacyOf } from './legacy.js';

oneStore('folder permissions in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const { person, team, folder, isPrivate, ownBindings } = guardedFolders(server);
  const bindings = iam(server);
  it('are replaced as a whole, and listed with the permissions of the parents', async () => {
    const [{ id: userId }, { id: teamId, name }, above] = [await person(), await team(), await team()];
    const outer = await folder();
    const inner = await folder({ parentUid: outer });
    const outerItems = [
      { role: 'Viewer', permission: 1 },
      { teamId: above.id, permission: 2 },
    ];
    await ask(200, 'POST', `/folders/${outer}/permissions`, { items: outerItems });
    const items = [
      { userId, permission: 4 },
      { teamId, permission: 2 },
      { role: 'Viewer', permission: 1 },
    ];
    const answer = await ask(200, 'POST', `/folders/${inner}/permissions`, { items });
    expect(answer.message).to.equal('Folder permissions updated');
    const listed = await ask(200, 'GET', `/folders/${inner}/permissions`);
    const fields = listed.map((one: Json) => [
      one.userId,
      one.team,
      one.role,
      one.permission,
      one.permissionName,
      one.inherited,
    ]);
    expect(fields).to.have.deep.members([
      [userId, '', undefined, 4, 'Admin', false],
      [0, name, undefined, 2, 'Edit', false],
      [0, '', 'Viewer', 1, 'View', false],
      [0, above.name, undefined, 2, 'Edit', true],
    ]);
    expect(listed[0]).to.include({ uid: inner, isFolder: true });
    expect((await ask(200, 'GET', `/folders/${inner}`)).hasAcl).to.equal(true);
    await ask(200, 'POST', `/folders/${inner}/permissions`, { items: [{ teamId, permission: 1 }] });
    const after = await ask(200, 'GET', `/folders/${inner}/permissions`);
    expect(after.filter((one: Json) => !one.inherited)).to.have.length(1);
  });

  // Promise: specification 4.11
  it('start with those of editors and viewers at the root, and read back as they were sent', async () => {
    const uid = await folder();
    const roles = async (): Promise<Json> =>
      (await ask(200, 'GET', `/folders/${uid}/permissions`)).map(({ role, permission }: Json) => [role, permission]);
    const usual = [
      ['Editor', 2],
      ['Viewer', 1],
    ];
    expect(await roles()).to.deep.equal(usual);
    for (const list of [
      [],
      [['Viewer', 2]],
      [['Editor', 1]],
      [['Editor', 4]],
      [
        ['Editor', 4],
        ['Viewer', 1],
      ],
      [
        ['Editor', 2],
        ['Viewer', 2],
      ],
      [['Admin', 4]],
      usual,
    ]) {
      const items = list.map(([role, permission]) => ({ role, permission }));
      await ask(200, 'POST', `/folders/${uid}/permissions`, { items });
      expect(await roles(), JSON.stringify(list)).to.have.deep.members(list);
    }
    expect(await isPrivate(uid)).to.equal(false);
    expect(await ownBindings(uid)).to.deep.equal([]);
  });

  // Promise: specification 4.11
  it('that leave out a role take its access away, from the folder and from all that lies in it', async () => {
    const [viewer, editor] = [(await person('Viewer')).info, (await person('Editor')).info];
    const outer = await folder();
    const inner = await folder({ parentUid: outer });
    const can = async (user: UserInfo): Promise<readonly number[]> => [
      (await call('GET', `/folders/${outer}`, { user })).status,
      (await call('GET', `/folders/${inner}`, { user })).status,
      (await call('PUT', `/folders/${inner}`, { user, body: { title: fresh('inner'), overwrite: true } })).status,
    ];
    const set = (items: Json) => ask(200, 'POST', `/folders/${outer}/permissions`, { items });
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [200, 200, 403],
      [200, 200, 200],
    ]);
    await set([]);
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [403, 403, 403],
      [403, 403, 403],
    ]);
    await set([{ role: 'Editor', permission: 1 }]);
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [403, 403, 403],
      [200, 200, 403],
    ]);
    expect(await ask(200, 'GET', `/folders/${outer}`, undefined)).to.include({ hasAcl: true });
    await ask(200, 'POST', `/access-control/folders/${outer}/builtInRoles/Viewer`, { permission: 'Edit' });
    expect(await can(viewer)).to.deep.equal([200, 200, 200]);
    await ask(200, 'POST', `/access-control/folders/${outer}/builtInRoles/Viewer`, { permission: '' });
    expect(await can(viewer)).to.deep.equal([403, 403, 403]);
    await ask(200, 'POST', `/access-control/folders/${outer}/builtInRoles/Viewer`, { permission: 'View' });
    await ask(200, 'POST', `/access-control/folders/${outer}/builtInRoles/Editor`, { permission: 'Edit' });
    expect(await isPrivate(outer)).to.equal(false);
    expect(await ownBindings(outer)).to.deep.equal([]);
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [200, 200, 403],
      [200, 200, 200],
    ]);
  });

  // Promise: specification 4.11
  it('that leave out a role on a folder inside a folder make it private, and cannot remove what is inherited', async () => {
    const [viewer, editor, { id: teamId, uid: teamUid }] = [
      (await person('Viewer')).info,
      (await person('Editor')).info,
      await team(),
    ];
    const outer = await folder();
    const inner = await folder({ parentUid: outer });
    const lowest = await folder({ parentUid: inner });
    await ask(200, 'POST', `/access-control/folders/${outer}/teams/${teamId}`, { permission: 'Edit' });
    const path = `/folders/${inner}/permissions`;
    const set = (items: Json) => ask(200, 'POST', path, { items });
    const shown = async (at = path): Promise<Json> =>
      (await ask(200, 'GET', at)).map((one: Json) => [one.role ?? one.teamUid, one.permission, one.inherited]);
    const can = (user: UserInfo): Promise<readonly number[]> =>
      Promise.all([outer, inner, lowest].map(async (uid) => (await call('GET', `/folders/${uid}`, { user })).status));
    const inheritedTeam = [teamUid, 2, true];
    expect(await shown()).to.have.deep.members([inheritedTeam, ['Editor', 2, true], ['Viewer', 1, true]]);

    const answer = await call('POST', path, { body: { items: [] } });
    expect([answer.status, String(answer.headers['warning'])]).to.satisfy(
      ([code, text]: [number, string]) => code === 200 && text.includes('BasicRole/Viewer (View, '),
    );
    expect([await isPrivate(inner), await shown()]).to.deep.equal([true, [inheritedTeam]]);
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [200, 403, 403],
      [200, 403, 403],
    ]);
    expect(await shown(`/folders/${lowest}/permissions`)).to.deep.equal([inheritedTeam]);

    await set([{ role: 'Viewer', permission: 1 }]);
    expect(await shown()).to.have.deep.members([['Viewer', 1, false], inheritedTeam]);
    expect([await can(viewer), await can(editor)]).to.deep.equal([
      [200, 200, 200],
      [200, 403, 403],
    ]);
    await set([
      { role: 'Viewer', permission: 1 },
      { role: 'Editor', permission: 2 },
    ]);
    expect(await isPrivate(inner)).to.equal(false);
    const own = [
      ['Editor', 2, false],
      ['Viewer', 1, false],
    ];
    expect(await shown()).to.have.deep.members([...own, inheritedTeam, ['Editor', 2, true], ['Viewer', 1, true]]);

    await ask(200, 'POST', `/access-control/folders/${outer}/builtInRoles/Viewer`, { permission: 'Edit' });
    await set([
      { role: 'Viewer', permission: 1 },
      { role: 'Editor', permission: 2 },
    ]);
    expect([await isPrivate(inner), await shown()]).to.deep.equal([true, [...own, inheritedTeam]]);
  });

  // Promise: specification 4.11
  it('of a role on a folder inside a folder are added to what is inherited, if they are set one by one', async () => {
    const inner = await folder({ parentUid: await folder() });
    const roles = async (): Promise<Json> =>
      (await ask(200, 'GET', `/folders/${inner}/permissions`)).map((one: Json) => [
        one.role,
        one.permission,
        one.inherited,
      ]);
    const inherited = [
      ['Editor', 2, true],
      ['Viewer', 1, true],
    ];
    const path = `/access-control/folders/${inner}/builtInRoles/Viewer`;
    await ask(200, 'POST', path, { permission: 'Edit' });
    expect(await roles()).to.deep.equal([['Viewer', 2, false], ...inherited]);
    await ask(200, 'POST', path, { permission: '' });
    expect([await isPrivate(inner), await roles()]).to.deep.equal([false, inherited]);
    await ask(200, 'POST', `/folders/${inner}/permissions`, { items: [] });
    await ask(200, 'POST', path, { permission: 'View' });
    expect([await isPrivate(inner), await roles()]).to.deep.equal([true, [['Viewer', 1, false]]]);
  });

  it('accept the integer id of a service account as userId, but no integer id as userUid', async () => {
    const uid = await folder();
    const account = await ask(201, 'POST', '/serviceaccounts', { name: fresh('deployer'), role: 'None' });
    const { id: userId } = await person();
    expect(account.id).to.not.equal(userId);
    const items = [{ userId: account.id, permission: 2 }];
    await ask(200, 'POST', `/folders/${uid}/permissions`, { items });
    const [listed] = await ask(200, 'GET', `/folders/${uid}/permissions`);
    expect(listed).to.deep.include({ userId: account.id, userLogin: account.login, permission: 2 });
    const body = { items: [{ userUid: String(userId), permission: 2 }] };
    await refused(400, { message: 'user not found' }, 'POST', `/folders/${uid}/permissions`, body);
  });

  it('are exactly one of two lists that are sent at the same time', async () => {
    const uid = await folder();
    const [one, two] = [await person(), await person()];
    for (let round = 0; round < 5; round++) {
      const items = (userId: number): Json => ({ items: [{ userId, permission: 1 }] });
      const path = `/folders/${uid}/permissions`;
      await Promise.all([one, two].map(({ id }) => ask(200, 'POST', path, items(id))));
      const users = (await ask(200, 'GET', path)).filter(({ userId }: Json) => userId > 0);
      expect(users, `round ${round}`).to.have.length(1);
    }
  });

  it('are role bindings, one for each subject', async () => {
    const { id: userId, info } = await person();
    const uid = await folder();
    await ask(200, 'POST', `/folders/${uid}/permissions`, { items: [{ userId, permission: 1 }] });
    const object = bodyOf(await bindings.get('RoleBinding', `${uid}.user.${info.uid}`), 200) as Json;
    expect(object.spec).to.deep.equal({
      subject: { kind: 'User', name: info.uid },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: uid },
    });
    await ask(200, 'DELETE', `/folders/${uid}`);
    expect((await bindings.get('RoleBinding', `${uid}.user.${info.uid}`)).status).to.equal(404);
  });

  it('stay unchanged if one item is invalid', async () => {
    const { id: userId } = await person();
    const uid = await folder();
    const wrong: readonly (readonly [Json, Json])[] = [
      [
        [
          { userId, permission: 1 },
          { userId: 99_999, permission: 1 },
        ],
        { message: 'user not found' },
      ],
      [
        [
          { userId, permission: 1 },
          { teamId: 99_999, permission: 1 },
        ],
        { message: 'team not found' },
      ],
      [[{ userId, permission: 3 }], { message: 'invalid permission' }],
      [[{ userId, role: 'Viewer', permission: 1 }], { message: 'bad request data' }],
      [[{ permission: 1 }], { message: 'bad request data' }],
      [[{ userId: { $gt: 0 }, permission: 1 }], { message: 'bad request data' }],
      [[{ role: 'King', permission: 1 }], { message: 'role is invalid' }],
      [
        [
          { userId, permission: 1 },
          { userId, permission: 2 },
        ],
        { message: 'a user, team or role has more than one permission' },
      ],
    ];
    const before = await server().end();
    for (const [items, expected] of wrong)
      await refused(400, expected, 'POST', `/folders/${uid}/permissions`, { items });
    expect(await server().end()).to.equal(before);
    await refused(
      404,
      { message: 'folder not found', status: 'not-found' },
      'GET',
      '/folders/nothing-here/permissions',
    );
  });
});
