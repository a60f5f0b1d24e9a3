import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import type { Server } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import {
  account,
  addFolder,
  addPeople,
  addPerson,
  addRole,
  addTeam,
  addTeamMember,
  bind,
  FOLDERS,
  folderBody,
  namesOf,
  person,
  unbind,
} from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

const get = async (server: Server, name: string, uid: string): Promise<number> =>
  (await server.call('GET', `${FOLDERS}/${name}`, { user: person(uid) })).status;

const write = async (server: Server, name: string, uid: string): Promise<number> =>
  (
    await server.call('PATCH', `${FOLDERS}/${name}`, {
      user: person(uid),
      body: { spec: { description: uid } },
      headers: MERGE,
    })
  ).status;

const move = async (server: Server, name: string, to: string, uid: string): Promise<number> =>
  (
    await server.call('PATCH', `${FOLDERS}/${name}`, {
      user: person(uid),
      body: { metadata: { annotations: { 'svc.app/folder': to } } },
      headers: MERGE,
    })
  ).status;

const legacyMove = (server: Server, name: string, parentUid: string, uid: string): Promise<Answer> => {
  const user = { ...person(uid), extra: { 'svc.app/organization': ['default'] } };
  return server.call('POST', `/api/folders/${name}/move`, { user, body: { parentUid } });
};

oneStore('folder permissions', (server) => {
  before(async () => {
    await addPeople(server());
    for (const [name, parent] of [
      ['a', undefined],
      ['b', 'a'],
      ['c', 'b'],
      ['x', undefined],
      ['y', 'x'],
    ] as const) {
      await addFolder(server(), name, parent);
    }
  });

  let next = 0;
  /** A member without any permission. */
  const newMember = async (): Promise<string> => {
    const uid = `m${next++}`;
    await addPerson(server(), uid, 'None');
    return uid;
  };

  // Promise: specification 5
  it('apply to the folder and the folders below it, and not to others', async () => {
    const uid = await newMember();
    await bind(server(), `view-b-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: 'b' });
    expect(await get(server(), 'b', uid)).to.equal(200);
    expect(await get(server(), 'c', uid)).to.equal(200);
    expect(await get(server(), 'a', uid)).to.equal(403);
    expect(await get(server(), 'y', uid)).to.equal(403);
    expect(await write(server(), 'c', uid)).to.equal(403);
    expect(await namesOf(server().call('GET', FOLDERS, { user: person(uid) }))).to.deep.equal(['b', 'c']);
  });

  it('end with their binding', async () => {
    const uid = await newMember();
    await bind(server(), `edit-a-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: 'a' });
    expect(await write(server(), 'c', uid)).to.equal(200);
    await unbind(server(), `edit-a-${uid}`);
    expect(await get(server(), 'c', uid)).to.equal(403);
  });

  it('end with the membership in the organization', async () => {
    const uid = await newMember();
    await bind(server(), `left-a-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: 'a' });
    expect(await get(server(), 'a', uid)).to.equal(200);
    await unbind(server(), uid, 'organizationbindings');
    expect(await get(server(), 'a', uid)).to.equal(403);
  });

  it('come from a team, and end with the membership in it', async () => {
    const uid = await newMember();
    await addTeam(server(), `t-${uid}`);
    await bind(server(), `team-x-${uid}`, { subject: ['Team', `t-${uid}`], role: ['BuiltIn', 'View'], folder: 'x' });
    expect(await get(server(), 'y', uid)).to.equal(403);
    await addTeamMember(server(), `t-${uid}`, uid);
    expect(await get(server(), 'y', uid)).to.equal(200);
    await unbind(server(), `t-${uid}.${uid}`, 'teambindings');
    expect(await get(server(), 'y', uid)).to.equal(403);
  });

  it('come from the role in the organization', async () => {
    const uid = await newMember();
    await bind(server(), `basic-${uid}`, { subject: ['BasicRole', 'Viewer'], role: ['BuiltIn', 'Edit'], folder: 'y' });
    expect(await write(server(), 'y', 'vera')).to.equal(200);
    expect(await write(server(), 'x', 'vera')).to.equal(403);
    expect(await write(server(), 'y', uid)).to.equal(403);
    await unbind(server(), `basic-${uid}`);
    expect(await write(server(), 'y', 'vera')).to.equal(403);
  });

  it('apply to service accounts', async () => {
    await bind(server(), 'robot-x', { subject: ['ServiceAccount', 'robot'], role: ['BuiltIn', 'Edit'], folder: 'x' });
    const body = { spec: { description: 'by a robot' } };
    const patch = (name: string) =>
      server().call('PATCH', `${FOLDERS}/${name}`, { user: account('robot'), body, headers: MERGE });
    expect((await patch('y')).status).to.equal(200);
    expect((await patch('a')).status).to.equal(403);
  });

  it('come from custom roles, on the scopes of the role or on the folder of the binding', async () => {
    const uid = await newMember();
    await addRole(server(), `r-${uid}`, [
      { action: 'folders:read', scope: 'folders:uid:b' },
      { action: 'folders:write', scope: 'folders:uid:c' },
    ]);
    await bind(server(), `custom-${uid}`, { subject: ['User', uid], role: ['Role', `r-${uid}`] });
    expect([await get(server(), 'b', uid), await write(server(), 'b', uid)]).to.deep.equal([200, 403]);
    expect([await get(server(), 'c', uid), await write(server(), 'c', uid)]).to.deep.equal([200, 200]);
    await bind(server(), `custom-x-${uid}`, { subject: ['User', uid], role: ['Role', `r-${uid}`], folder: 'x' });
    expect([await get(server(), 'y', uid), await write(server(), 'y', uid)]).to.deep.equal([200, 200]);
  });

  it('change when a custom role changes', async () => {
    const uid = await newMember();
    await addRole(server(), `changing-${uid}`, [{ action: 'folders:*', scope: 'folders:*' }]);
    await bind(server(), `changing-${uid}`, { subject: ['User', uid], role: ['Role', `changing-${uid}`] });
    expect(await write(server(), 'a', uid)).to.equal(200);
    const body = { spec: { permissions: [{ action: 'folders:read', scope: 'folders:uid:a' }] } };
    await server().call('PATCH', `/apis/iam.svc.app/v1beta1/namespaces/default/roles/changing-${uid}`, {
      body,
      headers: MERGE,
    });
    expect(await write(server(), 'a', uid)).to.equal(403);
    expect(await get(server(), 'c', uid)).to.equal(200);
    expect(await get(server(), 'x', uid)).to.equal(403);
  });

  // Promise: specification 5
  it('allow creating folders below, but at the root only with a permission on the root', async () => {
    const uid = await newMember();
    await bind(server(), `create-a-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: 'a' });
    const create = async (name: string, parent?: string) =>
      (await server().call('POST', FOLDERS, { user: person(uid), body: folderBody(name, parent) })).status;
    expect(await create(`${uid}-1`, 'a')).to.equal(201);
    expect(await create(`${uid}-2`, 'x')).to.equal(403);
    expect(await create(`${uid}-3`)).to.equal(403);
    expect(await create(`${uid}-4`, 'general')).to.equal(403);
    await addRole(server(), `root-${uid}`, [
      { action: 'folders:create', scope: 'folders:uid:general' },
      { action: 'folders:write', scope: 'folders:uid:general' },
    ]);
    await bind(server(), `root-${uid}`, { subject: ['User', uid], role: ['Role', `root-${uid}`] });
    expect(await create(`${uid}-5`)).to.equal(201);
    expect(await create(`${uid}-6`, 'general')).to.equal(201);
    expect(await create(`${uid}-7`, 'x')).to.equal(403);
    expect(await write(server(), 'x', uid), 'the root’s permissions end at the root').to.equal(403);
  });

  // Promise: specification 5
  it('must include folders:create on the destination of a move, and folders:write on the folder', async () => {
    const uid = await newMember();
    await addFolder(server(), `moved-${uid}`, 'a');
    await bind(server(), `from-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: `moved-${uid}` });
    expect(await move(server(), `moved-${uid}`, 'x', uid)).to.equal(403);
    expect(await move(server(), `moved-${uid}`, '', uid)).to.equal(403);
    await addRole(server(), `to-${uid}`, [{ action: 'folders:create', scope: '' }]);
    await bind(server(), `to-${uid}`, { subject: ['User', uid], role: ['Role', `to-${uid}`], folder: 'x' });
    expect(await move(server(), `moved-${uid}`, 'x', uid)).to.equal(200);
    expect(await move(server(), 'b', 'x', uid), 'without folders:write on it').to.equal(403);
  });

  it('cannot be raised by a move, neither on the folder nor on its contents, through either API', async () => {
    const uid = await newMember();
    const [from, to] = [`from-${uid}`, `into-${uid}`];
    await addFolder(server(), from);
    await addFolder(server(), `in-${from}`, from);
    await addFolder(server(), to);
    await addFolder(server(), `in-${to}`, to);
    await bind(server(), `edit-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: from });
    await bind(server(), `admin-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Admin'], folder: to });
    const before = await server().end();
    for (const destination of [to, `in-${to}`]) {
      for (const moved of [from, `in-${from}`]) {
        expect(await move(server(), moved, destination, uid), `${moved} to ${destination}`).to.equal(403);
      }
    }
    const body = folderBody(from, to);
    const put = await server().call('PUT', `${FOLDERS}/${from}`, { user: person(uid), body });
    expect(put.json()).to.include({ code: 403, reason: 'Forbidden' });
    expect(put.json().details.causes?.map(({ message }) => message)).to.include('folders.permissions:write');
    const legacy = await legacyMove(server(), from, to, uid);
    expect(legacy.status).to.equal(403);
    expect(JSON.parse(legacy.text)).to.include({
      messageId: 'folders.accessEscalation',
      message: 'Cannot move a folder to a folder where you have higher permissions',
    });
    expect(await server().end(), 'nothing was written').to.equal(before);
  });

  it('allow a move to a folder where the caller has no more permissions than on the moved folder', async () => {
    const uid = await newMember();
    const [mine, shared] = [`mine-${uid}`, `shared-${uid}`];
    await addFolder(server(), mine);
    await addFolder(server(), shared);
    await bind(server(), `mine-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Admin'], folder: mine });
    await bind(server(), `shared-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: shared });
    expect((await legacyMove(server(), mine, shared, uid)).status).to.equal(200);
    expect(await write(server(), mine, uid)).to.equal(200);
    await addFolder(server(), `below-${mine}`, mine);
    await bind(server(), `below-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Admin'], folder: shared });
    expect(await move(server(), `below-${mine}`, shared, uid)).to.equal(200);
    expect(await move(server(), `below-${mine}`, mine, uid), 'and back').to.equal(200);
  });

  it('restrict deletecollection to the folders that the caller may view and delete', async () => {
    const uid = await newMember();
    for (const name of ['free', 'kept', 'hidden']) await addFolder(server(), `${name}-${uid}`);
    await bind(server(), `del-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: `free-${uid}` });
    await bind(server(), `see-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'View'], folder: `kept-${uid}` });
    expect(await namesOf(server().call('DELETE', FOLDERS, { user: person(uid) }))).to.deep.equal([`free-${uid}`]);
    const left = await namesOf(server().call('GET', FOLDERS));
    expect(left)
      .to.include.members([`kept-${uid}`, `hidden-${uid}`])
      .and.not.include(`free-${uid}`);
  });

  it('allow only the admins of a folder to grant permissions on it', async () => {
    const uid = await newMember();
    const bindings = '/apis/iam.svc.app/v1beta1/namespaces/default/rolebindings';
    const share = async (name: string, folder: string | undefined, role: string) => {
      const scope = folder === undefined ? {} : { scope: { folder } };
      const spec = { subject: { kind: 'User', name: 'norm' }, roleRef: { kind: 'BuiltIn', name: role }, ...scope };
      const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata: { name }, spec };
      return (await server().call('POST', bindings, { user: person(uid), body })).status;
    };
    await bind(server(), `share-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Edit'], folder: 'b' });
    expect(await share(`share-b-${uid}`, 'b', 'View')).to.equal(403);
    await bind(server(), `own-${uid}`, { subject: ['User', uid], role: ['BuiltIn', 'Admin'], folder: 'b' });
    expect(await share(`share-b-${uid}`, 'b', 'View')).to.equal(201);
    expect(await share(`share-c-${uid}`, 'c', 'Edit')).to.equal(201);
    expect(await share(`share-a-${uid}`, 'a', 'View')).to.equal(403);
    expect(await share(`share-all-${uid}`, undefined, 'Admin')).to.equal(403);
    const widened = await server().call('PATCH', `${bindings}/share-b-${uid}`, {
      user: person(uid),
      body: { spec: { roleRef: { kind: 'BuiltIn', name: 'Admin' }, scope: null } },
      headers: MERGE,
    });
    expect(widened.status, 'out of the folder').to.equal(403);
    const seen = await namesOf(server().call('GET', bindings, { user: person(uid) }));
    expect(seen)
      .to.include.members([`share-b-${uid}`, `share-c-${uid}`])
      .and.not.include(`robot-x`);
  });
});
