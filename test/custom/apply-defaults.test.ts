import { expect } from 'chai';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { applyAt, managersOf } from '../resource-api/apply.js';
import { define, versionOf } from './definition.js';

const text = { type: 'string' };
const route = (more: object = {}) => ({
  type: 'object',
  properties: { name: text, group: { ...text, default: 'core' }, ...more },
});
const SPEC = {
  type: 'object',
  properties: {
    // Without a list type, the list is managed as a whole.
    parents: { type: 'array', items: route() },
    mode: { ...text, default: 'fast' },
    size: { type: 'integer' },
    rules: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { required: ['name'], ...route({ parents: { type: 'array', items: route() } }) },
    },
    none: { ...text, nullable: true },
  },
};

oneStore('two managers that apply the same file', (server) => {
  const path = '/apis/example.com/v1/namespaces/default/routes';
  const apply = applyAt(server, path);
  const file = (name: string, spec: object, type = { apiVersion: 'example.com/v1', kind: 'Route' }) => ({
    ...type,
    metadata: { name },
    spec,
  });
  const SAME = {
    parents: [{ name: 'a' }, { name: 'b', group: null }],
    mode: null,
    none: null,
    rules: [{ name: 'r', parents: [{ name: 'x' }] }],
  };
  before(() =>
    define(server, { plural: 'routes', kind: 'Route', versions: [versionOf('v1', SPEC, { selectableFields: [] })] }),
  );
  const versionNow = async (name: string) =>
    bodyOf(await server().call('GET', `${path}/${name}`), 200).metadata.resourceVersion;

  // Promise: contract 5.1
  it('get no conflict for defaults and nulls, and own the fields together', async () => {
    const object = file('both', SAME);
    bodyOf(await apply('both', object), 201);
    const shared = bodyOf(await apply('both', object, { manager: 'two' }), 200);
    expect(shared.spec).to.deep.include({
      mode: 'fast',
      none: null,
      parents: [
        { name: 'a', group: 'core' },
        { name: 'b', group: 'core' },
      ],
    });
    const managers = managersOf(shared);
    expect(managers['one Apply']).to.deep.equal(managers['two Apply']);
    const version = await versionNow('both');
    for (const manager of ['one', 'two', 'one']) {
      for (const query of [{}, { force: true }]) bodyOf(await apply('both', object, { manager, query }), 200);
      expect(await versionNow('both'), 'nothing is written').to.equal(version);
    }
  });

  it('get a conflict for each value that would be another one, also by a null or a default', async () => {
    const name = 'other';
    bodyOf(await apply(name, file(name, { parents: [{ name: 'a', group: 'x' }], mode: 'slow', size: 3 })), 201);
    const refused = async (spec: object, ...fields: readonly string[]): Promise<void> => {
      const { details } = expectStatus(await apply(name, file(name, spec), { manager: 'two' }), 409, 'Conflict');
      expect(details.causes?.map(({ field }) => field)).to.deep.equal(fields);
    };
    await refused({ parents: [{ name: 'a' }] }, '.spec.parents');
    await refused({ mode: null }, '.spec.mode');
    await refused({ size: null, mode: 'slow' }, '.spec.size');
    await refused({ size: 'x' }, '.spec.size');
    const forced = bodyOf(
      await apply(name, file(name, { mode: null }), { manager: 'two', query: { force: true } }),
      200,
    );
    expect(forced.spec).to.deep.include({ mode: 'fast', size: 3 });
  });

  it('get none for compiled kinds either', async () => {
    const at = applyAt(server, '/api/v1/namespaces/default/configmaps');
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'map', labels: { a: null } },
      data: { a: null, b: 'x' },
      immutable: null,
    };
    bodyOf(await at('map', map), 201);
    bodyOf(await at('map', map, { manager: 'two' }), 200);
    expectStatus(await at('map', { ...map, data: { b: null } }, { manager: 'two' }), 409, 'Conflict', '.data.b');
    const roles = applyAt(server, '/apis/iam.svc.app/v1beta1/namespaces/default/teams');
    const team = {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'Team',
      metadata: { name: 't' },
      spec: { title: 'T', email: null },
    };
    bodyOf(await roles('t', team), 201);
    bodyOf(await roles('t', team, { manager: 'two' }), 200);
  });
});
