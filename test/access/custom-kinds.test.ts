import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { addMember, addPeople, addRole, addUser, bind, person } from './people.js';

const NAME = 'disk-sizes.my-team.example.com';
const OBJECTS = '/apis/my-team.example.com/v1/namespaces/default/disk-sizes';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: 'my-team.example.com',
    scope: 'Namespaced',
    names: { plural: 'disk-sizes', singular: 'disk-size', kind: 'DiskSize' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

oneStore('roles and custom kinds', (server) => {
  before(async () => {
    await addPeople(server());
    await addUser(server(), 'dora');
    await addMember(server(), 'dora', 'None');
    const made = await server().call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: definition,
    });
    expect(made.status, made.text).to.equal(201);
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
});
