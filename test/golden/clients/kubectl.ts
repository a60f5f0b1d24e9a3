import { builtKubectl } from '../../../hack/kubectl.js';
import { kubectlFor } from '../../e2e/kubectl-client.js';
import type { Session } from './session.js';

const folder = (name: string, title: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    apiVersion: 'folder.svc.app/v1beta1',
    kind: 'Folder',
    metadata: { name, ...more },
    spec: { title },
  });

/** A tree as one list, because older versions read only the first of several JSON documents. */
const tree = (title: string): string => {
  const labels = { app: 'golden' };
  const leaf = folder('leaf', 'Leaf', { labels, annotations: { 'svc.app/folder': 'top' } });
  return `{"apiVersion":"v1","kind":"List","items":[${folder('top', title, { labels })},${leaf}]}`;
};

/** Commands in their order, with their standard input. Failures are recorded, too. */
const COMMANDS: readonly (readonly [command: string, input?: string])[] = [
  ['version'],
  ['api-resources --api-group=folder.svc.app'],
  ['explain folder.spec'],
  ['get folders'],
  ['get folder nowhere'],
  ['create -f -', folder('one', 'One')],
  ['create -f -', folder('one', 'One')],
  ['create -f - --validate=strict', folder('', 'Bad', { name: 'Not A Name' })],
  ['apply -f -', tree('Top')],
  ['apply -f -', tree('Top')],
  ['apply -f -', tree('Changed')],
  ['apply --dry-run=server -f -', tree('Dry')],
  ['diff -f -', tree('Other')],
  ['apply --server-side -f -', folder('two', 'Two')],
  ['apply --server-side -f -', folder('two', 'Two')],
  ['apply --server-side --field-manager=other -f -', folder('two', 'Conflict')],
  ['apply --server-side --field-manager=other --force-conflicts -f -', folder('two', 'Conflict')],
  ['apply --server-side -f -', tree('Taken over')],
  ['get folders --show-labels'],
  ['get folders -l app=golden -o wide --chunk-size=1'],
  ['get folder top -o yaml --show-managed-fields'],
  ['get folders --field-selector metadata.name=top -o name'],
  ['label folder one team=a'],
  ['annotate folder one note=b'],
  ['patch folder one --type=merge -p {"spec":{"title":"Merged"}}'],
  ['patch folder one --type=json -p [{"op":"replace","path":"/spec/title","value":"Patched"}]'],
  ['patch folder one --type=merge -p {"spec":{"colour":"red"}}'],
  ['replace -f -', folder('one', 'Replaced')],
  ['auth can-i create folders'],
  ['auth whoami'],
  ['create token nobody'],
  ['describe folder one'],
  ['wait folder/one --for=jsonpath={.spec.title}=Replaced --timeout=5s'],
  ['events'],
  ['delete folder one'],
  ['delete folders -l app=golden --wait=false'],
  ['delete -f - --ignore-not-found', tree('Gone')],
  ['delete folder two --cascade=orphan'],
];

/** kubectl, built from this version of its module. */
export function kubectlOf(version: string): Session {
  return async ({ kubeconfig, folder: home }) => {
    const path = await builtKubectl(version);
    const kubectl = await kubectlFor(kubeconfig, home, path);
    for (const [command, input = ''] of COMMANDS) await kubectl.run(command.split(' '), { input });
    return `kubectl ${version.replace('v0', 'v1')}`;
  };
}
