import { writeFile } from 'node:fs/promises';
import type { Kubectl } from '../../test/e2e/kubectl-client.js';

/** Actions by the resource that they are on: `{ folders: ['read'] }`. */
export type Actions = Readonly<Record<string, readonly string[]>>;

interface KubeConfig {
  readonly clusters: readonly object[];
}

/** Makes a service account that may do only this, and writes a kubeconfig with its token. */
export async function makeAccount(kubectl: Kubectl, name: string, actions: Actions, kubeconfig: string): Promise<void> {
  const permissions = Object.entries(actions).flatMap(([resource, verbs]) =>
    verbs.map((verb) => ({ action: `${resource}:${verb}`, scope: `${resource}:*` })),
  );
  const object = (kind: string, spec: object): object => {
    return { apiVersion: 'iam.svc.app/v1beta1', kind, metadata: { name }, spec };
  };
  const items = [
    object('ServiceAccount', { title: name, role: 'None' }),
    object('Role', { permissions }),
    object('RoleBinding', { subject: { kind: 'ServiceAccount', name }, roleRef: { kind: 'Role', name } }),
  ];
  await kubectl.ok(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  const token = (await kubectl.ok(['create', 'token', name])).trim();
  const { clusters } = await kubectl.json<KubeConfig>(['config', 'view', '--raw']);
  await writeFile(kubeconfig, JSON.stringify(configOf(clusters, token)), { mode: 0o600 });
}

function configOf(clusters: readonly object[], token: string): object {
  const [cluster = {}] = clusters;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ ...cluster, name: 'server' }],
    users: [{ name: 'account', user: { token } }],
    contexts: [{ name: 'context', context: { cluster: 'server', user: 'account', namespace: 'default' } }],
    'current-context': 'context',
  };
}
