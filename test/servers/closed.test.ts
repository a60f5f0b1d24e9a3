import { expect } from 'chai';
import { collectGarbage } from '../harness/garbage.js';
import { openServer, type Server } from '../harness/server.js';
import { openStore, STORES } from '../harness/stores.js';

const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';

/** Uses a server, and closes it. The caller must not keep a reference to it. */
async function usedAndClosed(server: Server): Promise<WeakRef<object>> {
  const watch = await server.call('GET', FOLDERS, { query: { watch: true } });
  const made = await server.call('POST', FOLDERS, { body: { metadata: { name: 'kept' }, spec: { title: 'kept' } } });
  expect(made.status).to.equal(201);
  await watch.frames.next();
  await server.close();
  return new WeakRef(server.api.registry);
}

/** Tries for a while, because callbacks that are running when a server closes still refer to it. */
async function isCollected(ref: WeakRef<object>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    if (ref.deref() === undefined) return true;
  }
  return false;
}

describe('a process that closes a server', () => {
  for (const store of STORES) {
    it(`keeps nothing of it in memory (${store})`, async function () {
      const ref = await usedAndClosed(await openServer(await openStore(this, store)));
      expect(await isCollected(ref)).to.equal(true);
    });
  }
});
