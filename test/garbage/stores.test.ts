import { expect } from 'chai';
import { eachStore } from '../harness/stores.js';
import { blocking, garbageWorld, HOLD } from './world.js';

eachStore('the garbage collector', (server) => {
  const { folder, team, event, remove, gone, expectThere, read, merge, terminating, isThere } = garbageWorld(server);

  it('deletes objects of kinds with many objects with their owners', async () => {
    const owner = await team();
    const [owned, absent] = [await event({ owners: [owner.reference] }), { ...owner.reference, uid: 'another' }];
    await remove(owner);
    expect(await isThere(owner.path)).to.equal(false);
    await gone(owned, await event({ owners: [absent] }));
  });

  // Promise: contract 5.9
  it('makes owners wait for objects of kinds with many objects, and takes owners out of them', async () => {
    const [waiting, orphaning] = [await team(), await team()];
    const held = await event({ owners: [blocking(waiting)], finalizers: [HOLD] });
    const kept = await event({ owners: [orphaning.reference] });
    await remove(waiting, 'Foreground');
    await remove(orphaning, 'Orphan');
    await terminating(held);
    await expectThere(waiting);
    await merge(held.path, { finalizers: null });
    await gone(waiting, held, orphaning);
    expect((await read(kept.path)).ownerReferences).to.equal(undefined);
  });

  // Promise: contract 5.9
  it('finishes after a restart what was begun before', async () => {
    const { registry } = server().api;
    const [absent, waiting, orphaning] = [await team(), await team(), await team()];
    const owned = await folder({ owners: [absent.reference] });
    const held = await folder({ owners: [blocking(waiting)], finalizers: [HOLD] });
    const kept = await folder({ owners: [orphaning.reference] });
    // The server ends at once, so the next one has to do the work.
    const removed = [remove(absent), remove(waiting, 'Foreground'), remove(orphaning, 'Orphan')];
    await Promise.all(removed);
    await server().restart();
    expect(server().api.registry).to.not.equal(registry);
    await gone(owned, orphaning);
    expect((await read(kept.path)).ownerReferences).to.equal(undefined);
    await terminating(held);
    await server().restart();
    await merge(held.path, { finalizers: null });
    await gone(held, waiting);
  });

  it('deletes many objects in several pages', async () => {
    const owner = await team();
    const start = { owners: [blocking(owner)] };
    const many = await Promise.all(Array.from({ length: 210 }, () => event(start)));
    await remove(owner, 'Foreground');
    await gone(owner);
    const left = await Promise.all(many.map(({ path }) => isThere(path)));
    expect(left).to.not.include(true);
  });
});
