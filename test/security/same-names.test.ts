import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import {
  account,
  addDashboard,
  addFolder,
  addPeople,
  addPerson,
  bind,
  DASHBOARDS,
  FOLDERS,
  person,
} from '../access/people.js';
import { writesOf } from '../access/writes.js';
import { DEFINITIONS } from '../custom/definition.js';
import { oneStore } from '../harness/stores.js';

const IAM = '/apis/iam.svc.app/v1beta1';
const HERE = `${IAM}/namespaces/default`;
const PRIVATE = { 'svc.app/basic-roles': 'none' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('Two things with one name', (server) => {
  const vera = person('vera');
  const get = async (path: string, user: UserInfo) => (await server().call('GET', path, { user })).status;
  const post = async (path: string, body: unknown, user?: UserInfo) => {
    const answer = await server().call('POST', path, { body, ...(user && { user }) });
    expect(answer.status, answer.text).to.equal(201);
  };
  const makePrivate = async (path: string) => {
    const answer = await server().call('PATCH', path, { headers: MERGE, body: { metadata: { annotations: PRIVATE } } });
    expect(answer.status, answer.text).to.equal(200);
  };
  const iam = (kind: string, name: string, spec: object) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind,
    metadata: { name },
    spec,
  });

  before(() => addPeople(server()));

  // Promise: security rights
  it('a folder and a dashboard: neither is private, or open to somebody, because the other is', async () => {
    for (const name of ['one', 'two']) {
      await addFolder(server(), name);
      await addDashboard(server(), name);
      await addDashboard(server(), `in-${name}`, name);
    }
    await makePrivate(`${DASHBOARDS}/one`);
    await makePrivate(`${FOLDERS}/two`);
    const seen = [`${FOLDERS}/one`, `${DASHBOARDS}/in-one`, `${DASHBOARDS}/two`];
    const hidden = [`${DASHBOARDS}/one`, `${FOLDERS}/two`, `${DASHBOARDS}/in-two`];
    for (const path of seen) expect(await get(path, vera), path).to.equal(200);
    for (const path of hidden) expect(await get(path, vera), path).to.equal(403);
    await bind(server(), 'on-two', { subject: ['User', 'norm'], role: ['BuiltIn', 'Admin'], dashboard: 'two' });
    expect(await get(`${DASHBOARDS}/two`, person('norm'))).to.equal(200);
    for (const path of hidden) expect(await get(path, person('norm')), path).to.equal(403);
  });

  // Promise: security rights
  it('a user and a service account: the account has neither the permissions nor the own objects of the user', async () => {
    await post(`${HERE}/serviceaccounts`, iam('ServiceAccount', 'edith', { title: 'edith', role: 'None' }));
    await addFolder(server(), 'of-user');
    await bind(server(), 'of-user', { subject: ['User', 'edith'], role: ['BuiltIn', 'Admin'], folder: 'of-user' });
    const preferences = '/apis/preferences.svc.app/v1beta1/namespaces/default/preferences';
    const meta = { apiVersion: 'preferences.svc.app/v1beta1', kind: 'Preferences' };
    await post(preferences, { ...meta, metadata: { name: 'user-edith' }, spec: {} }, person('edith'));
    const own = [`${IAM}/users/edith`, `${preferences}/user-edith`, `${HERE}/organizationbindings/edith`];
    for (const path of [...own, `${FOLDERS}/of-user`]) {
      expect(await get(path, person('edith')), path).to.equal(200);
      expect(await get(path, account('edith')), path).to.equal(403);
    }
  });

  // Promise: security rights
  it('service accounts of two organizations: each has its own permissions only', async () => {
    await post(`${IAM}/organizations`, iam('Organization', 'else', { title: 'Else' }));
    for (const namespace of ['default', 'else'])
      await post(
        `${IAM}/namespaces/${namespace}/serviceaccounts`,
        iam('ServiceAccount', 'twin', { title: 'twin', role: 'None' }),
      );
    await addFolder(server(), 'of-twin');
    await bind(server(), 'of-twin', {
      subject: ['ServiceAccount', 'twin'],
      role: ['BuiltIn', 'View'],
      folder: 'of-twin',
    });
    expect(await get(`${FOLDERS}/of-twin`, account('twin'))).to.equal(200);
    const other = { ...account('twin'), name: 'system:serviceaccount:else:twin' };
    expect(await get(`${FOLDERS}/of-twin`, other)).to.equal(403);
  });

  // Promise: security rights
  it('a kind of namespaces that becomes one of the cluster: roles of organizations do not reach its objects', async () => {
    const group = 'sky.example.com';
    const permissions = ['read', 'write', 'create', 'delete'].map((verb) => ({
      action: `moons.${group}:${verb}`,
      scope: `moons.${group}:*`,
    }));
    const { create } = writesOf(server);
    expect((await create(person('adam'), 'Role', 'moons', { permissions })).status).to.equal(201);
    await addPerson(server(), 'luna', 'Viewer');
    await bind(server(), 'moons', { subject: ['User', 'luna'], role: ['Role', 'moons'] });
    await post(DEFINITIONS, definition(group));
    const moon = { apiVersion: `${group}/v1`, kind: 'Moon', metadata: { name: 'io' } };
    await post(`/apis/${group}/v1/moons`, moon);
    for (const user of [person('luna'), person('adam'), vera]) {
      expect(await get(`/apis/${group}/v1/moons/io`, user)).to.equal(403);
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['POST', '', { ...moon, metadata: { name: 'ganymede' } }],
        ['DELETE', '/io', undefined],
      ] as const)
        expect((await server().call(method, `/apis/${group}/v1/moons${path}`, { user, body })).status).to.equal(403);
    }
  });
});

/** The definition of a kind of the cluster. In a namespace, basic roles would have permissions on it. */
const definition = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `moons.${group}`, labels: { 'svc.app/viewer': 'read', 'svc.app/editor': 'write' } },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'moons', kind: 'Moon' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});
