import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { pythonWithClient, WITH_KOPF } from '../../hack/python-client.js';
import type { ServerWithPast } from './expired.js';
import { ROOT } from './process.js';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'test/e2e/python');
/** A version that is widely used, and the newest one. */
const VERSIONS = ['31.0.0', '37.0.2'] as const;
/** Tests of features that only newer versions have. */
const NEWER: readonly string[] = [
  'test_leader_election_by_leases',
  'test_informer_lists_again_after_410_and_follows',
  'test_kopf_runs_a_slow_handler_once',
];

/** The tests in the folder `python`, with their promises. */
const TESTS: Readonly<Record<string, string>> = {
  test_watch_sends_every_change_in_order: 'a watch sends every change in order',
  test_watch_starts_with_what_exists_and_ends_after_its_time:
    'a watch starts with what exists, and ends after its time',
  test_watch_of_a_built_in_kind_has_typed_objects: 'a watch of a built-in kind has typed objects',
  test_watch_from_an_expired_revision_raises_410: 'a watch from an expired revision raises 410',
  test_informer_lists_again_after_410_and_follows: 'an informer lists again after 410, and follows',
  test_custom_objects_are_created_read_replaced_and_deleted: 'custom objects are created, read, replaced and deleted',
  test_custom_objects_are_patched: 'custom objects are patched',
  test_custom_objects_are_listed_in_pages_and_deleted_together:
    'custom objects are listed in pages, and deleted together',
  test_a_stale_write_is_refused_as_a_conflict_and_a_wrong_one_names_its_field:
    'a stale write is refused as a conflict, and a wrong one names its field',
  test_create_from_dict_creates_built_in_kinds: 'create_from_dict creates built-in kinds',
  test_dynamic_client_finds_every_resource_in_discovery: 'the dynamic client finds every resource in discovery',
  test_dynamic_client_reads_and_writes: 'the dynamic client reads and writes',
  test_dynamic_client_watches: 'the dynamic client watches',
  test_dynamic_client_sends_json_patches: 'the dynamic client sends JSON patches',
  test_dynamic_client_applies_and_learns_of_conflicts: 'the dynamic client applies, and learns of conflicts',
  test_dynamic_client_applies_less_and_tries_what_would_happen:
    'the dynamic client applies less, and tries what would happen',
  test_dynamic_client_applies_leases_and_events_of_both_groups:
    'the dynamic client applies leases, and events of both groups',
  test_reviews_tell_what_the_caller_may_do: 'reviews tell what the caller may do',
  test_reviews_tell_what_somebody_else_may_do: 'reviews tell what somebody else may do',
  test_reviews_tell_who_the_caller_is: 'reviews tell who the caller is',
  test_discovery_and_version_are_read: 'discovery and version are read',
  test_events_of_both_groups_are_one: 'events of both groups are one',
  test_leader_election_by_leases: 'leader election works by leases',
  test_kopf_runs_a_slow_handler_once: 'kopf runs a handler of 1.2 seconds once for a change',
};

export function python(running: () => ServerWithPast): void {
  const outputs = new Map<string, Promise<string | undefined>>();

  before(() => {
    for (const version of VERSIONS) outputs.set(version, handled(outputOfTests(version, running())));
  });

  for (const version of VERSIONS) {
    describe(`kubernetes ${version} for Python`, () => {
      const tests = Object.entries(TESTS).filter(([name]) => version !== '31.0.0' || !NEWER.includes(name));
      let output = '';

      before(async function () {
        this.timeout(180_000);
        const printed = await outputs.get(version);
        if (printed === undefined) return this.skip();
        output = printed;
      });

      for (const [name, promise] of tests) {
        it(promise, () => expect(output).to.match(new RegExp(`^${name} passed$`, 'm')));
      }
    });
  }
}

/** Begins to fetch all versions, while the server starts. */
export function installPython(): void {
  for (const version of VERSIONS) handled(interpreter(version));
}

/** Prevents an unhandled rejection, if the promise fails before it is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** The output of the tests with this version of the client. */
async function outputOfTests(version: string, { server, expired }: ServerWithPast): Promise<string | undefined> {
  const program = await interpreter(version);
  if (program === undefined) return undefined;
  const env = {
    ...process.env,
    KUBECONFIG: join(server.folder, 'data/kubeconfig'),
    EXPIRED: expired,
    PREFIX: `v${version.slice(0, 2)}`,
    PYTHONDONTWRITEBYTECODE: '1',
    ...(version === WITH_KOPF && { WITH_KOPF: '1' }),
  };
  return await outputOf(run(program, [FOLDER], { env, timeout: 60_000 }));
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Resolves with the output also if tests have failed. */
async function outputOf(running: Promise<Output>): Promise<string> {
  const { stdout, stderr } = await running.catch((error: Output) => error);
  return stdout + stderr;
}

/** The interpreter with this version. Without Python, `undefined`, or an error in CI. */
async function interpreter(version: string): Promise<string | undefined> {
  try {
    return await pythonWithClient(version);
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return undefined;
  }
}
