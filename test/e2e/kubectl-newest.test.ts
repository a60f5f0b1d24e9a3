import { expect } from 'chai';
import { goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import { startServer, type TestServer } from './harness.js';
import { applying } from './kubectl/applying.js';
import { applyingServerSide } from './kubectl/applying-server-side.js';
import type { Setup } from './kubectl/setup.js';
import { watching } from './kubectl/watching.js';
import type { Kubectl } from './kubectl-client.js';
import { SERVER_STORES, storeSettings } from './stores.js';

// The parts of the suite in which versions of kubectl differ. CONTRIBUTING.md has the command for the whole suite.
for (const store of SERVER_STORES.slice(0, 1)) {
  describe(`the newest kubectl (${store})`, function () {
    this.timeout(180_000);
    let server: TestServer | undefined;
    let kubectl: Kubectl | undefined;
    const setup: Setup = {
      get server() {
        return present(server);
      },
      get kubectl() {
        return present(kubectl);
      },
    };

    before(async function () {
      // The modules may have to be fetched and built first.
      this.timeout(20 * 60_000);
      const program = await goProgramOrSkip(this, 'kubectl');
      server = await startServer({ settings: await storeSettings(this, store) });
      kubectl = await server.kubectl(program);
    });

    after(async () => {
      await server?.stop();
      if (kubectl !== undefined) await removeGoProgram(kubectl.path);
    });

    it('says which version it is', async () => {
      expect(await setup.kubectl.ok(['version', '--client'])).to.contain('Client Version: v1.37.');
    });

    applying(setup);
    applyingServerSide(setup);
    watching(setup);
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the suite has not started yet');
  return value;
}
