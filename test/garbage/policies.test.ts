import { expect } from 'chai';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { blocking, garbageWorld, HOLD } from './world.js';

oneStore('deletion of an owner', (server) => {
  const world = garbageWorld(server);
  const { folder, team, remove, gone, expectThere, read, merge, terminating } = world;

  describe('in the background', () => {
    // Promise: contract 5.9
    it('removes the owner before it answers, and then what only it owned, directly or indirectly', async () => {
      const owner = await team();
      const owned = await folder({ owners: [owner.reference] });
      const next = await folder({ owners: [blocking(owned)] });
      await remove(owner, 'Background');
      expect(await world.isThere(owner.path)).to.equal(false);
      await gone(owned, next);
    });

    // Promise: contract 5.9
    it('keeps objects that have another owner, also one of an unknown kind, and takes the reference out of them', async () => {
      const [one, other] = [await team(), await team()];
      const foreign = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'd-1' };
      const shared = await folder({ owners: [one.reference, other.reference] });
      const distant = await folder({ owners: [one.reference, foreign] });
      await remove(one);
      const ownersIn = async (path: string) => (await read(path)).ownerReferences;
      await until(async () => (await ownersIn(shared.path))?.length === 1);
      await until(async () => (await ownersIn(distant.path))?.length === 1);
      expect(await ownersIn(shared.path)).to.deep.equal([other.reference]);
      expect(await ownersIn(distant.path)).to.deep.equal([foreign]);
      await remove(other);
      await gone(shared);
      await expectThere(distant);
    });

    it('leaves an owned object with finalizers terminating', async () => {
      const owner = await team();
      const owned = await folder({ owners: [blocking(owner)], finalizers: [HOLD] });
      await remove(owner);
      expect(await world.isThere(owner.path)).to.equal(false);
      await terminating(owned);
      await merge(owned.path, { finalizers: null });
      await gone(owned);
    });
  });

  describe('in the foreground', () => {
    // Promise: contract 5.9
    it('removes an owner without dependents at once', async () => {
      const owner = await team();
      await remove(owner, 'Foreground');
      expect(await world.isThere(owner.path)).to.equal(false);
    });

    // Promise: contract 5.9
    it('keeps the owner terminating with the finalizer foregroundDeletion until the blocking dependents are gone', async () => {
      const owner = await team();
      const held = await folder({ owners: [blocking(owner)], finalizers: [HOLD] });
      const free = await folder({ owners: [blocking(owner)] });
      await remove(owner, 'Foreground');
      const { deletionTimestamp, finalizers } = await read(owner.path);
      expect(deletionTimestamp).to.be.a('string');
      expect(finalizers).to.deep.equal(['foregroundDeletion']);
      await terminating(held);
      await gone(free);
      await expectThere(owner);
      await merge(held.path, { finalizers: null });
      await gone(held, owner);
    });

    // Promise: contract 5.9
    it('deletes dependents that do not block, but does not wait for them', async () => {
      const owner = await team();
      const held = await folder({ owners: [owner.reference], finalizers: [HOLD] });
      await remove(owner, 'Foreground');
      await gone(owner);
      await terminating(held);
    });

    // Promise: contract 5.9
    it('deletes what dependents own first, level by level', async () => {
      const owner = await team();
      const middle = await folder({ owners: [blocking(owner)] });
      const last = await folder({ owners: [blocking(middle)], finalizers: [HOLD] });
      await remove(owner, 'Foreground');
      await terminating(last);
      expect((await read(middle.path)).finalizers).to.deep.equal(['foregroundDeletion']);
      await merge(last.path, { finalizers: null });
      await gone(last, middle, owner);
    });

    it('stops waiting for a dependent that no longer blocks or names the owner', async () => {
      const owner = await team();
      const all = [
        await folder({ owners: [blocking(owner)], finalizers: [HOLD] }),
        await folder({ owners: [blocking(owner)], finalizers: [HOLD] }),
      ];
      await remove(owner, 'Foreground');
      for (const one of all) await terminating(one);
      await merge(all[0]?.path ?? '', { ownerReferences: null });
      await expectThere(owner);
      await merge(all[1]?.path ?? '', { ownerReferences: [{ ...owner.reference, blockOwnerDeletion: false }] });
      await gone(owner);
    });

    // Promise: contract 5.9
    it('ends also if owners and dependents are a circle', async () => {
      const [one, other] = [await team(), await team()];
      await merge(one.path, { ownerReferences: [blocking(other)] });
      await merge(other.path, { ownerReferences: [blocking(one)] });
      await remove(one, 'Foreground');
      await gone(one, other);
    });

    // Promise: contract 5.9
    it('becomes a background deletion by a second DELETE', async () => {
      const owner = await team();
      const held = await folder({ owners: [blocking(owner)], finalizers: [HOLD] });
      await remove(owner, 'Foreground');
      await terminating(held);
      await remove(owner, 'Background');
      expect(await world.isThere(owner.path)).to.equal(false);
      await expectThere(held);
    });
  });

  describe('with Orphan', () => {
    // Promise: contract 5.9
    it('takes the owner out of its dependents, and keeps them', async () => {
      const [one, other] = [await team(), await team()];
      const [own, shared] = [
        await folder({ owners: [blocking(one)] }),
        await folder({ owners: [one.reference, other.reference] }),
      ];
      const author = (await read(own.path)).annotations?.['svc.app/updatedBy'];
      await remove(one, 'Orphan');
      await gone(one);
      const { ownerReferences, annotations } = await read(own.path);
      expect(ownerReferences).to.equal(undefined);
      expect(annotations?.['svc.app/updatedBy']).to.equal(author);
      expect((await read(shared.path)).ownerReferences).to.deep.equal([other.reference]);
    });

    it('removes an owner without dependents at once', async () => {
      const owner = await team();
      await remove(owner, 'Orphan');
      expect(await world.isThere(owner.path)).to.equal(false);
    });
  });

  describe('with a finalizer that a client has set', () => {
    // Promise: contract 5.9
    it('orphans or waits as the finalizer says, if the request names no policy', async () => {
      const [orphaning, waiting] = [
        await team({ finalizers: ['orphan'] }),
        await team({ finalizers: ['foregroundDeletion'] }),
      ];
      const kept = await folder({ owners: [orphaning.reference] });
      const deleted = await folder({ owners: [blocking(waiting)] });
      await remove(orphaning);
      await remove(waiting);
      await gone(orphaning, waiting);
      expect((await read(kept.path)).ownerReferences).to.equal(undefined);
      expect(await world.isThere(deleted.path)).to.equal(false);
    });

    // Promise: contract 5.9
    it('follows the policy of the request, if it names one', async () => {
      const [one, other] = [await team({ finalizers: ['orphan'] }), await team({ finalizers: ['foregroundDeletion'] })];
      const deleted = await folder({ owners: [one.reference] });
      const kept = await folder({ owners: [other.reference] });
      await remove(one, 'Background');
      expect(await world.isThere(one.path)).to.equal(false);
      await gone(deleted);
      await remove(other, 'Orphan');
      await gone(other);
      expect((await read(kept.path)).ownerReferences).to.equal(undefined);
    });

    it('waits for other finalizers, too', async () => {
      const owner = await team({ finalizers: ['foregroundDeletion', HOLD] });
      await remove(owner);
      await until(async () => (await read(owner.path)).finalizers?.length === 1);
      expect((await read(owner.path)).finalizers).to.deep.equal([HOLD]);
      await merge(owner.path, { finalizers: null });
      expect(await world.isThere(owner.path)).to.equal(false);
    });
  });
});
