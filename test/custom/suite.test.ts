import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { goProgramOrSkip, moduleFolder, removeGoProgram, SUITE } from '../../hack/go-programs.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';

const run = promisify(execFile);

/** Tests that cannot pass, and why. */
const NEED_OTHERS = {
  TestCBORServingEnablement: 'CBOR, which the server does not have',
  TestCBORStorageEnablement: 'etcd',
  TestCustomResourceDefaultingWithWatchCache: 'flags of Kubernetes’ server',
  TestCustomResourceDefaultingWithoutWatchCache: 'flags of Kubernetes’ server',
  TestInvalidObjectMetaInStorage: 'etcd',
  TestPruningFromStorage: 'etcd',
  TestEtcdStorage: 'etcd',
  TestRatchetingDropFields: 'a server of an earlier version, without ratcheting',
} as const;

/** Tests that do not pass yet, and what is different. */
const DIFFERENT = {
  TestCustomResourceDefaultingOfMetaFields: 'the names of the fields in a refusal of a default',
  TestApplyCRDuringCRDFinalization: 'a definition says that it is terminating only when its objects are being deleted',
  TestLimits: '413 and not 400 for two documents in YAML whose aliases make many values',
  TestEmbeddedResources: 'resourceVersion inside embedded metadata',
  TestPruningEmbeddedResources: 'resourceVersion inside embedded metadata',
  TestHandlerScope: 'a namespaced path of a kind without namespaces',
  TestApplyScaleSubresource: 'the fields of spec.replicas[0] after a scale',
  TestForProperValidationErrors: 'another kind in the body is 400 and not 422',
  TestFieldSelectorOpenAPI: 'the form of the selectable fields in OpenAPI 3',
} as const;

const LEFT_OUT = [...Object.keys(NEED_OTHERS), ...Object.keys(DIFFERENT)];

/** A test of the suite waits for what may take seconds on a busy machine. All together take one to three minutes. */
const PATIENCE_MS = 5 * 60_000;

for (const store of SERVER_STORES.filter((one) => one !== 'mongodb' || process.env['STORAGE'] === 'mongodb')) {
  describe(`Kubernetes’ suite for custom resources, with its typed client (${store})`, () => {
    let program: string | undefined;
    let server: TestServer | undefined;
    let output = '';

    before(async function () {
      this.timeout(20 * 60_000);
      program = await goProgramOrSkip(this, 'suite');
      server = await startServer({
        settings: { ...(await storeSettings(this, store)), 'webhooks.networks': '127.0.0.0/8' },
      });
      const cwd = join(await moduleFolder(SUITE.module), 'test/integration');
      const env = { ...process.env, KUBECONFIG: join(server.folder, 'data/kubeconfig') };
      const options = ['-test.v', `-test.timeout=${PATIENCE_MS}ms`, `-test.skip=^(${LEFT_OUT.join('|')})$`];
      const { stdout, stderr } = await run(program, options, { cwd, env, maxBuffer: 2 ** 28 }).catch(
        (error: { readonly stdout: string; readonly stderr: string }) => error,
      );
      output = `${stdout}${stderr}`;
    });

    after(async () => {
      await server?.stop();
      if (program !== undefined) await removeGoProgram(program);
    });

    const withResult = (result: string): readonly string[] =>
      [...output.matchAll(new RegExp(`^--- ${result}: (\\w+)`, 'gm'))].map(([, name = '']) => name);

    it('passes, but for what the lists above name', () => {
      expect(withResult('FAIL'), output.slice(-4000)).to.deep.equal([]);
      expect(withResult('SKIP')).to.be.an('array').with.lengthOf.below(8);
      expect(withResult('PASS')).to.have.lengthOf.at.least(55);
    });
  });
}
