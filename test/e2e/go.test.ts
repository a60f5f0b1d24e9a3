import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import { openStore } from '../harness/stores.js';
import { type ForgetfulServer, startForgetful } from './forgetful-server.js';
import { startServer, type TestServer } from './harness.js';
import { ROOT } from './process.js';
import { SERVER_STORES, storeSettings } from './stores.js';

const run = promisify(execFile);

const MANIFESTS = join(ROOT, 'hack/deploy/kubernetes');

/** The tests of the Go module, in order, with their promises. */
const TESTS: Readonly<Record<string, string>> = {
  TestForegroundDeletionWaitsForDependents:
    // Promise: contract 5.8
    'a deletion in the foreground, with preconditions, is watched until the dependents and the owner are gone',
  // Promise: contract 5.8
  TestDeleteCollectionTakesPagesAndPolicies: 'a collection is deleted in pages, with what its objects own',
  // Promise: contract 8
  TestLeaderElectionHandsTheLeaseOver: 'leader election elects one of two candidates, and hands the lease over',
  // Promise: contract 8
  TestRecorderCountsWhatHappensAgain: 'the recorder of core/v1 events counts what happens again',
  // Promise: contract 8
  TestNewRecorderWritesTheSameEvents: 'the recorder of events.k8s.io/v1 events makes a series of what happens again',
  TestOpenAPIv2InProtobufEqualsTheJSONAndHasTheTypes:
    // Promise: contract 1.4
    'the OpenAPI document in protobuf equals the JSON, and has the types',
  TestOpenAPIv3InProtobufIsWhatGnosticMakesOfTheJSON:
    'the OpenAPI v3 documents in protobuf are what gnostic makes of the JSON',
  // Promise: contract 4.4
  TestInformerWithWatchListFollows: 'a shared informer with WatchList needs one request, and follows every change',
  TestInformerWithoutWatchListFollows: 'a shared informer without WatchList lists, and follows every change',
  TestTypedInformerWithWatchListFollows: 'a typed informer with WatchList needs one request, and follows every change',
  TestTypedInformerWithoutWatchListFollows: 'a typed informer without WatchList lists, and follows every change',
  TestInformerWithWatchListComesBackAfterCompaction:
    // Promise: contract 4.5
    'a shared informer with WatchList gets 410 after a compaction, and has what it missed',
  TestInformerWithoutWatchListComesBackAfterCompaction:
    // Promise: contract 4.5
    'a shared informer without WatchList gets 410 after a compaction, and has what it missed',
  TestRetryOnConflictLosesNoWrite: 'RetryOnConflict loses none of several writes to one object',
  TestDynamicClientWritesAndReads: 'the dynamic client creates, patches and applies',
  TestDynamicClientListsInPagesAndDeletesACollection: 'the dynamic client lists in pages, and deletes a collection',
  TestErrorsAreThoseThatClientsTellApart: 'errors are those that clients tell apart',
  TestControllerHoldsFoldersByAFinalizer:
    // Promise: contract 8
    'a controller of controller-runtime is elected, and holds folders by a finalizer until it has cleaned up',
  TestControllerKeepsWhatCustomObjectsOwn:
    'a controller installs a definition as envtest does, keeps what its objects own, and tells it in status, events and finalizers',
  TestTypedStructsOfCustomKindsAreAppliedAndChecked:
    'structs of a custom kind are applied with conflicts, checked by rules, tried without effect, and scaled',
  TestTypedClientMakesANamespaceChangesItAndDeletesIt:
    // Promise: contract 8
    'the typed client makes a namespace as Helm does, changes it, applies it, and deletes it',
  TestFluxMakesANamespaceAndWhatLiesInIt:
    // Promise: contract 8
    'Flux makes a namespace and what lies in it, finds no drift, and deletes both',
  TestManifestsHaveOnlyFieldsOfKubernetes: 'the manifests for Kubernetes have only fields that Kubernetes has',
  TestMigrationsKeepWhatTheyTakeOver:
    // Promise: contract 5.4
    'what kubectl applied is taken over by client-go, Argo CD, Helm and Flux, and what their manifests leave out is gone',
  TestFluxAppliesATreeInTheWorstOrderAtOnce:
    'Flux applies a tree in the worst order at once, waits for it, and finds nothing to change afterwards',
  TestHelmInstallsUpgradesRollsBackAndUninstallsATree:
    'Helm installs, upgrades, rolls back and uninstalls a chart in the worst order, once each, and keeps the history',
  TestCliUtilsAppliesPrunesAndDestroysATree:
    'cli-utils applies a tree in the worst order at once, waits for it, prunes, and destroys it with its inventory',
  TestArgoAppliesATreeInTheWorstOrderAndFindsNoFalseDifference:
    'Argo CD applies a tree in the worst order, and its three ways to compare find drift, and no false difference',
  // Promise: contract 8
  TestFluxAppliesASetFindsDriftAndDeletes: 'Flux applies a set, waits for it, finds and repairs drift, and deletes it',
};

/** The output of one test and its subtests. */
function partOf(output: string, name: string): string {
  const start = output.indexOf(`=== RUN   ${name}\n`);
  if (start === -1) return output.slice(-4000);
  const rest = output.slice(start + 1);
  const end = rest.search(/=== RUN {3}\w+\n/);
  return rest.slice(0, end === -1 ? undefined : end);
}

for (const store of SERVER_STORES) {
  describe(`clients in Go (${store})`, function () {
    this.timeout(60_000);
    let program: string | undefined;
    let server: TestServer | undefined;
    let forgetful: ForgetfulServer | undefined;
    let output = '';

    before(async function () {
      // The modules may have to be fetched and built first.
      this.timeout(20 * 60_000);
      program = await goProgramOrSkip(this, 'clients');
      server = await startServer({ settings: await storeSettings(this, store) });
      forgetful = await startForgetful(await openStore(this, store));
      const kubeconfig = join(server.folder, 'data/kubeconfig');
      const env = { ...process.env, KUBECONFIG: kubeconfig, COMPACTED_URL: forgetful.url, MANIFESTS };
      const { stdout, stderr } = await run(program, ['-test.v', '-test.timeout=120s'], {
        env,
        maxBuffer: 2 ** 24,
      }).catch((error: { readonly stdout: string; readonly stderr: string }) => error);
      output = `${stdout}${stderr}`;
    });

    after(async () => {
      await server?.stop();
      await forgetful?.close();
      if (program !== undefined) await removeGoProgram(program);
    });

    for (const [name, promise] of Object.entries(TESTS)) {
      it(promise, () => expect(partOf(output, name)).to.match(new RegExp(`^--- PASS: ${name} `, 'm')));
    }
  });
}
