import { expect } from 'chai';
import { accepted, bodyOf, changingNothing, expectStatus, resourceOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json, legacyOf } from './legacy.js';
import { type Person, peopleOf } from './people.js';

const ROLES = '/access-control/roles';
const READ = [{ action: 'folders:read', scope: 'folders:*' }];
const NOT_FOUND = { message: 'role not found' };
const HELD = { message: 'the role is assigned: remove its assignments, or send force=true' };
const IAM = 'iam.svc.app/v1beta1';

oneStore('global roles in the legacy API', (server) => {
  const { ask, refused } = legacyOf(server);
  const { person } = peopleOf(server);
  const roles = resourceOf(server, { apiVersion: IAM, resource: 'roles', scope: 'Namespaced' });

  const make = (more: Json = {}): Promise<Json> =>
    ask(201, 'POST', ROLES, { name: fresh('global'), global: true, permissions: READ, ...more });
  /** Another organization, with an administrator and a member without a role. */
  const other = async () => {
    const { orgId } = await ask(200, 'POST', '/orgs', { name: fresh('Other') });
    const headers = { 'x-grafana-org-id': String(orgId) };
    const within = (status: number, method: string, path: string, body?: unknown, who?: Person): Promise<Json> =>
      ask(status, method, path, body, { headers, ...(who && { user: who.info }) });
    const member = async (role: string): Promise<Person> => {
      const one = await person();
      await within(200, 'POST', '/org/users', { loginOrEmail: one.uid, role });
      return one;
    };
    return { orgId, within, admin: await member('Admin'), nobody: await member('None') };
  };
  const uids = (list: Json): readonly string[] => list.map(({ uid }: Json) => uid);

  it('are shown in every organization, and are one object in the first one', async () => {
    const { within, admin, nobody } = await other();
    const role = await make({ hidden: false, group: 'g' });
    for (const who of [undefined, admin]) {
      expect(await within(200, 'GET', `${ROLES}/${role.uid}`, undefined, who)).to.deep.equal(role);
      const listed = await within(200, 'GET', ROLES, undefined, who);
      expect(uids(listed).filter((uid) => uid === role.uid)).to.have.length(1);
    }
    await within(403, 'GET', `${ROLES}/${role.uid}`, undefined, nobody);
    await within(403, 'GET', ROLES, undefined, nobody);
    expect(bodyOf(await roles.get(role.uid), 200).spec).to.include({ global: true });
    const hidden = await make({ hidden: true });
    expect(uids(await within(200, 'GET', ROLES))).not.to.include(hidden.uid);
    expect(uids(await within(200, 'GET', `${ROLES}?includeHidden=true`))).to.include(hidden.uid);
  });

  it('are made in another organization, and are the same there', async () => {
    const { within } = await other();
    const { uid } = await within(201, 'POST', ROLES, { name: fresh('global'), global: true, permissions: READ });
    expect(await ask(200, 'GET', `${ROLES}/${uid}`)).to.include({ uid, global: true });
    const changed = await within(200, 'PUT', `${ROLES}/${uid}`, { name: fresh('global'), permissions: [] });
    expect(changed).to.include({ global: true, version: 1 });
    expect(await ask(200, 'GET', `${ROLES}/${uid}`)).to.deep.equal(changed);
    await within(200, 'DELETE', `${ROLES}/${uid}?global=true`);
    await ask(404, 'GET', `${ROLES}/${uid}`);
  });

  // Promise: specification 4.11
  it('give their permissions in the organizations in which they are given, and in no other', async () => {
    const [first, second] = [await other(), await other()];
    const { uid } = await make();
    const folder = await first.within(200, 'POST', '/folders', { title: fresh('Folder') });
    const elsewhere = await second.within(200, 'POST', '/folders', { title: fresh('Folder') });
    const read = (status: number): Promise<Json> =>
      first.within(status, 'GET', `/folders/${folder.uid}`, undefined, first.nobody);
    await read(403);
    const path = `${ROLES}/${uid}/assignments`;
    const assigned = { role_uid: uid, users: [first.nobody.id], teams: [], service_accounts: [] };
    expect(await first.within(200, 'PUT', path, assigned, first.admin)).to.deep.equal(assigned);
    expect(await first.within(200, 'GET', path)).to.deep.equal(assigned);
    await read(200);
    const own = await first.within(200, 'GET', `/access-control/users/${first.nobody.id}/roles`);
    expect(uids(own)).to.deep.equal([uid]);
    await second.within(403, 'GET', `/folders/${elsewhere.uid}`, undefined, second.nobody);
    expect((await second.within(200, 'GET', path)).users).to.deep.equal([]);
    expect((await ask(200, 'GET', path)).users).to.deep.equal([]);
    await ask(200, 'PUT', `${ROLES}/${uid}`, { permissions: [] });
    await read(403);
    await ask(200, 'PUT', `${ROLES}/${uid}`, { permissions: READ });
    await read(200);
    await changingNothing(server(), () => refused(400, HELD, 'DELETE', `${ROLES}/${uid}?global=true`));
    await ask(200, 'DELETE', `${ROLES}/${uid}?global=true&force=true`);
    await read(403);
    expect(await first.within(200, 'GET', `/access-control/users/${first.nobody.id}/roles`)).to.deep.equal([]);
    // A later role of the same uid is not given.
    await make({ uid });
    await read(403);
  });

  // Promise: specification 4.11
  it('are given and taken one by one, beside roles of the organization', async () => {
    const { within, nobody } = await other();
    const { uid } = await make();
    const own = await within(201, 'POST', ROLES, { name: fresh('own'), permissions: READ });
    const path = `/access-control/users/${nobody.id}/roles`;
    const has = async (): Promise<readonly string[]> => [...uids(await within(200, 'GET', path))].sort();
    await within(200, 'POST', path, { roleUid: uid });
    await within(200, 'POST', path, { roleUid: own.uid });
    expect(await has()).to.deep.equal([uid, own.uid].sort());
    await within(200, 'PUT', path, { roleUids: [uid] });
    expect(await has()).to.deep.equal([uid]);
    const everywhere = { message: 'global: an assignment holds in one organization. Make one in each of them' };
    for (const [method, at, body] of [
      ['POST', path, { roleUid: own.uid, global: true }],
      ['PUT', path, { roleUids: [], global: true }],
      ['DELETE', `${path}/${uid}?global=true`, undefined],
    ] as const)
      await changingNothing(server(), async () => {
        expect(await within(400, method, at, body)).to.deep.equal(everywhere);
      });
    await within(200, 'DELETE', `${path}/${uid}?global=false`);
    expect(await has()).to.deep.equal([]);
  });

  // Promise: specification 4.11
  it('are made, changed and deleted by server administrators alone', async () => {
    const { within, admin } = await other();
    const main = await person({ role: 'Admin' });
    const { uid, name } = await make();
    const body = { name: fresh('global'), global: true, permissions: READ };
    await changingNothing(server(), async () => {
      for (const request of [
        (method: string, path: string, sent?: unknown) => within(403, method, path, sent, admin),
        (method: string, path: string, sent?: unknown) => ask(403, method, path, sent, { user: main.info }),
      ]) {
        await request('POST', ROLES, body);
        await request('PUT', `${ROLES}/${uid}`, { name, permissions: READ });
        await request('DELETE', `${ROLES}/${uid}?force=true`);
      }
      const as = { user: main.info };
      expectStatus(await roles.merge(uid, { metadata: { labels: { a: 'b' } } }, as), 403, 'Forbidden');
      expectStatus(await roles.remove(uid, as), 403, 'Forbidden');
    });
  });

  it('stay global, and their uids are those of no other role', async () => {
    const { within, orgId } = await other();
    const [{ uid }, own] = [await make(), await within(201, 'POST', ROLES, { name: fresh('own') })];
    const stays = { message: 'global: cannot be changed. Delete the role, and make it again' };
    const taken = { message: 'a role with this uid already exists' };
    await changingNothing(server(), async () => {
      await refused(400, stays, 'PUT', `${ROLES}/${uid}`, { global: false });
      expect(await within(400, 'PUT', `${ROLES}/${own.uid}`, { global: true })).to.deep.equal(stays);
      expect(await within(400, 'POST', ROLES, { name: fresh('x'), uid })).to.deep.equal(taken);
      expect(await within(400, 'POST', ROLES, { name: fresh('x'), uid: own.uid, global: true })).to.deep.equal(taken);
      // Where to look for the role is a filter.
      await refused(404, NOT_FOUND, 'DELETE', `${ROLES}/${uid}?global=false`);
      expect(await within(404, 'DELETE', `${ROLES}/${own.uid}?global=true`)).to.deep.equal(NOT_FOUND);
      expectStatus(await roles.merge(uid, { spec: { global: null } }), 422, 'Invalid', 'cannot be changed');
      const there = resourceOf(server, { apiVersion: IAM, resource: 'roles', scope: 'Namespaced' });
      const path = there.path().replace('/default/', `/org-${orgId}/`);
      const body = { apiVersion: IAM, kind: 'Role', metadata: { name: fresh('x') }, spec: { global: true } };
      const answer = await server().call('POST', path, { body });
      expectStatus(answer, 422, 'Invalid', 'global roles are in the namespace default');
    });
  });

  it('are named by bindings of the resource API, which tell nobody which other roles the first organization has', async () => {
    const { orgId, admin } = await other();
    const [{ uid }, own] = [await make(), await ask(201, 'POST', ROLES, { name: fresh('own'), permissions: READ })];
    const path = `/apis/${IAM}/namespaces/org-${orgId}/rolebindings`;
    const bind = (role: string) => ({
      apiVersion: IAM,
      kind: 'RoleBinding',
      metadata: { name: fresh('binding') },
      spec: { subject: { kind: 'BasicRole', name: 'Viewer' }, roleRef: { kind: 'GlobalRole', name: role } },
    });
    const write = (role: string) => server().call('POST', path, { body: bind(role), user: admin.info });
    accepted(await write(uid), 201);
    const messages = [];
    for (const role of [own.uid, 'nothing']) {
      const { message } = expectStatus(await write(role), 422, 'Invalid');
      messages.push(message.replaceAll(role, 'it').replace(/binding-?[a-z0-9-]*/g, 'binding'));
    }
    expect(messages[0]).to.equal(messages[1]);
    expect(messages[0]).to.contain('there is no global role');
  });
});
