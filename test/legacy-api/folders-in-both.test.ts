import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { foldersOf, PARENT } from '../resource-api/folders.js';
import { legacyFoldersOf, MISMATCH } from './folders.js';
import { fresh, legacyOf } from './legacy.js';

oneStore('folders in both APIs', (server) => {
  const { ask, refused } = legacyOf(server);
  const { make } = legacyFoldersOf(server);
  const resource = foldersOf(server);

  it('have the same content in both APIs', async () => {
    const [parent, uid] = [fresh('both'), fresh('both')];
    await resource.make(parent, { title: 'By kubectl' });
    expect(await ask(200, 'GET', `/folders/${parent}`)).to.include({ title: 'By kubectl', version: 1 });
    const { id } = await make(uid, { parentUid: parent });
    const object = await resource.read(uid);
    expect(object.metadata.annotations?.[PARENT]).to.equal(parent);
    expect(object.metadata.labels?.['svc.app/deprecatedInternalID']).to.equal(String(id));
    await resource.move(uid, null);
    expect(await ask(200, 'GET', `/folders/${uid}`))
      .to.include({ version: 2 })
      .and.not.to.have.property('parentUid');
    await ask(200, 'DELETE', `/folders/${uid}`);
    expect((await resource.get(uid)).status).to.equal(404);
  });

  it('refuse a version that a write through the other API has made old', async () => {
    const uid = fresh('stale');
    await make(uid);
    await resource.merge(uid, { spec: { title: 'by patch' } });
    await refused(412, MISMATCH, 'PUT', `/folders/${uid}`, { title: 'late', version: 1 });
  });

  it('send writes of the legacy API to watches', async () => {
    const frames = await resource.watch({ resourceVersion: await resource.revision() });
    const uid = fresh('watched');
    await make(uid);
    await ask(200, 'PUT', `/folders/${uid}`, { title: 'changed', version: 1 });
    await ask(200, 'DELETE', `/folders/${uid}`);
    const events = await frames.take(3);
    await frames.close();
    expect(events.map(({ type }) => type)).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events.every(({ object }) => object.metadata.name === uid)).to.equal(true);
  });

  it('keep labels and finalizers that only Kubernetes clients write', async () => {
    const uid = fresh('labels');
    await resource.make(uid, { labels: { team: 'ops' }, finalizers: ['example.com/keep'] });
    await ask(200, 'PUT', `/folders/${uid}`, { title: 'renamed', overwrite: true });
    const { metadata } = await resource.read(uid);
    expect(metadata.labels?.['team']).to.equal('ops');
    expect(metadata.finalizers).to.deep.equal(['example.com/keep']);
    await resource.merge(uid, { metadata: { finalizers: null } });
  });
});
