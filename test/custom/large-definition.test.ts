import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'pipelines.large.example.com';

/**
 * A schema with as many values for its length as those of Kubernetes' pods, many times: 64,000 values in less than a
 * mebibyte.
 */
function schema(): object {
  const text = { type: 'string' };
  const container = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`field${i}`, i % 4 === 0 ? { items: text, type: 'array' } : text]),
  );
  const template = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`part${i}`, { type: 'object', properties: container }]),
  );
  const spec = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`step${i}`, { type: 'object', properties: template }]),
  );
  return { type: 'object', properties: { spec: { type: 'object', properties: spec } } };
}

const definition = () => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: 'large.example.com',
    names: { kind: 'Pipeline', plural: 'pipelines' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema() } }],
  },
});

oneStore('a definition with tens of thousands of values', (server) => {
  it('can be created, replaced, patched and applied, and its objects be written', async function each() {
    this.timeout(120_000);
    const whole = definition();
    expect(JSON.stringify(whole).match(/[,[{]/g)?.length).to.be.greaterThan(55_000);
    expect((await server().call('POST', DEFINITIONS, { body: whole })).status).to.equal(201);
    const path = `${DEFINITIONS}/${NAME}`;
    const stored = JSON.parse((await server().call('GET', path)).text);
    expect((await server().call('PUT', path, { body: { ...whole, metadata: stored.metadata } })).status).to.equal(200);
    const { versions } = whole.spec;
    for (const [type, body, query] of [
      ['application/merge-patch+json', { spec: { versions } }, ''],
      ['application/strategic-merge-patch+json', { spec: { versions } }, ''],
      ['application/json-patch+json', [{ op: 'replace', path: '/spec/versions', value: versions }], ''],
      ['application/apply-patch+yaml', whole, '?fieldManager=large&force=true'],
    ] as const) {
      const answer = await server().call('PATCH', `${path}${query}`, { body, headers: { 'content-type': type } });
      expect(answer.status, `${type} ${answer.text.slice(0, 300)}`).to.equal(200);
    }
    const object = {
      apiVersion: 'large.example.com/v1',
      kind: 'Pipeline',
      metadata: { name: 'one' },
      spec: { step1: { part1: { field1: 'x' } } },
    };
    const created = await server().call('POST', '/apis/large.example.com/v1/namespaces/default/pipelines', {
      body: object,
    });
    expect(created.status, created.text).to.equal(201);
  });
});
