import { expect } from 'chai';
import { FOLDERS, list, replay } from '../crash/workload.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { BEFORE, builtVersion } from './versions.js';
import { writers } from './writers.js';

if (SERVER_STORES.includes('mongodb')) {
  describe('servers of two versions on one database', function () {
    this.timeout(240_000);
    let root = '';
    let servers: readonly [TestServer, TestServer] | undefined;

    before(async function () {
      root = await builtVersion(this, BEFORE);
      const settings = await storeSettings(this, 'mongodb');
      servers = await Promise.all([startServer({ settings, root }), startServer({ settings, root })]);
    });

    after(async () => {
      await Promise.all((servers ?? []).map((server) => server.stop()));
    });

    it('are replaced one after another, forth and back, while clients write: nothing that was acknowledged is lost', async () => {
      const [a, b] = servers ?? [];
      if (a === undefined || b === undefined) throw new Error('the servers did not start');
      const clients = writers();
      const from = await list(a.client);
      for (const server of [a, b]) clients.start(server);
      const replace = async (server: TestServer, other: TestServer, version?: string): Promise<void> => {
        await clients.goOn(other);
        await server.end();
        await clients.goOn(other);
        await server.restart(version);
        clients.start(server);
        await Promise.all([clients.goOn(server), clients.goOn(other)]);
      };
      await replace(a, b);
      await replace(b, a);
      await replace(a, b, root);
      await replace(b, a, root);
      await clients.settle(a, b);
      // On both versions, a watch from before the first change sends all changes in order.
      expect((await b.client.request('POST', FOLDERS, { body: LAST })).status).to.equal(201);
      const now = await list(b.client);
      for (const server of [a, b]) expect(await replay(server.client, from, now.revision)).to.deep.equal(now.titles);
    });
  });
}

const LAST = { metadata: { name: 'last' }, spec: { title: 'last' } };
