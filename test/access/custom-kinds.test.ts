import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { addPeople, addPerson, addRole, bind, person } from './people.js';
import { writesOf } from './writes.js';

const NAME = 'disk-sizes.my-team.example.com';
const OBJECTS = '/apis/my-team.example.com/v1/namespaces/default/disk-sizes';

const definition = (group: string, plural: string, kind: string, scope = 'Namespaced'): unknown => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { plural, kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

oneStore('roles and custom kinds', (server) => {
  before(async () => {
    await addPeople(server());
    await addPerson(server(), 'dora', 'None');
    for (const body of [
      definition('my-team.example.com', 'disk-sizes', 'DiskSize'),
      definition('shop.example.com', 'users', 'Buyer'),
      definition('shop.example.com', 'server', 'Waiter'),
      definition('cluster.example.com', 'server', 'Rack', 'Cluster'),
    ]) {
      const made = await server().call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
      expect(made.status, made.text).to.equal(201);
    }
  });

  it('a role allows actions on a kind whose names have hyphens', async () => {
    const user = person('dora');
    const body = { apiVersion: 'my-team.example.com/v1', kind: 'DiskSize', metadata: { name: 'small' } };
    expect((await server().call('POST', OBJECTS, { user, body })).status).to.equal(403);
    await addRole(server(), 'sizes', [
      { action: `${NAME}:read`, scope: `${NAME}:*` },
      { action: `${NAME}:create`, scope: `${NAME}:*` },
      { action: `${NAME}:write`, scope: `${NAME}:uid:small` },
    ]);
    await bind(server(), 'sizes', { subject: ['User', 'dora'], role: ['Role', 'sizes'] });
    expect((await server().call('POST', OBJECTS, { user, body })).status).to.equal(201);
    expect((await server().call('PUT', `${OBJECTS}/small`, { user, body })).status).to.equal(200);
    expect((await server().call('DELETE', `${OBJECTS}/small`, { user })).status).to.equal(403);
  });

  it('an administrator of an organization gives actions on a kind that has the plural of a kind of the server', async () => {
    const permissions = [{ action: 'users.shop.example.com:read', scope: 'users.shop.example.com:*' }];
    const made = await writesOf(server).create(person('adam'), 'Role', 'buyers', { permissions });
    expect(made.status, made.text).to.equal(201);
    await bind(server(), 'buyers', { subject: ['User', 'norm'], role: ['Role', 'buyers'] });
    const path = '/apis/shop.example.com/v1/namespaces/default/users';
    expect((await server().call('GET', path, { user: person('norm') })).status).to.equal(200);
    expect((await server().call('GET', path, { user: person('dora') })).status).to.equal(403);
    const users = await server().call('GET', '/apis/iam.svc.app/v1beta1/users/adam', { user: person('norm') });
    expect(users.status).to.equal(403);
  });

  // Promise: security rights
  it('actions on a kind with the plural server are no actions on the server', async () => {
    const permissions = ['shop', 'cluster'].map((one) => ({
      action: `server.${one}.example.com:read`,
      scope: `server.${one}.example.com:*`,
    }));
    const made = await writesOf(server).create(person('adam'), 'Role', 'waiters', { permissions });
    expect(made.status, made.text).to.equal(201);
    await bind(server(), 'waiters', { subject: ['User', 'norm'], role: ['Role', 'waiters'] });
    const status = async (path: string) => (await server().call('GET', path, { user: person('norm') })).status;
    expect(await status('/apis/shop.example.com/v1/namespaces/default/server')).to.equal(200);
    expect(await status('/apis/cluster.example.com/v1/server'), 'of the cluster').to.equal(403);
  });
});
