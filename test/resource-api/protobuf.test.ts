import { expect } from 'chai';
import { encodeKubernetesProtobuf } from '../../pkg/protobuf/encode-object.js';
import { DEFINITIONS, definitionOf } from '../custom/definition.js';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const headers = { 'content-type': PROTOBUF };

const wire = (object: object): Buffer => {
  const bytes = encodeKubernetesProtobuf(object as Parameters<typeof encodeKubernetesProtobuf>[0]);
  if (bytes === undefined) throw new Error('the kind has no message');
  return bytes;
};

oneStore('protobuf', (server) => {
  it('defines kinds, as the typed client of apiextensions does', async () => {
    const group = `${freshName('g')}.example.com`;
    const body = definitionOf({ group, plural: 'gadgets', kind: 'Gadget' });
    const made = bodyOf(await server().call('POST', DEFINITIONS, { body: wire(body), headers }), 201);
    expect(made['spec']).to.deep.include({ group, scope: 'Namespaced' });
    expect((made['spec'] as typeof body.spec).versions.map(({ schema }) => schema)).to.deep.equal(
      body.spec.versions.map(({ schema }) => schema),
    );
    const path = `${DEFINITIONS}/gadgets.${group}`;
    const labelled = { ...made, metadata: { ...made.metadata, labels: { team: 'ops' } } };
    const changed = bodyOf(await server().call('PUT', path, { body: wire(labelled), headers }), 200);
    expect(changed.metadata.labels).to.deep.equal({ team: 'ops' });
    const stale = await server().call('PUT', path, { body: wire(labelled), headers });
    expectStatus(stale, 409, 'Conflict');
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: made.metadata.uid } };
    bodyOf(await server().call('DELETE', path, { body: wire(options), headers }), 200);
  });
});
