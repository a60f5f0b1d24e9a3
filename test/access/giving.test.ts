import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { UserInfo } from '../../pkg/authn/user.js';
import type { Answer } from '../harness/answer.js';
import { eachStore } from '../harness/stores.js';
import { account, addFolder, addMember, addPeople, addRole, addUser, bind, HERE, person } from './people.js';

const IAM = 'iam.svc.app/v1beta1';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const SERVER_WIDE = ['*', 'users:read', 'users:*', 'orgs:create', 'server.stats:read', 'settings:write'];

eachStore('giving permissions', (server) => {
  const create = (user: UserInfo, kind: string, name: string, spec: unknown): Promise<Answer> => {
    const body = { apiVersion: IAM, kind, metadata: { name }, spec };
    return server().call('POST', `${HERE}/${kind.toLowerCase()}s`, { user, body });
  };
  const patch = (user: UserInfo, kind: string, name: string, spec: unknown): Promise<Answer> =>
    server().call('PATCH', `${HERE}/${kind.toLowerCase()}s/${name}`, { user, body: { spec }, headers: MERGE });

  const role = (action: string, scope = '') => ({ permissions: [{ action, scope }] });
  const binding = (roleKind: string, name: string, more: object = {}) => ({
    subject: { kind: 'User', name: 'norm' },
    roleRef: { kind: roleKind, name },
    ...more,
  });

  const adam = person('adam');
  /** May write roles, bindings, memberships and service accounts, and beside that what editors may. */
  const dora = person('dora');

  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
    await addUser(server(), 'dora');
    await addMember(server(), 'dora', 'Editor');
    await addRole(server(), 'personnel', [
      { action: 'roles:write', scope: 'roles:*' },
      { action: 'roles:read', scope: 'roles:*' },
      { action: 'org.users:add', scope: 'users:*' },
      { action: 'org.users:write', scope: 'users:*' },
      { action: 'serviceaccounts:create', scope: 'serviceaccounts:*' },
      { action: 'serviceaccounts:write', scope: 'serviceaccounts:*' },
      { action: 'folders.permissions:write', scope: 'folders:uid:box' },
    ]);
    await bind(server(), 'personnel', { subject: ['User', 'dora'], role: ['Role', 'personnel'] });
  });

  /** Expects a refusal that has changed nothing. */
  const refused = async (code: number, tried: () => Promise<Answer>): Promise<Answer> => {
    const before = await server().end();
    const answer = await tried();
    expect(answer.status, answer.text).to.equal(code);
    expect(await server().end(), 'nothing was written').to.equal(before);
    return answer;
  };
  const allowed = async (tried: Promise<Answer>): Promise<void> => {
    const { status, text } = await tried;
    expect(status, text).to.be.oneOf([200, 201]);
  };

  describe('that reach beyond the organization', () => {
    for (const action of SERVER_WIDE) {
      it(`${action} is for server administrators: administrators of organizations put it in no role, and give no role with it`, async () => {
        const name = `wide-${SERVER_WIDE.indexOf(action)}`;
        const { json } = await refused(422, () => create(adam, 'Role', name, role(action)));
        expect(json().details.causes?.[0]).to.include({ field: 'spec.permissions[0].action' });
        await addRole(server(), name, [{ action, scope: '' }]);
        const given = await refused(422, () => create(adam, 'RoleBinding', name, binding('Role', name)));
        expect(given.json().details.causes?.[0]).to.include({ field: 'spec.roleRef.name' });
        await refused(422, () =>
          create(adam, 'RoleBinding', name, binding('Role', name, { scope: { folder: 'box' } })),
        );
        await refused(403, () => create(dora, 'Role', `${name}-too`, role(action)));
        await refused(403, () => create(dora, 'RoleBinding', name, binding('Role', name)));
      });
    }

    it('are not put in by an update either; a role that has some can still be changed', async () => {
      await allowed(create(adam, 'Role', 'narrow', role('folders:read', 'folders:*')));
      await refused(422, () => patch(adam, 'Role', 'narrow', role('users:read', 'users:*')));
      await allowed(create(adam, 'RoleBinding', 'narrow', binding('Role', 'narrow')));
      await addRole(server(), 'mixed', [{ action: 'users:read', scope: 'users:*' }]);
      await refused(422, () => patch(adam, 'RoleBinding', 'narrow', { roleRef: { kind: 'Role', name: 'mixed' } }));
      await allowed(patch(adam, 'Role', 'mixed', { title: 'Mixed' }));
      await refused(422, () => patch(adam, 'Role', 'mixed', role('users:read', 'users:uid:vera')));
    });

    it('are not to be had by the preferences of the organization, which are its own', () =>
      allowed(create(adam, 'Role', 'preferences', role('orgs.preferences:write'))));
  });

  describe('within the organization', () => {
    it('administrators of it give whatever there is', async () => {
      await allowed(create(adam, 'Role', 'all-folders', role('folders:*')));
      await allowed(create(adam, 'RoleBinding', 'all-folders', binding('Role', 'all-folders')));
      await allowed(create(adam, 'RoleBinding', 'an-admin', binding('BuiltIn', 'Admin')));
    });

    it('others put in a role only what they have, where they have it', async () => {
      await allowed(create(dora, 'Role', 'hers', role('folders:write', 'folders:uid:box')));
      await allowed(create(dora, 'Role', 'hers-too', role('folders.permissions:write', 'folders:uid:box')));
      const { json } = await refused(403, () => create(dora, 'Role', 'teams', role('teams:write', 'teams:*')));
      expect(json().message).to.contain('cannot give permissions that they do not have: teams:write on teams:*');
      expect(json().details.causes).to.deep.equal([{ reason: 'MissingPermission', message: 'teams:write' }]);
      for (const [action, scope] of [
        ['folders.permissions:write', 'folders:*'],
        ['folders:*', 'folders:*'],
        ['folders:read', ''],
        ['folders:read', '*'],
      ] as const) {
        await refused(403, () => create(dora, 'Role', 'wider', role(action, scope)));
      }
      await refused(403, () => patch(dora, 'Role', 'personnel', role('teams:write', 'teams:*')));
      await allowed(patch(dora, 'Role', 'personnel', { title: 'Personnel' }));
    });

    it('others give no role that has more than they have', async () => {
      await allowed(create(dora, 'RoleBinding', 'an-editor', binding('BuiltIn', 'Editor')));
      await refused(403, () => create(dora, 'RoleBinding', 'higher', binding('BuiltIn', 'Admin')));
      await refused(403, () =>
        patch(dora, 'RoleBinding', 'an-editor', { roleRef: { kind: 'BuiltIn', name: 'Admin' } }),
      );
      await addRole(server(), 'teams', [{ action: 'teams:write', scope: 'teams:*' }]);
      await refused(403, () => create(dora, 'RoleBinding', 'higher', binding('Role', 'teams')));
      const own = { ...binding('BuiltIn', 'Admin'), subject: { kind: 'User', name: 'dora' } };
      await refused(403, () => create(dora, 'RoleBinding', 'own', own));
      await bind(server(), 'theirs', { subject: ['User', 'vera'], role: ['Role', 'teams'] });
      await refused(403, () => patch(dora, 'RoleBinding', 'theirs', { subject: { kind: 'User', name: 'dora' } }));
    });

    it('who administers a folder says who may use it', () =>
      allowed(create(dora, 'RoleBinding', 'in-the-box', binding('BuiltIn', 'Admin', { scope: { folder: 'box' } }))));

    it('others raise nobody above themselves, themselves neither', async () => {
      await allowed(patch(dora, 'OrganizationBinding', 'norm', { role: 'Viewer' }));
      await refused(403, () => patch(dora, 'OrganizationBinding', 'norm', { role: 'Admin' }));
      await refused(403, () => patch(dora, 'OrganizationBinding', 'dora', { role: 'Admin' }));
      await refused(403, () =>
        create(dora, 'OrganizationBinding', 'otto', { userRef: { name: 'otto' }, role: 'Admin' }),
      );
      const body = { role: 'Admin' };
      const user = { ...dora, extra: { 'svc.app/organization': ['default'] } };
      const id = (await server().call('GET', '/apis/iam.svc.app/v1beta1/users/dora')).json().metadata.labels;
      const path = `/api/org/users/${id?.['svc.app/deprecatedInternalID']}`;
      await refused(403, () => server().call('PATCH', path, { user, body }));
    });

    it('others make no service account that may do more than they', async () => {
      await allowed(create(dora, 'ServiceAccount', 'small', { title: 'small', role: 'Editor' }));
      await refused(403, () => create(dora, 'ServiceAccount', 'big', { title: 'big', role: 'Admin' }));
      await refused(403, () => patch(dora, 'ServiceAccount', 'small', { role: 'Admin' }));
    });

    it('others issue no token of a service account that may do more than they, by either door', async () => {
      const user = { ...dora, extra: { 'svc.app/organization': ['default'] } };
      const issue = async (name: string): Promise<readonly (() => Promise<Answer>)[]> => {
        const path = `${HERE}/serviceaccounts/${name}`;
        const id = (await server().call('GET', path)).json().metadata.labels?.['svc.app/deprecatedInternalID'];
        const body = { name: `of ${name} ${randomUUID()}` };
        return [
          () => server().call('POST', `${path}/token`, { user, body: { spec: {} } }),
          () => server().call('POST', `/api/serviceaccounts/${id}/tokens`, { user, body }),
        ];
      };
      await allowed(create(adam, 'ServiceAccount', 'chief', { title: 'chief', role: 'Admin' }));
      for (const tried of await issue('chief')) await refused(403, tried);
      await allowed(create(adam, 'ServiceAccount', 'clerk', { title: 'clerk', role: 'Editor' }));
      for (const tried of await issue('clerk')) await allowed(tried());
      await allowed(create(adam, 'ServiceAccount', 'porter', { title: 'porter', role: 'Viewer' }));
      for (const tried of await issue('porter')) await allowed(tried());
      await addRole(server(), 'carrying', [{ action: 'teams:write', scope: 'teams:*' }]);
      await bind(server(), 'porter', { subject: ['ServiceAccount', 'porter'], role: ['Role', 'carrying'] });
      for (const tried of await issue('porter')) await refused(403, tried);
    });

    it('hold for service accounts as for people', async () => {
      await bind(server(), 'robot', { subject: ['ServiceAccount', 'robot'], role: ['Role', 'personnel'] });
      await refused(403, () => create(account('robot'), 'Role', 'of-a-robot', role('folders:write', 'folders:*')));
      await allowed(create(account('robot'), 'Role', 'of-a-robot', role('folders:read', 'folders:uid:box')));
    });
  });
});
