import type { World } from './world.js';

/** Writes several objects here in one commit. With `prune`, it deletes the others of the set. */
export async function inOneCommit(
  world: World,
  name: string,
  objects: readonly object[],
  prune = false,
): Promise<void> {
  const { here } = world;
  const sets = '/apis/apply.svc.app/v1beta1/namespaces/default/applysets';
  const set = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplySet', metadata: { name }, spec: {} };
  await here.call('POST', sets, { body: set });
  const body = {
    apiVersion: 'apply.svc.app/v1beta1',
    kind: 'ApplyRequest',
    spec: { objects, force: true, prune: { enabled: prune } },
  };
  const answer = await here.call('POST', `${sets}/${name}/apply`, { body });
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
}

export const folder = (name: string, title: string, annotations = {}): object => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name, annotations },
  spec: { title },
});
export const dashboard = (name: string, title: string, annotations = {}): object => ({
  apiVersion: 'dashboard.svc.app/v1beta1',
  kind: 'Dashboard',
  metadata: { name, annotations },
  spec: { title },
});
