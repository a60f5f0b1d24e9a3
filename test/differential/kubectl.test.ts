import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { GoMissing } from '../../hack/go-programs.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { type Kubectl, kubectlFor } from '../e2e/kubectl-client.js';
import { openPeer, type Peer } from './peer.js';

const manifest = (spec: object, labels: object = {}) =>
  JSON.stringify({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'Team',
    metadata: { name: 'ops', labels: { suite: 'kubectl', ...labels }, annotations: { note: 'x' } },
    spec,
  });

/** Commands in their order, with their standard input. */
const COMMANDS: readonly (readonly [string, string?])[] = [
  ['create -f -', manifest({ title: 'Ops', email: 'a@example.com' })],
  ['create -f -', manifest({ title: 'Ops' })],
  ['create -f -', manifest({ title: 5 })],
  ['create --validate=false -f -', manifest({ titel: 'x' })],
  ['apply -f -', manifest({ title: 'Ops' })],
  ['apply -f -', manifest({ title: 'Ops' })],
  ['apply -f -', manifest({ title: 'Ops 2' }, { more: 'y' })],
  ['apply --server-side -f -', manifest({ title: 'Ops 3' })],
  ['apply --server-side --force-conflicts -f -', manifest({ title: 'Ops 3' })],
  ['apply --server-side --field-manager=other -f -', manifest({ title: 'Ops 4' })],
  ['apply --dry-run=server -f -', manifest({ title: 'Ops 5' })],
  ['diff -f -', manifest({ title: 'Ops 3' })],
  ['get teams -o name'],
  ['get team ops -o jsonpath={.spec.title}'],
  ['get team nope'],
  ['get team nope --ignore-not-found'],
  ['get teams -l suite=kubectl -o name'],
  ['get teams --field-selector metadata.name=ops -o name'],
  ['get teams --field-selector spec.nope=x'],
  ['label team ops a=b'],
  ['label team ops a=b'],
  ['label team ops a=c'],
  ['label team ops a-'],
  ['annotate team ops note=y --overwrite'],
  ['patch team ops --type=merge -p {"spec":{"title":"Ops_6"}}'],
  ['patch team ops --type=json -p [{"op":"replace","path":"/spec/title","value":"Ops_7"}]'],
  ['patch team ops --type=json -p [{"op":"test","path":"/spec/title","value":"x"}]'],
  ['patch team ops --type=strategic -p {"spec":{}}'],
  ['replace -f -', manifest({ title: 'Ops 8' })],
  ['wait team/ops --for=jsonpath={.spec.title} --timeout=1s'],
  ['delete team ops --dry-run=server'],
  ['delete team ops'],
  ['delete team ops'],
  ['delete team ops --ignore-not-found'],
  ['scale team ops --replicas=2'],
  ['explain team.spec.nope'],
];

/** Removes kinds that only this server has, and what differs between any two servers. */
function comparable(text: string): string {
  return text
    .replaceAll(/(svc\.app\/[\w-]+: .*\n)/g, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>')
    .replaceAll(/resourceVersion: "\d+"/g, '<version>')
    .replaceAll(/\/tmp\/\S+/g, '<file>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| \+0000)?/g, '<time>');
}

describe('kubectl beside its use with the server of Kubernetes', function () {
  this.timeout(20 * 60_000);
  let server: TestServer | undefined;
  let peer: Peer | undefined;
  let both: readonly Kubectl[];

  before(async function () {
    server = await startServer();
    const { client, folder } = server;
    try {
      peer = await openPeer(async (path) => (await client.request('GET', path)).text);
    } catch (error) {
      if (process.env['CI'] !== undefined || !(error instanceof GoMissing)) throw error;
      this.skip();
    }
    const kubeconfig = join(folder, 'peer.kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(peer));
    both = [await server.kubectl(), await kubectlFor(kubeconfig, join(folder, 'peer'))];
  });

  after(async () => {
    await server?.stop();
    await peer?.stop();
  });

  it(`says the same to ${COMMANDS.length} commands, and ends with the same codes`, async () => {
    const different: string[] = [];
    for (const [command, input] of COMMANDS) {
      const options = input === undefined ? {} : { input };
      const [ours, theirs] = await Promise.all(both.map((kubectl) => kubectl.run(command.split(' '), options)));
      if (ours === undefined || theirs === undefined) throw new Error('there are two servers');
      const [here, there] = [ours, theirs].map(({ code, stdout, stderr }) => [
        code,
        comparable(stdout),
        firstWords(stderr),
      ]);
      if (JSON.stringify(here) !== JSON.stringify(there))
        different.push(`${command}\n  ${JSON.stringify(here)}\n  ${JSON.stringify(there)}`);
    }
    expect(different.join('\n')).to.equal('');
  });
});

/** The beginning of an error, which must be the same. The rest is the message of the server, whose words differ. */
function firstWords(stderr: string): string {
  return comparable(stderr)
    .split('\n')
    .map((line) => line.replace(/((is invalid|BadRequest|Invalid)[):]?) .*/, '$1'))
    .join('\n');
}

function kubeconfigOf({ base, token, caFile }: Peer): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'peer',
    clusters: [{ name: 'peer', cluster: { server: base, 'certificate-authority': caFile } }],
    users: [{ name: 'peer', user: { token } }],
    contexts: [{ name: 'peer', context: { cluster: 'peer', user: 'peer', namespace: 'default' } }],
  });
}
