import { expect } from 'chai';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { CRDS, DEFINITION, definition, stored, version, widget, widgets } from './definitions.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const many = (count: number, of: object = { type: 'string' }) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, of]));

oneStore('a definition with a large schema', (server) => {
  const body = definition([stored(version('v1', many(3000)))]);

  it('is created, changed, applied and refused like a small one', async () => {
    const made = bodyOf(await server().call('POST', CRDS, { body }), 201);
    expect(made.kind).to.equal('CustomResourceDefinition');
    const spec = { p2999: 'x' };
    bodyOf(await server().call('POST', widgets('v1'), { body: widget('v1', 'a', spec) }), 201);
    const changed = definition([stored(version('v1', many(3001)))]);
    const patched = await server().call('PATCH', DEFINITION, { body: { spec: changed['spec'] }, headers: MERGE });
    expect(bodyOf(patched, 200).metadata.generation).to.equal(2);
    const wrong = definition([stored(version('v1', many(3001, { type: 'strange' })))]);
    const refused = await server().call('PATCH', DEFINITION, { body: { spec: wrong['spec'] }, headers: MERGE });
    expect(refused.status).to.equal(422);
    expect(refused.json()).to.have.nested.property('details.causes').with.length(100);
    const applied = await server().call('PATCH', DEFINITION, {
      body: definition([stored(version('v1', many(3002)))]),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      query: { fieldManager: 'm', force: true },
    });
    expect(bodyOf(applied, 200).metadata.generation).to.equal(3);
  });

  it('is decided while others are answered', async () => {
    const name = 'gadgets.example.com';
    const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
    const own = { ...definition([stored(version('v1', many(3000)))], { names }), metadata: { name } };
    const both = Promise.all([1, 2].map(() => server().call('POST', CRDS, { body: own })));
    const during = await server().call('GET', `${widgets('v1')}/a`);
    expect(during.status).to.equal(200);
    expect((await both).map(({ status }) => status).sort()).to.deep.equal([201, 409]);
  });
});
