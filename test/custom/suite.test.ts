import { join } from 'node:path';
import { expect } from 'chai';
import { goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { expectPassed, type Results, runSuite } from './suite-run.js';

/** Tests that cannot pass, and why. */
const NEED_OTHERS = {
  TestCBORServingEnablement: 'CBOR, which the server does not have',
  TestCBORStorageEnablement: 'etcd',
  TestCustomResourceDefaultingWithoutWatchCache: 'a server without a cache for watches',
  TestInvalidObjectMetaInStorage: 'etcd',
  TestPruningFromStorage: 'etcd',
  TestEtcdStorage: 'etcd',
  TestCustomResourceDefaultingOfMetaFields: 'access to the store (suite-conversion.test.ts)',
  TestRatchetingDropFields: 'a server of an earlier version, without ratcheting',
} as const;

const LEFT_OUT = Object.keys(NEED_OTHERS);

/** Webhooks of the tests listen on this machine. Bodies have the limit that Kubernetes has, in YAML, too. */
const SETTINGS = { 'webhooks.networks': '127.0.0.0/8', 'limits.body_bytes': '3 MiB', 'limits.yaml_bytes': '3 MiB' };

for (const store of SERVER_STORES.filter((one) => one !== 'mongodb' || process.env['STORAGE'] === 'mongodb')) {
  describe(`Kubernetes’ suite for custom resources, with its typed client (${store})`, () => {
    let program: string | undefined;
    let server: TestServer | undefined;
    let results: Results | undefined;

    before(async function () {
      this.timeout(20 * 60_000);
      program = await goProgramOrSkip(this, 'suite');
      server = await startServer({
        settings: { ...(await storeSettings(this, store)), ...SETTINGS },
      });
      const env = { KUBECONFIG: join(server.folder, 'data/kubeconfig') };
      results = await runSuite(program, { folder: 'test/integration', without: LEFT_OUT, env });
    });

    after(async () => {
      await server?.stop();
      if (program !== undefined) await removeGoProgram(program);
    });

    it('passes, but for what the list above names', () => {
      expectPassed(results as Results, 66);
      expect(results?.named('SKIP')).to.be.an('array').with.lengthOf.below(8);
    });
  });
}
