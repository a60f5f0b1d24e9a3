import { expect } from 'chai';
import { accepted, bodyOf } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { DEFINITIONS, define } from './definition.js';

const COUNT = 600;

eachStore('a definition that goes with many objects', (server) => {
  it('is still removed after a restart in the middle, and leaves nothing behind', async function ending() {
    this.timeout(60_000);
    const { objects, object, definition } = await define(server);
    const path = `${DEFINITIONS}/${definition.metadata.name}`;
    await Promise.all(
      Array.from({ length: COUNT }, async (_, i) => accepted(await objects.create(object(`o${i}`)), 201)),
    );
    accepted(await server().call('DELETE', path), 200);
    await server().restart();
    await until(async () => (await server().call('GET', path)).status === 404);
    const { reader } = server().api.registry;
    expect([reader.size(definition.metadata.name), reader.size('retainedversions.internal.svc.app')]).to.deep.equal([
      0, 0,
    ]);
    await define(server);
    expect(bodyOf(await objects.list(), 200).items).to.deep.equal([]);
  });
});
