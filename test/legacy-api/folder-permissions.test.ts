import { expect } from 'chai';
import type { UserInfo } from '../../pkg/authn/user.js';
import { AUTHENTICATED_GROUP } from '../../pkg/authn/user.js';
import { bodyOf, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';

const IAM = 'iam.svc.app/v1beta1';

oneStore('folder permissions in the legacy API', (server) => {
  const { ask, call, refused } = legacyOf(server);
  const users = resourceOf(server, { apiVersion: IAM, resource: 'users', scope: 'Cluster' });
  const teams = resourceOf(server, { apiVersion: IAM, resource: 'teams', scope: 'Namespaced' });
  const bindings = resourceOf(server, { apiVersion: IAM, resource: 'rolebindings', scope: 'Namespaced' });
  const members = resourceOf(server, { apiVersion: IAM, resource: 'organizationbindings', scope: 'Namespaced' });

  const idOf = (object: Json): number => Number(object.metadata.labels['svc.app/deprecatedInternalID']);
  const person = async (role = 'None'): Promise<{ readonly id: number; readonly info: UserInfo }> => {
    const name = fresh('person');
    const spec = { login: name, email: `${name}@example.com` };
    const made = await bodyOf(await users.create({ apiVersion: IAM, kind: 'User', metadata: { name }, spec }), 201);
    const binding = { userRef: { name }, role };
    await bodyOf(
      await members.create({ apiVersion: IAM, kind: 'OrganizationBinding', metadata: { name }, spec: binding }),
      201,
    );
    const extra = { 'svc.app/organization': ['default'] };
    return { id: idOf(made), info: { name, uid: name, groups: [AUTHENTICATED_GROUP], extra } };
  };
  const team = async (): Promise<{ readonly id: number; readonly name: string }> => {
    const name = fresh('team');
    const made = await bodyOf(
      await teams.create({ apiVersion: IAM, kind: 'Team', metadata: { name }, spec: { title: name } }),
      201,
    );
    return { name, id: idOf(made) };
  };
  const folder = async (more: Json = {}): Promise<string> =>
    (await ask(200, 'POST', '/folders', { uid: fresh('guarded'), title: 'guarded', ...more })).uid;

  const isPrivate = async (uid: string): Promise<boolean> => {
    const path = `/apis/folder.svc.app/v1beta1/namespaces/default/folders/${uid}`;
    const { metadata } = (await server().call('GET', path)).json();
    return metadata.annotations?.['svc.app/basic-roles'] === 'none';
  };
  const ownBindings = async (uid: string): Promise<readonly string[]> => {
    const { items } = (await bindings.list()).json() as unknown as { readonly items: readonly Json[] };
    return items.filter(({ spec }) => spec.scope?.folder === uid).map(({ metadata }) => metadata.name);
  };

  it('are replaced as a whole, and listed with the permissions of the parents', async () => {
    const [{ id: userId }, { id: teamId, name }] = [await person(), await team()];
    const outer = await folder();
    const inner = await folder({ parentUid: outer });
    await ask(200, 'POST', `/folders/${outer}/permissions`, { items: [{ role: 'Viewer', permission: 1 }] });
    const items = [
      { userId, permission: 4 },
      { teamId, permission: 2 },
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
      [0, '', 'Viewer', 1, 'View', true],
    ]);
    expect(listed[0]).to.include({ uid: inner, isFolder: true });
    expect((await ask(200, 'GET', `/folders/${inner}`)).hasAcl).to.equal(true);
    await ask(200, 'POST', `/folders/${inner}/permissions`, { items: [{ teamId, permission: 1 }] });
    const after = await ask(200, 'GET', `/folders/${inner}/permissions`);
    expect(after.filter((one: Json) => !one.inherited)).to.have.length(1);
  });

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

  /** What a declarative client does: it removes what is not wanted, sets the rest, and then finds nothing more to do. */
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
    const object = (await bodyOf(await bindings.get(`${uid}.user.${info.uid}`), 200)) as Json;
    expect(object.spec).to.deep.equal({
      subject: { kind: 'User', name: info.uid },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder: uid },
    });
    await ask(200, 'DELETE', `/folders/${uid}`);
    expect((await bindings.get(`${uid}.user.${info.uid}`)).status).to.equal(404);
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

  describe('restrict callers', () => {
    const as = (info: UserInfo) => ({ user: info });

    it('a caller without permissions gets 403 and empty lists', async () => {
      const { info } = await person();
      const uid = await folder();
      const denied = await ask(403, 'GET', `/folders/${uid}`, undefined, as(info));
      expect(denied).to.have.all.keys('accessErrorId', 'title', 'message');
      expect(denied.message).to.match(/Permissions needed: folders:read$/);
      const listed = await ask(200, 'GET', '/folders', undefined, as(info));
      expect(listed).to.deep.equal([]);
      const creating = await ask(403, 'POST', '/folders', { title: 'x' }, as(info));
      expect(creating.message).to.match(/Permissions needed: folders:create/);
    });

    it('a viewer of one folder can view it, but neither its siblings nor the titles of its parents', async () => {
      const { id: userId, info } = await person();
      const outer = await folder();
      const [inner, sibling] = [await folder({ parentUid: outer }), await folder({ parentUid: outer })];
      await ask(200, 'POST', `/folders/${inner}/permissions`, { items: [{ userId, permission: 1 }] });
      const body = await ask(200, 'GET', `/folders/${inner}`, undefined, as(info));
      expect(body).to.include({ canSave: false, canEdit: false, canAdmin: false, canDelete: false });
      expect(body.parents).to.deep.equal([{ uid: 'redacted', title: 'redacted' }]);
      await ask(403, 'GET', `/folders/${sibling}`, undefined, as(info));
      await ask(403, 'PUT', `/folders/${inner}`, { title: 'x', overwrite: true }, as(info));
      await ask(403, 'DELETE', `/folders/${inner}`, undefined, as(info));
      await ask(403, 'GET', `/folders/${inner}/permissions`, undefined, as(info));
      await ask(403, 'POST', `/folders/${inner}/permissions`, { items: [] }, as(info));
      const found = await ask(200, 'GET', '/search', undefined, as(info));
      expect(found.map(({ uid }: Json) => uid)).to.deep.equal([inner]);
      expect(found[0]).not.to.have.property('folderTitle');
    });

    it('pages contain only folders that the caller may view, and are filled up', async () => {
      const { id: userId, info } = await person();
      const outer = await folder();
      const uids: string[] = [];
      for (const title of ['a', 'b', 'c', 'd', 'e']) uids.push(await folder({ parentUid: outer, title }));
      await ask(200, 'POST', `/folders/${outer}/permissions`, { items: [{ userId, permission: 1 }] });
      for (const uid of [uids[1], uids[4]])
        await ask(200, 'POST', `/folders/${uid}/permissions`, { items: [{ userId, permission: 2 }] });
      const page = async (query: string) =>
        (await ask(200, 'GET', `/folders?parentUid=${outer}&${query}`, undefined, as(info))).map(
          ({ uid }: Json) => uid,
        );
      expect(await page('limit=2&page=2')).to.deep.equal(uids.slice(2, 4));
      expect(await page('permission=Edit&limit=1&page=2')).to.deep.equal([uids[4]]);
      expect(await page('permission=Edit&limit=1&page=3')).to.deep.equal([]);
      const found = await ask(200, 'GET', '/search?limit=2&page=2', undefined, as(info));
      expect(found.map(({ title }: Json) => title)).to.deep.equal(['c', 'd']);
    });

    it('an editor of one folder can change it and create in it, but not create elsewhere or move there', async () => {
      const { id: userId, info } = await person();
      const [own, other] = [await folder(), await folder()];
      await ask(200, 'POST', `/folders/${own}/permissions`, { items: [{ userId, permission: 2 }] });
      await ask(200, 'PUT', `/folders/${own}`, { title: 'theirs', overwrite: true }, as(info));
      const child = await ask(200, 'POST', '/folders', { title: 'child', parentUid: own }, as(info));
      expect(child).to.include({ canSave: true, canAdmin: false });
      const elsewhere = await ask(403, 'POST', '/folders', { title: 'x', parentUid: other }, as(info));
      expect(elsewhere.messageId).to.equal('folders.forbiddenCreation');
      const atRoot = await ask(403, 'POST', '/folders', { title: 'x' }, as(info));
      expect(atRoot.messageId).to.equal('folders.forbiddenCreation');
      const moving = await ask(403, 'POST', `/folders/${child.uid}/move`, { parentUid: other }, as(info));
      expect(moving.messageId).to.equal('folders.forbiddenMove');
      const editable = await ask(200, 'GET', `/folders?parentUid=${own}&permission=Edit`, undefined, as(info));
      expect(editable.map(({ uid }: Json) => uid)).to.deep.equal([child.uid]);
    });
  });
});
