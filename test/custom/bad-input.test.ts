import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { DEFINITIONS, type DefinitionOptions, define, definitionOf, SPEC, versionOf } from './definition.js';

oneStore('definitions that are meant to do harm', (server) => {
  const post = (options: DefinitionOptions) =>
    server().call('POST', DEFINITIONS, { body: definitionOf({ words: {}, ...options }) });

  it('cannot replace a kind that is built in, nor what shows it', async () => {
    const taken = await changingNothing(server(), () =>
      post({ plural: 'folders', kind: 'Folder', group: 'folder.svc.app' }),
    );
    expectStatus(taken, 409, 'AlreadyExists');
    const path = `${DEFINITIONS}/folders.folder.svc.app`;
    expectStatus(await changingNothing(server(), () => server().call('DELETE', path)), 403, 'Forbidden', 'built in');
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { spec: { names: { shortNames: ['mine'] } } };
    const patched = await changingNothing(server(), () => server().call('PATCH', path, { headers, body }));
    expectStatus(patched, 422, 'Invalid', 'built in');
  });

  it('do not get the names of kinds that are built in', async () => {
    const reserved = await post({ plural: 'others', kind: 'Folder', group: 'folder.svc.app' });
    expectStatus(reserved, 422, 'Invalid', 'groups that end with svc.app are those of this server');
    expect((await server().call('GET', '/apis/folder.svc.app/v1/namespaces/default/others')).status).to.equal(404);
    for (const [plural, group] of [
      ['tokens', 'internal.svc.app'],
      ['sessions', 'internal.svc.app'],
      ['retainedversions', 'internal.svc.app'],
    ] as const) {
      const answer = await changingNothing(server(), () => post({ plural, kind: `X${plural}`, group }));
      expectStatus(answer, 422, 'Invalid', 'a kind with this name is built in');
    }
  });

  it('in groups of Kubernetes need its approval, and the core group has none', async () => {
    expectStatus(await post({ plural: 'leases', kind: 'Lease', group: 'coordination.k8s.io' }), 422, 'Invalid');
    expectStatus(await post({ plural: 'namespaces', kind: 'Namespace', group: '' }), 422, 'Invalid');
  });

  it('have labels that say what they may', async () => {
    for (const [word, value] of [
      ['history', '0'],
      ['history', '1001'],
      ['trash', 'false'],
      ['containment', 'teams'],
      ['viewer', 'write'],
      ['editor', 'all'],
    ] as const) {
      const answer = await changingNothing(server(), () => post({ words: { [word]: value } }));
      expectStatus(answer, 422, 'Invalid', `metadata.labels[svc.app/${word}]`);
    }
    const cluster = await post({ words: { containment: 'folders' }, scope: 'Cluster' });
    expectStatus(cluster, 422, 'Invalid', 'only objects in namespaces');
  });

  for (const word of ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    it(`can have a property ${word}, which is one like others`, async () => {
      const plural = `p${word.toLowerCase().replace(/\W|_/g, '')}`;
      const properties = { ...(SPEC['properties'] as object), [word]: { type: 'string' } };
      const versions = [versionOf('v1', { ...SPEC, properties })];
      const { objects, object } = await define(server, { plural, kind: `K${plural}`, words: {}, versions });
      const without = bodyOf(await objects.create(object('without', { title: 'x' })), 201);
      expect(Object.keys(without.spec as object)).to.deep.equal(['title']);
      const with_ = bodyOf(await objects.create(object('with', { title: 'x', [word]: 'y' })), 201);
      expect(Object.entries(with_.spec as object)).to.deep.include([word, 'y']);
      expectStatus(await objects.create(object('wrong', { title: 'x', [word]: {} })), 422, 'Invalid', `spec.${word}`);
      bodyOf(await server().call('GET', '/openapi/v3/apis/example.com/v1'), 200);
    });
  }

  it('cannot have a property __proto__', async () => {
    const text = JSON.stringify(definitionOf({ words: {} })).replace('"note"', '"__proto__"');
    const answer = await changingNothing(server(), () => server().call('POST', DEFINITIONS, { body: text }));
    expectStatus(answer, 400, 'BadRequest', '__proto__');
  });

  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
  const wide = (count: number, description = ''): object => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`field${i}`, { type: 'string', maxLength: 10, description }]),
    ),
  });
  const cases: readonly (readonly [string, object, readonly number[]])[] = [
    ['44 levels', deep(44), [201]],
    ['1,000 levels', deep(1000), [201, 400, 422]],
    ['10,000 properties', wide(10_000), [201]],
    ['2 MB', wide(1000, 'x'.repeat(2000)), [201]],
    ['more than 3 MiB', wide(1000, 'x'.repeat(3300)), [201, 413]],
  ];
  for (const [i, [what, spec, allowed]] of cases.entries()) {
    it(`of ${what} are answered, and others meanwhile`, async function large() {
      this.timeout(60_000);
      const versions = [versionOf('v1', spec as never, { selectableFields: [] })];
      const options = { plural: `larges${i}`, kind: `Large${i}`, group: `l${i}.example.com`, words: {}, versions };
      const answer = await post({ ...options, versions: versions.map((one) => ({ ...one, subresources: {} })) });
      expect(answer.status, answer.text.slice(0, 500)).to.be.oneOf(allowed);
      bodyOf(await server().call('GET', '/apis/folder.svc.app/v1beta1/namespaces/default/folders'), 200);
      if (answer.status !== 201) return;
      bodyOf(await server().call('GET', `/openapi/v3/apis/l${i}.example.com/v1`), 200);
      bodyOf(await server().call('GET', `/apis/l${i}.example.com/v1/namespaces/default/larges${i}`), 200);
    });
  }
});
