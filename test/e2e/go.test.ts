import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startServer, type TestServer } from './harness.js';
import { ROOT } from './process.js';
import { SERVER_STORES, storeSettings } from './stores.js';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'test/e2e/go');

/** The tests of the Go module, in their order. */
const TESTS: Readonly<Record<string, string>> = {
  TestLeaderElectionHandsTheLeaseOver: 'leader election elects one of two candidates, and hands the lease over',
  TestRecorderCountsWhatHappensAgain: 'the recorder of core/v1 events counts what happens again',
  TestNewRecorderWritesTheSameEvents: 'the recorder of events.k8s.io/v1 events makes a series of what happens again',
  TestOpenAPIv2InProtobufEqualsTheJSONAndHasTheTypes:
    'the OpenAPI document in protobuf equals the JSON, and has the types',
};

async function hasGo(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  );
}

for (const store of SERVER_STORES) {
  describe(`client-go (${store})`, function () {
    this.timeout(60_000);
    let server: TestServer | undefined;
    let output = '';

    before(async function () {
      // The modules may have to be fetched and built first.
      this.timeout(20 * 60_000);
      if (process.env['CI'] !== 'true' && !(await hasGo())) return this.skip();
      server = await startServer({ settings: await storeSettings(this, store) });
      const env = { ...process.env, KUBECONFIG: join(server.folder, 'data/kubeconfig'), GOFLAGS: '-mod=readonly' };
      const args = ['test', '-count=1', '-v', '-timeout=120s', './...'];
      const { stdout, stderr } = await run('go', args, { cwd: FOLDER, env, maxBuffer: 2 ** 24 }).catch(
        (error: { readonly stdout: string; readonly stderr: string }) => error,
      );
      output = `${stdout}${stderr}`;
    });

    after(() => server?.stop());

    for (const [name, promise] of Object.entries(TESTS)) {
      it(promise, () => expect(output).to.match(new RegExp(`^--- PASS: ${name} `, 'm')));
    }
  });
}
