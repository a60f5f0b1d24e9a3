import { expect } from 'chai';
import { accepted, bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';
import { worldOf } from './past.js';

eachStore('an object that waited', (server) => {
  const world = worldOf(server);
  const { folders, dashboards, restore, versions } = world;

  it('has a version for each change, but none for becoming ready', async () => {
    const [name, folder] = [freshName(), freshName()];
    await world.dashboard(name, folder);
    await world.folder(folder);
    bodyOf(await dashboards.merge(name, { spec: { title: 'Two' } }), 200);
    const all = await versions(dashboards, name);
    expect(all.map(({ version }) => version)).to.deep.equal([2, 1]);
    bodyOf(await restore(dashboards, name, 1), 201);
    expect(bodyOf(await dashboards.get(name), 200).spec).to.deep.equal({ title: name });
  });

  it('comes back from the trash when its folder is there, and is refused before', async () => {
    const [name, folder] = [freshName(), freshName()];
    await world.dashboard(name, folder);
    accepted(await dashboards.remove(name), 200);
    expectStatus(await restore(dashboards, name), 409, 'Conflict', `there is no "${folder}"`);
    await world.folder(folder);
    bodyOf(await restore(dashboards, name), 201);
    expect(bodyOf(await dashboards.get(name), 200)).to.not.have.property('status');
  });

  it('is brought into effect by a folder that comes back', async () => {
    const [name, folder] = [freshName(), freshName()];
    await world.folder(folder);
    accepted(await folders.remove(folder), 200);
    await world.dashboard(name, folder);
    expect(JSON.stringify(bodyOf(await dashboards.get(name), 200))).to.contain('ReferenceNotFound');
    bodyOf(await restore(folders, folder), 201);
    expect(JSON.stringify(bodyOf(await dashboards.get(name), 200))).to.contain('ReferencesResolved');
  });
});
