import { expect } from 'chai';
import { bodyOf, changingNothing, expectStatus, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import {
  JSON_PATCH,
  MERGE,
  NAME_LABEL,
  NAMESPACES,
  namespace,
  namespacesOf,
  ORGANIZATIONS,
  STRATEGIC,
} from './namespaces.js';

oneStore('writes of namespaces', (server) => {
  const { call, created, read, stored, patched, applied, titled } = namespacesOf(server);

  // Promise: contract 7
  it('keep the title and the address of the organization in every write', async () => {
    const { name, spec } = await titled();
    const labels = (n: number) => ({ labels: { n: String(n) } });
    const writes = [
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, labels(1)) }),
      () => patched(name, { metadata: labels(2) }),
      () => patched(name, { metadata: labels(3), spec: null }, STRATEGIC),
      () => patched(name, [{ op: 'replace', path: '/metadata/labels/n', value: '4' }], JSON_PATCH),
      () => applied(namespace(name, labels(5)), { force: true }),
    ];
    for (const [index, write] of writes.entries()) {
      bodyOf(await write(), 200);
      const after = await stored(name);
      expect([after.spec, after.metadata.labels?.['n']]).to.deep.equal([spec, String(index + 1)]);
      expect(after.metadata.generation).to.equal(1);
    }
  });

  it('share labels, annotations and finalizers with the organization, in both directions', async () => {
    const { name } = await titled();
    const metadata = { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['example.com/hold'] };
    bodyOf(await patched(name, { metadata }), 200);
    expect((await stored(name)).metadata).to.deep.include({ finalizers: metadata.finalizers });
    expect((await stored(name)).metadata.annotations).to.include(metadata.annotations);
    const options = { body: { metadata: { labels: { a: null, c: '3' }, finalizers: null } }, headers: MERGE };
    bodyOf(await call('PATCH', `${ORGANIZATIONS}/${name}`, options), 200);
    const after = (await read(name)).metadata;
    expect(after.labels).to.include({ c: '3' }).and.not.have.property('a');
    expect(after).to.not.have.property('finalizers');
  });

  it('merge finalizers of strategic patches, as kubectl sends them', async () => {
    const { name } = await titled();
    for (const finalizers of [['example.com/a'], ['example.com/b']])
      bodyOf(await patched(name, { metadata: { finalizers } }, STRATEGIC), 200);
    expect((await stored(name)).metadata).to.deep.include({ finalizers: ['example.com/b', 'example.com/a'] });
    bodyOf(await patched(name, { metadata: { finalizers: null } }), 200);
  });

  // Promise: contract 7
  it('show their name as a label that nobody stores, changes or manages', async () => {
    const name = freshName('ns');
    const body = await created(name, { labels: { [NAME_LABEL]: name } });
    const again = () => call('PUT', `${NAMESPACES}/${name}`, { body });
    expect(bodyOf(await changingNothing(server(), again), 200)).to.deep.equal(body);
    const writes = [
      () => patched(name, { metadata: { labels: { [NAME_LABEL]: null } } }),
      () => patched(name, { metadata: { labels: null } }, STRATEGIC),
      () => patched(name, [{ op: 'remove', path: '/metadata/labels/kubernetes.io~1metadata.name' }], JSON_PATCH),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name) }),
    ];
    for (const write of writes) {
      const answer = await changingNothing(server(), write);
      expect(answer.headers).to.not.have.property('warning');
      expect(bodyOf(answer, 200)).to.deep.equal(body);
    }
    const apply = () => applied(namespace(name, { labels: { a: '1', [NAME_LABEL]: name } }));
    const after = bodyOf(await apply(), 200);
    expect(bodyOf(await changingNothing(server(), apply), 200)).to.deep.equal(after);
    expect(JSON.stringify([after.metadata.managedFields, await stored(name)])).to.not.include(NAME_LABEL);
  });

  // Promise: contract 7
  it('overwrite another value of this label, as Kubernetes does, and warn of it', async () => {
    const name = freshName('ns');
    const labels = { [NAME_LABEL]: 'other' };
    const warning = `metadata.labels[${NAME_LABEL}]: the server sets this label`;
    const writes = [
      () => call('POST', NAMESPACES, { body: namespace(name, { labels }) }),
      () => patched(name, { metadata: { labels } }),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, { labels }) }),
      () => applied(namespace(name, { labels })),
    ];
    for (const write of writes) {
      const answer = await write();
      expect(answer.status, answer.text).to.be.oneOf([200, 201]);
      expect(answer.json().metadata.labels).to.include({ [NAME_LABEL]: name });
      expect(String(answer.headers['warning'])).to.include(warning);
    }
  });

  // Promise: contract 7
  it('have no other finalizers in their spec, and say where those belong', async () => {
    const { name } = await titled();
    const spec = { finalizers: ['kubernetes', 'example.com/x'] };
    for (const write of [
      () => call('POST', NAMESPACES, { body: namespace(freshName('ns'), {}, { spec }) }),
      () => call('PUT', `${NAMESPACES}/${name}`, { body: namespace(name, {}, { spec }) }),
      () => patched(name, { spec }),
      () => patched(name, [{ op: 'add', path: '/spec/finalizers/-', value: 'example.com/x' }], JSON_PATCH),
      () => applied(namespace(name, {}, { spec })),
    ])
      expectStatus(await changingNothing(server(), write), 422, 'Invalid', 'belong in metadata.finalizers');
    const none = await changingNothing(server(), () => patched(name, { spec: { finalizers: [] } }));
    expect(bodyOf(none, 200).spec).to.deep.equal({ finalizers: ['kubernetes'] });
    expect(String(none.headers['warning'])).to.include('spec.finalizers: the server sets it');
  });

  // Promise: contract 7
  it('keep their status, whatever a write says, and have no subresource finalize', async () => {
    const { name } = await titled();
    const status = { phase: 'Terminating' };
    await changingNothing(server(), async () => {
      expect(bodyOf(await patched(name, { status }), 200)).to.deep.include({ status: { phase: 'Active' } });
      const body = namespace(name, {}, { status });
      expect(bodyOf(await call('PUT', `${NAMESPACES}/${name}`, { body }), 200)).to.deep.include({
        status: { phase: 'Active' },
      });
      expect((await call('PUT', `${NAMESPACES}/${name}/status`, { body })).status).to.equal(405);
      expect((await call('PUT', `${NAMESPACES}/${name}/finalize`, { body })).status).to.equal(404);
    });
  });
});
