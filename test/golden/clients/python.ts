import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonWithClient } from '../../../hack/python-client.js';
import type { Session } from './session.js';

const FOLDER = fileURLToPath(new URL('../../e2e/python', import.meta.url));

/** The tests of `test/e2e/python` that send the same requests in every run, one after another. */
const TESTS = [
  'test_watch_sends_every_change_in_order',
  'test_watch_starts_with_what_exists_and_ends_after_its_time',
  'test_custom_objects_are_created_read_replaced_and_deleted',
  'test_custom_objects_are_patched',
  'test_custom_objects_are_listed_in_pages_and_deleted_together',
  'test_a_stale_write_is_refused_as_a_conflict_and_a_wrong_one_names_its_field',
  'test_create_from_dict_creates_built_in_kinds',
  'test_dynamic_client_reads_and_writes',
  'test_dynamic_client_sends_json_patches',
  'test_dynamic_client_applies_and_learns_of_conflicts',
  'test_dynamic_client_applies_less_and_tries_what_would_happen',
  'test_dynamic_client_applies_leases_and_events_of_both_groups',
  'test_reviews_tell_what_the_caller_may_do',
  'test_reviews_tell_what_somebody_else_may_do',
];

/** The Kubernetes client for Python in this version. */
export function pythonOf(version: string): Session {
  return async ({ kubeconfig, folder }) => {
    const program = await pythonWithClient(version);
    // The dynamic client caches discovery in the temporary folder.
    const env = {
      ...process.env,
      KUBECONFIG: kubeconfig,
      PREFIX: 'golden',
      PYTHONDONTWRITEBYTECODE: '1',
      TMPDIR: folder,
    };
    const { stdout } = await promisify(execFile)(program, [FOLDER, ...TESTS], { env });
    const failed = TESTS.filter((name) => !stdout.includes(`${name} passed\n`));
    if (failed.length > 0) throw new Error(`these tests failed: ${failed.join(', ')}\n${stdout}`);
    return `kubernetes ${version} for Python`;
  };
}
