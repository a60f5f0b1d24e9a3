import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  AuthenticationV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
} from '@kubernetes/client-node';
import { FOLDERS, type Folder, folder, WHERE } from '../../e2e/javascript/setup.js';
import type { Session } from './session.js';

/** `@kubernetes/client-node`, in the version of package.json. */
export const clientNode: Session = async ({ url }) => {
  const config = new KubeConfig();
  // The client refuses plain HTTP without this.
  config.loadFromClusterAndUser({ name: 'recorded', server: url, skipTLSVerify: true }, { name: 'nobody' });
  await objects(config);
  await custom(config);
  await builtIn(config);
  await reviews(config);
  await informer(config);
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { devDependencies } = JSON.parse(text) as { readonly devDependencies: Readonly<Record<string, string>> };
  return `@kubernetes/client-node ${devDependencies['@kubernetes/client-node']}`;
};

async function objects(config: KubeConfig): Promise<void> {
  const client = KubernetesObjectApi.makeApiClient(config);
  const apply = (object: Folder, manager: string, force = false): Promise<Folder> =>
    client.patch(object, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
  const made = await client.create(folder('object', 'One'));
  await client.replace({ ...made, spec: { title: 'Two' } });
  await refused(client.replace({ ...made, spec: { title: 'Three' } }));
  await client.read({ ...folder('object'), metadata: { name: 'object', namespace: 'default' } });
  await client.list('folder.svc.app/v1beta1', 'Folder', 'default');
  await client.delete(folder('object'));
  await refused(client.delete(folder('object')));
  await apply(folder('applied', 'One'), 'one');
  await apply(folder('applied', 'One'), 'one');
  await refused(apply(folder('applied', 'Two'), 'two'));
  await apply(folder('applied', 'Two'), 'two', true);
}

async function custom(config: KubeConfig): Promise<void> {
  const client = config.makeApiClient(CustomObjectsApi);
  for (const name of ['custom-1', 'custom-2']) {
    await client.createNamespacedCustomObject({ ...WHERE, body: folder(name, 'One', { test: 'custom' }) });
  }
  const body = [{ op: 'replace', path: '/spec/title', value: 'Two' }];
  await client.patchNamespacedCustomObject({ ...WHERE, name: 'custom-1', body });
  const query = { ...WHERE, labelSelector: 'test=custom', limit: 1 };
  const page = (await client.listNamespacedCustomObject(query)) as {
    readonly metadata: Readonly<Record<string, string | undefined>>;
  };
  const next = page.metadata['_continue'] ?? page.metadata['continue'] ?? '';
  await client.listNamespacedCustomObject({ ...query, _continue: next });
  await client.deleteCollectionNamespacedCustomObject({ ...WHERE, labelSelector: 'test=custom' });
}

async function builtIn(config: KubeConfig): Promise<void> {
  const [namespace, core, leases] = [
    'default',
    config.makeApiClient(CoreV1Api),
    config.makeApiClient(CoordinationV1Api),
  ];
  const involvedObject = { kind: 'Folder', namespace, name: 'applied' };
  await core.createNamespacedEvent({
    namespace,
    body: { metadata: { name: 'event' }, involvedObject, reason: 'Tested' },
  });
  await core.listNamespacedEvent({ namespace, fieldSelector: 'involvedObject.name=applied' });
  const made = await leases.createNamespacedLease({ namespace, body: { metadata: { name: 'lease' } } });
  await leases.replaceNamespacedLease({ name: 'lease', namespace, body: { ...made, spec: { holderIdentity: 'one' } } });
  await leases.deleteNamespacedLease({ name: 'lease', namespace });
}

async function reviews(config: KubeConfig): Promise<void> {
  await config.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} });
  const resourceAttributes = { group: WHERE.group, resource: WHERE.plural, verb: 'create', namespace: WHERE.namespace };
  const client = config.makeApiClient(AuthorizationV1Api);
  await client.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } });
  await client.createSubjectAccessReview({ body: { spec: { resourceAttributes, user: 'nobody' } } });
}

/** Lists, and sees the changes of one folder in a watch. */
async function informer(config: KubeConfig): Promise<void> {
  const client = KubernetesObjectApi.makeApiClient(config);
  const list = () => config.makeApiClient(CustomObjectsApi).listNamespacedCustomObject(WHERE);
  const following = makeInformer<Folder>(config, FOLDERS, list);
  const told = new EventEmitter();
  for (const event of ['add', 'update', 'delete'] as const) following.on(event, () => told.emit(event));
  await following.start();
  for (const [event, change] of [
    ['add', () => client.create(folder('informed'))],
    [
      'update',
      () =>
        client.patch(folder('informed', 'Two'), undefined, undefined, undefined, undefined, PatchStrategy.MergePatch),
    ],
    ['delete', () => client.delete(folder('informed'))],
  ] as const) {
    const heard = once(told, event);
    await change();
    await heard;
  }
  await following.stop();
}

/** Waits for a call that the server refuses. */
async function refused(call: Promise<unknown>): Promise<void> {
  const answer = await call.then(
    () => 'accepted',
    () => 'refused',
  );
  if (answer === 'accepted') throw new Error('the server did not refuse what it should');
}
