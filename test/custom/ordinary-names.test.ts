import { expect } from 'chai';
import { bodyOf, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { type Defined, define, versionOf } from './definition.js';

/** What JavaScript's objects inherit. For a client, these are names as others. */
const NAMES = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf'];

oneStore('labels, annotations and fields called as members that objects inherit', (server) => {
  const text = { type: 'string' };
  let defined: Defined;

  before(async () => {
    const rules = NAMES.map((name) => ({
      rule: `!has(self.${name}) || self.${name} != 'bad'`,
      message: `bad ${name}`,
    }));
    const spec = {
      type: 'object',
      properties: {
        ...Object.fromEntries(NAMES.map((name) => [name, text])),
        map: { type: 'object', additionalProperties: text },
      },
      'x-kubernetes-validations': rules,
    };
    const columns = NAMES.map((name) => ({ name, type: 'string', jsonPath: `.spec.${name}` }));
    const version = versionOf('v1', spec, {
      additionalPrinterColumns: columns,
      selectableFields: NAMES.map((name) => ({ jsonPath: `.spec.${name}` })),
      subresources: {},
    });
    defined = await define(server, { plural: 'ordinaries', kind: 'Ordinary', words: {}, versions: [version] });
  });

  const all = (value: string): Record<string, string> => Object.fromEntries(NAMES.map((name) => [name, value]));
  const specOf = (value: string) => ({ ...all(value), map: all(value) });
  const partsOf = (body: object): unknown => {
    const { metadata, spec } = body as { metadata: Record<string, unknown>; spec: unknown };
    return { labels: metadata['labels'], annotations: metadata['annotations'], spec };
  };
  const everywhere = (value: string) => ({ labels: all(value), annotations: all(value), spec: specOf(value) });
  const patched = (type: string, name: string, body: unknown, query: Record<string, string> = {}) =>
    server().call('PATCH', defined.objects.path(name), {
      headers: { 'content-type': `application/${type}` },
      body,
      query,
    });

  it('are stored, served and replaced', async () => {
    const { objects, object } = defined;
    const made = { labels: all('a'), annotations: all('a') };
    expect(partsOf(bodyOf(await objects.create(object('plain', specOf('a'), made)), 201))).to.deep.equal(
      everywhere('a'),
    );
    const other = { labels: all('b'), annotations: all('b') };
    expect(partsOf(bodyOf(await objects.put('plain', object('plain', specOf('b'), other)), 200))).to.deep.equal(
      everywhere('b'),
    );
    expect(partsOf(bodyOf(await objects.get('plain'), 200))).to.deep.equal(everywhere('b'));
  });

  it('are changed and removed by each kind of patch', async () => {
    const { objects, object } = defined;
    bodyOf(await objects.create(object('patched', {}, {})), 201);
    const whole = { metadata: { labels: all('a'), annotations: all('a') }, spec: specOf('a') };
    expect(partsOf(bodyOf(await patched('merge-patch+json', 'patched', whole), 200))).to.deep.equal(everywhere('a'));
    const places = ['/metadata/labels', '/metadata/annotations', '/spec', '/spec/map'];
    const paths = places.flatMap((place) => NAMES.map((name) => `${place}/${name}`));
    const operations = paths.flatMap((path) => [
      { op: 'test', path, value: 'a' },
      { op: 'replace', path, value: 'b' },
    ]);
    expect(partsOf(bodyOf(await patched('json-patch+json', 'patched', operations), 200))).to.deep.equal(
      everywhere('b'),
    );
    const removals = paths.map((path) => ({ op: 'remove', path }));
    const { metadata, spec } = bodyOf(await patched('json-patch+json', 'patched', removals), 200);
    expect([metadata.labels ?? {}, metadata.annotations ?? {}, spec]).to.deep.equal([{}, {}, { map: {} }]);
    const additions = paths.map((path) => ({ op: 'add', path, value: 'c' }));
    const bases = ['/metadata/labels', '/metadata/annotations'].map((path) => ({ op: 'add', path, value: {} }));
    expect(partsOf(bodyOf(await patched('json-patch+json', 'patched', [...bases, ...additions]), 200))).to.deep.equal(
      everywhere('c'),
    );
  });

  it('are applied, owned and given up', async () => {
    const { objects, object } = defined;
    const apply = (body: unknown, manager = 'me') =>
      patched('apply-patch+yaml', 'applied', body, { fieldManager: manager });
    const made = object('applied', specOf('a'), { labels: all('a'), annotations: all('a') });
    expect(partsOf(bodyOf(await apply(made), 201))).to.deep.equal(everywhere('a'));
    const conflict = await apply(object('applied', { map: { constructor: 'z' } }), 'other');
    expectStatus(conflict, 409, 'Conflict', '.spec.map.constructor');
    bodyOf(await apply(object('applied', { constructor: 'a' })), 200);
    const { metadata, spec } = bodyOf(await objects.get('applied'), 200);
    expect([metadata.labels ?? {}, spec]).to.deep.equal([{}, { constructor: 'a' }]);
  });

  it('are changed by a strategic merge patch of a kind that has it', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    bodyOf(await server().call('POST', path, { body: { metadata: { name: 'ordinary' }, data: { a: '1' } } }), 201);
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    const body = { metadata: { labels: all('a') }, data: all('a') };
    const answer = bodyOf(await server().call('PATCH', `${path}/ordinary`, { headers, body }), 200);
    expect([answer.metadata.labels, (answer as unknown as { data: unknown }).data]).to.deep.equal([
      all('a'),
      { a: '1', ...all('a') },
    ]);
  });

  it('are selected, shown in columns, and checked by rules', async () => {
    const { objects, object } = defined;
    bodyOf(await objects.create(object('shown', specOf('shown'), { labels: all('shown') })), 201);
    for (const name of NAMES) {
      for (const query of [{ labelSelector: `${name}=shown` }, { fieldSelector: `spec.${name}=shown` }]) {
        const { items } = bodyOf(await objects.list({ query }), 200) as unknown as { items: readonly object[] };
        expect(items, JSON.stringify(query)).to.have.length(1);
      }
      const wrong = await patched('merge-patch+json', 'shown', { spec: { [name]: 'bad' } });
      expectStatus(wrong, 422, 'Invalid', `bad ${name}`);
    }
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const table = bodyOf(await server().call('GET', objects.path('shown'), { headers }), 200) as unknown as {
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
    expect(table.rows[0]?.cells).to.deep.equal(['shown', ...NAMES.map(() => 'shown')]);
  });
});
