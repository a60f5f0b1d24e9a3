// For each Workspace, keeps a private folder, and a RoleBinding that makes its team the administrator of the folder.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

interface Workspace extends KubernetesObject {
  readonly spec: { readonly title: string; readonly team: string };
}

const config = new KubeConfig();
config.loadFromDefault();
const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
const WORKSPACES = { group: 'example.com', version: 'v1', namespace, plural: 'workspaces' };
const objects = KubernetesObjectApi.makeApiClient(config);
const custom = config.makeApiClient(CustomObjectsApi);

/** What belongs to a workspace. The server deletes it together with its owner. */
function belongings({ metadata = {}, spec }: Workspace): readonly (KubernetesObject & { readonly spec: unknown })[] {
  const { name = '', uid = '' } = metadata;
  const owner = { apiVersion: 'example.com/v1', kind: 'Workspace', name, uid, controller: true };
  const own = (more: string = '') => ({ name: `${name}${more}`, namespace, ownerReferences: [owner] });
  const folder = { ...own(), annotations: { 'svc.app/basic-roles': 'none' } };
  const access = { subject: { kind: 'Team', name: spec.team }, roleRef: { kind: 'BuiltIn', name: 'Admin' } };
  return [
    { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder', metadata: folder, spec: { title: spec.title } },
    {
      apiVersion: 'iam.svc.app/v1beta1',
      kind: 'RoleBinding',
      metadata: own('.workspace'),
      spec: { ...access, scope: { folder: name } },
    },
  ];
}

/** May run at any time and any number of times: an apply that changes nothing writes nothing. */
async function reconcile(workspace: Workspace): Promise<void> {
  const { name = '', generation: observedGeneration } = workspace.metadata ?? {};
  for (const object of belongings(workspace))
    await objects.patch(object, undefined, undefined, 'workspaces', true, PatchStrategy.ServerSideApply);
  const body = { status: { folder: name, observedGeneration } };
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await custom.patchNamespacedCustomObjectStatus({ ...WORKSPACES, name, body }, merge);
  console.log(`${name}: its folder and its permissions are there`);
}

const list = () => custom.listNamespacedCustomObject(WORKSPACES);
const informer = makeInformer<Workspace>(config, `/apis/example.com/v1/namespaces/${namespace}/workspaces`, list);
const kept = (workspace: Workspace): void =>
  void reconcile(workspace).catch((error: Error) => console.error(`${workspace.metadata?.name}: ${error.message}`));
for (const event of ['add', 'update'] as const) informer.on(event, kept);
informer.on('error', () => void sleep(1000).then(() => informer.start()));
await informer.start();
// Repairs what was changed or deleted by hand, and what failed.
setInterval(() => informer.list().forEach(kept), 10_000);
