import { KubectlMissing } from '../../hack/kubectl.js';
import { startServer, type TestServer } from './harness.js';
import { applying } from './kubectl/applying.js';
import { applyingServerSide } from './kubectl/applying-server-side.js';
import { applySets } from './kubectl/applysets.js';
import { customKinds } from './kubectl/custom-kinds.js';
import { deleting } from './kubectl/deleting.js';
import { discovery } from './kubectl/discovery.js';
import { events } from './kubectl/events.js';
import { leases } from './kubectl/leases.js';
import { namespaces } from './kubectl/namespaces.js';
import { past } from './kubectl/past.js';
import { reading } from './kubectl/reading.js';
import { secrets } from './kubectl/secrets.js';
import type { Setup } from './kubectl/setup.js';
import { subresources } from './kubectl/subresources.js';
import { watching } from './kubectl/watching.js';
import { writing } from './kubectl/writing.js';
import type { Kubectl } from './kubectl-client.js';
import { SERVER_STORES, storeSettings } from './stores.js';

// kubectl cannot see which store the server has, so one store is enough.
for (const store of SERVER_STORES.slice(0, 1)) {
  // Promise: contract 7
  describe(`kubectl with a server that is started in the same way as by users (${store})`, function () {
    this.timeout(180_000);
    let server: TestServer;
    let kubectl: Kubectl;
    const setup: Setup = {
      get server() {
        return server;
      },
      get kubectl() {
        return kubectl;
      },
    };

    before(async function () {
      // kubectl may have to be built first.
      this.timeout(40 * 60_000);
      server = await startServer({ settings: await storeSettings(this, store) });
      try {
        kubectl = await server.kubectl();
      } catch (error) {
        if (!(error instanceof KubectlMissing) || process.env['CI'] === 'true') throw error;
        this.skip();
      }
    });

    afterEach(function () {
      if (this.currentTest?.state === 'failed') process.stderr.write(`${server.output().slice(-4000)}\n`);
    });

    after(() => server?.stop());

    discovery(setup);
    applying(setup);
    applyingServerSide(setup);
    applySets(setup);
    reading(setup);
    writing(setup);
    watching(setup);
    deleting(setup);
    subresources(setup);
    past(setup);
    secrets(setup);
    events(setup);
    leases(setup);
    namespaces(setup);
    customKinds(setup);
  });
}
