import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { foldersOf } from './folders.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'backups.example.com';
const OBJECTS = '/apis/example.com/v1/namespaces/default/backups';
const MERGE = { 'content-type': 'application/merge-patch+json' };

const SPEC = {
  type: 'object',
  required: ['every'],
  properties: {
    every: { type: 'string', pattern: '^[0-9]+h$' },
    copies: { type: 'integer', default: 1, minimum: 0 },
    place: { type: 'string' },
  },
  'x-kubernetes-validations': [{ rule: 'self.copies <= 10', message: 'too many copies' }],
};

/** A definition of Backup whose spec has these members beside those above. */
function definition(properties: object = {}, more: object = {}): object {
  const spec = { ...SPEC, properties: { ...SPEC.properties, ...properties } };
  const status = { type: 'object', properties: { copies: { type: 'integer' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  const version = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} }, ...more };
  const names = { plural: 'backups', kind: 'Backup', shortNames: ['bk'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
  };
}

const backup = (name: string, spec: object = { every: '4h' }): object => {
  return { apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name }, spec };
};

eachStore('custom kinds', (server) => {
  const send = (method: string, path: string, body?: object, headers = {}) =>
    server().call(method, path, { ...(body && { body }), headers });
  const define = async (properties = {}, more = {}): Promise<void> => {
    const answer = await send('POST', DEFINITIONS, definition(properties, more));
    expect(answer.status, answer.text).to.equal(201);
  };
  const object = async (name: string): Promise<KubeObject> =>
    (await send('GET', `${OBJECTS}/${name}`)).json() as unknown as KubeObject;
  const until = async (check: () => Promise<boolean>): Promise<void> => {
    while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const isGone = async (): Promise<boolean> => (await send('GET', `${DEFINITIONS}/${NAME}`)).status === 404;

  afterEach(async () => {
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    await until(isGone);
  });

  it('are served as soon as their definition is written, and gone when it is', async () => {
    expect((await send('GET', OBJECTS)).status).to.equal(404);
    await define();
    expect((await send('POST', OBJECTS, backup('first'))).status).to.equal(201);
    expect((await object('first')).spec).to.deep.equal({ every: '4h', copies: 1 });
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    await until(isGone);
    expect((await send('GET', OBJECTS)).status).to.equal(404);
    await define();
    const { items } = (await send('GET', OBJECTS)).json() as unknown as { readonly items: readonly unknown[] };
    expect(items).to.deep.equal([]);
  });

  it('are in discovery and OpenAPI, and are gone from there', async () => {
    await define();
    expect((await send('GET', '/apis')).text).to.contain('example.com');
    expect((await send('GET', '/apis/example.com/v1')).text).to.contain('"shortNames":["bk"]');
    expect((await send('GET', '/openapi/v3/apis/example.com/v1')).text).to.contain('"every"');
    expect((await send('GET', '/openapi/v2')).text).to.contain('com.example.v1.Backup');
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    await until(isGone);
    expect((await send('GET', '/apis')).text).to.not.contain('example.com');
    expect((await send('GET', '/openapi/v3/apis/example.com/v1')).status).to.equal(404);
  });

  it('have values, rules and fields that their definition allows', async () => {
    await define();
    const wrong = await send('POST', OBJECTS, backup('wrong', { every: 'often', copies: -1 }));
    expectStatus(wrong, 422, 'Invalid', "spec.every in body should match '^[0-9]+h$'");
    expectStatus(
      await send('POST', OBJECTS, backup('many', { every: '1h', copies: 11 })),
      422,
      'Invalid',
      'too many copies',
    );
    const unknown = backup('unknown', { every: '1h', colour: 'red' });
    const strict = await send('POST', `${OBJECTS}?fieldValidation=Strict`, unknown);
    expectStatus(strict, 400, 'BadRequest', 'unknown field "spec.colour"');
    expect((await send('POST', OBJECTS, unknown)).status).to.equal(201);
    expect((await object('unknown')).spec).to.deep.equal({ every: '1h', copies: 1 });
  });

  it('have a status of its own path and a generation that the status does not change', async () => {
    await define();
    await send('POST', OBJECTS, { ...backup('one'), status: { copies: 5 } });
    expect((await object('one')).status).to.equal(undefined);
    await send('PATCH', `${OBJECTS}/one/status`, { status: { copies: 2 }, spec: { copies: 9 } }, MERGE);
    const { metadata, spec, status } = await object('one');
    expect([metadata.generation, spec, status]).to.deep.equal([1, { every: '4h', copies: 1 }, { copies: 2 }]);
    await send('PATCH', `${OBJECTS}/one`, { spec: { copies: 3 } }, MERGE);
    expect((await object('one')).metadata.generation).to.equal(2);
  });

  it('are checked by the definition of the moment of their commit', async () => {
    await define();
    await send('POST', OBJECTS, backup('one'));
    const writes = Array.from({ length: 20 }, (_, i) =>
      send('PATCH', `${OBJECTS}/one`, { spec: { place: `p${i}` } }, MERGE),
    );
    const change = send(
      'PATCH',
      `${DEFINITIONS}/${NAME}`,
      { spec: (definition({ place: { type: 'integer' } }) as KubeObject).spec },
      MERGE,
    );
    const after = await change.then(() => send('PATCH', `${OBJECTS}/one`, { spec: { place: 'x' } }, MERGE));
    expect((await Promise.all(writes)).every(({ status }) => status === 200 || status === 422)).to.equal(true);
    expectStatus(after, 422, 'Invalid', 'spec.place');
  });

  it('are found by a field that became selectable after they were stored', async () => {
    await define();
    await send('POST', OBJECTS, backup('one', { every: '1h', place: 'cellar' }));
    expect((await send('GET', `${OBJECTS}?fieldSelector=spec.place%3Dcellar`)).status).to.equal(400);
    const { spec } = definition({}, { selectableFields: [{ jsonPath: '.spec.place' }] }) as KubeObject;
    expect((await send('PATCH', `${DEFINITIONS}/${NAME}`, { spec }, MERGE)).status).to.equal(200);
    await send('POST', OBJECTS, backup('two', { every: '1h', place: 'attic' }));
    const names = async (place: string): Promise<readonly string[]> => {
      const answer = await send('GET', `${OBJECTS}?fieldSelector=spec.place%3D${place}`);
      const { items } = answer.json() as unknown as { readonly items: readonly KubeObject[] };
      return items.map(({ metadata }) => metadata.name);
    };
    expect([await names('cellar'), await names('attic'), await names('hall')]).to.deep.equal([['one'], ['two'], []]);
  });

  it('are not made while their definition goes, and those that are there stay until their finalizers are gone', async () => {
    await define();
    const held = { ...(backup('held') as KubeObject), metadata: { name: 'held', finalizers: ['example.com/held'] } };
    expect((await send('POST', OBJECTS, held)).status).to.equal(201);
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    expectStatus(await send('POST', OBJECTS, backup('late')), 403, 'Forbidden', 'definition is terminating');
    expect((await send('GET', `${OBJECTS}/held`)).status).to.equal(200);
    await send('PATCH', `${OBJECTS}/held`, { metadata: { finalizers: null } }, MERGE);
    await until(isGone);
  });

  it('come, change and go without the end of the watches of other kinds', async () => {
    const folders = foldersOf(server);
    const { metadata } = await folders.make(freshName());
    const frames = await folders.watch({ resourceVersion: metadata.resourceVersion ?? '' });
    await define();
    await send('PATCH', `${DEFINITIONS}/${NAME}`, { spec: (definition({ more: {} }) as KubeObject).spec }, MERGE);
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    await until(isGone);
    const later = await folders.make(freshName());
    expect(await frames.next()).to.deep.equal({ type: 'ADDED', object: later });
    await frames.close();
  });

  it('cannot be defined in the groups of the server, nor with the names of others', async () => {
    const own = definition() as { spec: object; metadata: object };
    const reserved = {
      ...own,
      metadata: { name: 'backups.folder.svc.app' },
      spec: { ...own.spec, group: 'folder.svc.app' },
    };
    expectStatus(await send('POST', DEFINITIONS, reserved), 422, 'Invalid', 'groups that end with svc.app');
    await define();
    const names = { plural: 'others', kind: 'Backup' };
    const other = { ...own, metadata: { name: 'others.example.com' }, spec: { ...own.spec, names } };
    const answer = await send('POST', DEFINITIONS, other);
    expect(answer.text).to.contain('KindConflict');
    expect((await send('GET', '/apis/example.com/v1/namespaces/default/others')).status).to.equal(404);
    await send('DELETE', `${DEFINITIONS}/${NAME}`);
    await until(async () => (await send('GET', '/apis/example.com/v1/namespaces/default/others')).status === 200);
    await send('DELETE', `${DEFINITIONS}/others.example.com`);
    await until(async () => (await send('GET', `${DEFINITIONS}/others.example.com`)).status === 404);
  });
});
