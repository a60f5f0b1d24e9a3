import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { goProgram, removeGoProgram } from '../../../hack/go-programs.js';
import type { Session } from './session.js';

/** The tests of `test/e2e/go` that send one request after another. */
const TESTS = [
  'TestDynamicClientWritesAndReads',
  'TestDynamicClientListsInPagesAndDeletesACollection',
  'TestErrorsAreThoseThatClientsTellApart',
  'TestInformerWithWatchListFollows',
  'TestInformerWithoutWatchListFollows',
];

/** client-go, in the version of the Go module of the tests. */
export const clientGo: Session = async ({ kubeconfig }) => {
  const program = await goProgram('clients');
  try {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    await promisify(execFile)(program, [`-test.run=^(${TESTS.join('|')})$`], { env });
  } finally {
    await removeGoProgram(program);
  }
  const module = await readFile(new URL('../../go.mod', import.meta.url), 'utf8');
  return `client-go ${/k8s\.io\/client-go (v\S+)/.exec(module)?.[1]}`;
};
