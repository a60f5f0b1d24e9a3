import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { oneStore } from '../harness/stores.js';
import { account, addFolder, addPeople, addPerson, addRole, addTeam, bind, HERE, person } from './people.js';
import { writesOf } from './writes.js';

const SERVER_WIDE = ['*', 'users:read', 'users:*', 'orgs:create', 'server.stats:read', 'settings:write'];

oneStore('privilege escalation', (server) => {
  const { create, patch, refused, allowed } = writesOf(server);
  const invalid = (tried: () => Promise<Answer>): Promise<Answer> => refused(tried, 422);

  const role = (action: string, scope = '') => ({ permissions: [{ action, scope }] });
  const binding = (roleKind: string, name: string, more: object = {}) => ({
    subject: { kind: 'User', name: 'norm' },
    roleRef: { kind: roleKind, name },
    ...more,
  });

  const adam = person('adam');
  /** An editor who may also write roles, bindings, memberships and service accounts. */
  const dora = person('dora');

  before(async () => {
    await addPeople(server());
    await addFolder(server(), 'box');
    await addPerson(server(), 'dora', 'Editor');
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

  describe('to actions on the whole server', () => {
    for (const action of SERVER_WIDE) {
      // Promise: security rights
      it(`administrators of an organization cannot add ${action} to a role, nor grant a role with it`, async () => {
        const name = `wide-${SERVER_WIDE.indexOf(action)}`;
        const { json } = await invalid(() => create(adam, 'Role', name, role(action)));
        expect(json().details.causes?.[0]).to.include({ field: 'spec.permissions[0].action' });
        await addRole(server(), name, [{ action, scope: '' }]);
        const given = await invalid(() => create(adam, 'RoleBinding', name, binding('Role', name)));
        expect(given.json().details.causes?.[0]).to.include({ field: 'spec.roleRef.name' });
        await invalid(() => create(adam, 'RoleBinding', name, binding('Role', name, { scope: { folder: 'box' } })));
        await refused(() => create(dora, 'Role', `${name}-too`, role(action)));
        await refused(() => create(dora, 'RoleBinding', name, binding('Role', name)));
      });
    }

    it('is refused in updates too; a role that already has such an action can still be changed', async () => {
      await allowed(create(adam, 'Role', 'narrow', role('folders:read', 'folders:*')));
      await invalid(() => patch(adam, 'Role', 'narrow', role('users:read', 'users:*')));
      await allowed(create(adam, 'RoleBinding', 'narrow', binding('Role', 'narrow')));
      await addRole(server(), 'mixed', [{ action: 'users:read', scope: 'users:*' }]);
      await invalid(() => patch(adam, 'RoleBinding', 'narrow', { roleRef: { kind: 'Role', name: 'mixed' } }));
      await allowed(patch(adam, 'Role', 'mixed', { title: 'Mixed' }));
      await invalid(() => patch(adam, 'Role', 'mixed', role('users:read', 'users:uid:vera')));
    });

    for (const action of ['server.metrics:read', 'settings:write', 'customresourcedefinitions:write']) {
      it(`administrators of an organization cannot give ${action} through what has it already`, async () => {
        const name = `held-${action.split(':')[0]?.replace('.', '-')}`;
        await addRole(server(), name, [{ action, scope: '' }]);
        await addTeam(server(), name);
        await allowed(create(adam, 'ServiceAccount', name, { title: name, role: 'Viewer' }));
        const join = (user: string) => () =>
          create(adam, 'TeamBinding', `${name}.${user}`, {
            teamRef: { name },
            userRef: { name: user },
            permission: 'member',
          });
        await allowed(join('vera')());
        await bind(server(), `${name}-team`, { subject: ['Team', name], role: ['Role', name] });
        await bind(server(), `${name}-account`, { subject: ['ServiceAccount', name], role: ['Role', name] });
        await refused(join('adam'));
        await refused(() => patch(adam, 'Team', name, { groups: ['everybody'] }));
        const token = `${HERE}/serviceaccounts/${name}/token`;
        await refused(() => server().call('POST', token, { user: adam, body: { spec: {} } }));
        await allowed(server().call('POST', token, { body: { spec: {} } }));
      });
    }

    it('does not cover the preferences of the organization, which belong to the organization', () =>
      allowed(create(adam, 'Role', 'preferences', role('orgs.preferences:write'))));
  });

  describe('within the organization', () => {
    it('administrators of the organization may grant every permission in it', async () => {
      await allowed(create(adam, 'Role', 'all-folders', role('folders:*')));
      await allowed(create(adam, 'RoleBinding', 'all-folders', binding('Role', 'all-folders')));
      await allowed(create(adam, 'RoleBinding', 'an-admin', binding('BuiltIn', 'Admin')));
    });

    it('others may add only permissions that they have to a role, on scopes that they have', async () => {
      await allowed(create(dora, 'Role', 'hers', role('folders:write', 'folders:uid:box')));
      await allowed(create(dora, 'Role', 'hers-too', role('folders.permissions:write', 'folders:uid:box')));
      const { json } = await refused(() => create(dora, 'Role', 'teams', role('teams:write', 'teams:*')));
      expect(json().message).to.contain('cannot give permissions that they do not have: teams:write on teams:*');
      expect(json().details.causes).to.deep.equal([{ reason: 'MissingPermission', message: 'teams:write' }]);
      for (const [action, scope] of [
        ['folders.permissions:write', 'folders:*'],
        ['folders:*', 'folders:*'],
        ['folders:read', ''],
        ['folders:read', '*'],
      ] as const) {
        await refused(() => create(dora, 'Role', 'wider', role(action, scope)));
      }
      await refused(() => patch(dora, 'Role', 'personnel', role('teams:write', 'teams:*')));
      await allowed(patch(dora, 'Role', 'personnel', { title: 'Personnel' }));
    });

    it('others cannot grant a role with permissions that they lack', async () => {
      await allowed(create(dora, 'RoleBinding', 'an-editor', binding('BuiltIn', 'Editor')));
      await refused(() => create(dora, 'RoleBinding', 'higher', binding('BuiltIn', 'Admin')));
      await refused(() => patch(dora, 'RoleBinding', 'an-editor', { roleRef: { kind: 'BuiltIn', name: 'Admin' } }));
      await addRole(server(), 'teams', [{ action: 'teams:write', scope: 'teams:*' }]);
      await refused(() => create(dora, 'RoleBinding', 'higher', binding('Role', 'teams')));
      const own = { ...binding('BuiltIn', 'Admin'), subject: { kind: 'User', name: 'dora' } };
      await refused(() => create(dora, 'RoleBinding', 'own', own));
      await bind(server(), 'theirs', { subject: ['User', 'vera'], role: ['Role', 'teams'] });
      await refused(() => patch(dora, 'RoleBinding', 'theirs', { subject: { kind: 'User', name: 'dora' } }));
    });

    it('administrators of a folder may grant any permission on it', () =>
      allowed(create(dora, 'RoleBinding', 'in-the-box', binding('BuiltIn', 'Admin', { scope: { folder: 'box' } }))));

    it('others cannot raise a member, or themselves, above their own role', async () => {
      await allowed(patch(dora, 'OrganizationBinding', 'norm', { role: 'Viewer' }));
      await refused(() => patch(dora, 'OrganizationBinding', 'norm', { role: 'Admin' }));
      await refused(() => patch(dora, 'OrganizationBinding', 'dora', { role: 'Admin' }));
      await refused(() => create(dora, 'OrganizationBinding', 'otto', { userRef: { name: 'otto' }, role: 'Admin' }));
      const body = { role: 'Admin' };
      const user = { ...dora, extra: { 'svc.app/organization': ['default'] } };
      const id = (await server().call('GET', '/apis/iam.svc.app/v1beta1/users/dora')).json().metadata.labels;
      const path = `/api/org/users/${id?.['svc.app/deprecatedInternalID']}`;
      await refused(() => server().call('PATCH', path, { user, body }));
    });

    it('others cannot create or change a service account so that it may do more than they may', async () => {
      await allowed(create(dora, 'ServiceAccount', 'small', { title: 'small', role: 'Editor' }));
      await refused(() => create(dora, 'ServiceAccount', 'big', { title: 'big', role: 'Admin' }));
      await refused(() => patch(dora, 'ServiceAccount', 'small', { role: 'Admin' }));
    });

    // Promise: security rights
    it('others cannot issue a token of a service account that may do more than they may, through either API', async () => {
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
      for (const tried of await issue('chief')) await refused(tried);
      await allowed(create(adam, 'ServiceAccount', 'clerk', { title: 'clerk', role: 'Editor' }));
      for (const tried of await issue('clerk')) await allowed(tried());
      await allowed(create(adam, 'ServiceAccount', 'porter', { title: 'porter', role: 'Viewer' }));
      for (const tried of await issue('porter')) await allowed(tried());
      await addRole(server(), 'carrying', [{ action: 'teams:write', scope: 'teams:*' }]);
      await bind(server(), 'porter', { subject: ['ServiceAccount', 'porter'], role: ['Role', 'carrying'] });
      for (const tried of await issue('porter')) await refused(tried);
    });

    it('is checked for service accounts as for users', async () => {
      await bind(server(), 'robot', { subject: ['ServiceAccount', 'robot'], role: ['Role', 'personnel'] });
      await refused(() => create(account('robot'), 'Role', 'of-a-robot', role('folders:write', 'folders:*')));
      await allowed(create(account('robot'), 'Role', 'of-a-robot', role('folders:read', 'folders:uid:box')));
    });
  });
});
