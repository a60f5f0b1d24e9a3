import { join } from 'node:path';
import { KubeConfig, type KubernetesObject } from '@kubernetes/client-node';
import type { ServerWithPast } from '../expired.js';

export interface Folder extends KubernetesObject {
  readonly spec: { readonly title: string; readonly description?: string };
}

export const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
/** The place of the folders, for calls of CustomObjectsApi. */
export const WHERE = { group: 'folder.svc.app', version: 'v1beta1', namespace: 'default', plural: 'folders' } as const;

/** The configuration that the server writes for clients. */
export function configOf({ server }: ServerWithPast): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(join(server.folder, 'data/kubeconfig'));
  return config;
}

export const folder = (name: string, title = 'A title', labels: Readonly<Record<string, string>> = {}): Folder => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name, namespace: 'default', labels },
  spec: { title },
});
