import { expect } from 'chai';
import { bodyOf, freshName } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { until } from '../identity/iam.js';
import { blocking, garbageWorld } from './world.js';

const ORGANIZATIONS = '/apis/iam.svc.app/v1beta1/organizations';
const EVENTS = '/api/v1/namespaces/default/events';

oneStore(
  'objects with an absent owner',
  (server) => {
    const { folder, team, remove, gone, expectThere, read, merge } = garbageWorld(server);
    const organization = async () => {
      const name = freshName();
      const body = {
        apiVersion: 'iam.svc.app/v1beta1',
        kind: 'Organization',
        metadata: { name },
        spec: { title: name },
      };
      const made = bodyOf(await server().call('POST', ORGANIZATIONS, { body }), 201);
      const { apiVersion, kind, metadata } = made;
      return { path: `${ORGANIZATIONS}/${name}`, name, reference: { apiVersion, kind, name, uid: metadata.uid ?? '' } };
    };

    // Promise: contract 5.9
    it('are deleted, also if another object has the name of the owner', async () => {
      const owner = await team();
      await gone(await folder({ owners: [{ ...owner.reference, name: freshName() }] }));
      await gone(await folder({ owners: [{ ...owner.reference, uid: 'another' }] }));
      await expectThere(owner);
    });

    // Promise: contract 5.9
    it('are deleted when a patch makes the absent object their owner', async () => {
      const owner = await team();
      const late = await folder();
      await remove(owner);
      await merge(late.path, { ownerReferences: [owner.reference] });
      await gone(late);
    });

    // Promise: contract 5.9
    it('lose the reference if they have another owner', async () => {
      const [owner, former] = [await team(), await team()];
      await remove(former);
      const owned = await folder({ owners: [former.reference, owner.reference] });
      await until(async () => (await read(owned.path)).ownerReferences?.length === 1);
      expect((await read(owned.path)).ownerReferences).to.deep.equal([owner.reference]);
    });

    // Promise: contract 5.9
    it('may be in a namespace while the owner is in none', async () => {
      const owner = await organization();
      const owned = await folder({ owners: [blocking(owner)] });
      await remove(owner, 'Foreground');
      await gone(owned, owner);
    });

    // Promise: contract 5.9
    it('are deleted with a Warning event if the owner is in another namespace', async () => {
      const { name } = await organization();
      const path = `/apis/folder.svc.app/v1beta1/namespaces/${name}/folders`;
      const body = {
        apiVersion: 'folder.svc.app/v1beta1',
        kind: 'Folder',
        metadata: { name: 'far' },
        spec: { title: 'Far' },
      };
      const { apiVersion, kind, metadata } = bodyOf(await server().call('POST', path, { body }), 201);
      const reference = { apiVersion, kind, name: 'far', uid: metadata.uid ?? '' };
      const owned = await folder({ owners: [reference] });
      await gone(owned);
      const query = { fieldSelector: 'reason=OwnerRefInvalidNamespace' };
      const events = async () => bodyOf(await server().call('GET', EVENTS, { query }), 200).items;
      await until(async () => (await events()).length > 0);
      const id = `folder.svc.app/v1beta1/Folder, namespace: default, name: far, uid: ${metadata.uid}`;
      expect((await events())[0]).to.deep.include({
        type: 'Warning',
        message: `ownerRef [${id}] does not exist in namespace "default"`,
      });
    });

    // Promise: contract 5.9
    it('stay if they are in no namespace and the owner would be in one', async () => {
      const owner = await folder();
      const { path } = await organization();
      await merge(path, { ownerReferences: [owner.reference] });
      await remove(owner);
      // The collector finds this folder after the organization, so the organization would be gone by then.
      await gone(await folder({ owners: [owner.reference] }));
      expect((await read(path)).deletionTimestamp).to.equal(undefined);
    });

    it('that come back from the trash come back without absent owners', async () => {
      const owner = await team();
      const owned = await folder({ owners: [owner.reference] });
      await remove(owner);
      await gone(owned);
      bodyOf(await server().call('POST', `${owned.path}/restore`, { body: {} }), 201);
      expect((await read(owned.path)).ownerReferences).to.equal(undefined);
    });
  },
  { recordsEvents: true },
);
