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
  TestCustomResourceDefaultingOfMetaFields: 'etcd, after it has checked what is answered',
  TestRatchetingDropFields: 'a server of an earlier version, without ratcheting',
} as const;

/** Tests that expect what this server does otherwise on purpose. */
const DIFFERENT = {
  TestApplyScaleSubresource: 'the entry of a scale in managedFields to come first, because Kubernetes loses its time',
} as const;

const LEFT_OUT = [...Object.keys(NEED_OTHERS), ...Object.keys(DIFFERENT)];

/** Webhooks of the tests listen on this machine, and one of their bodies in YAML has 3 MiB. */
const SETTINGS = { 'webhooks.networks': '127.0.0.0/8', 'limits.yaml_bytes': '3 MiB' };

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
        settings: { ...(await storeSettings(this, store)), ...SETTINGS },
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
