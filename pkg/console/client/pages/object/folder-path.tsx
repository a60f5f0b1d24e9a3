import { ApiError } from '../../lib/api.js';
import { useFollowed } from '../../lib/changes.js';
import { pathOf as collectionOf } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';
import { type Crumb, Crumbs } from '../folders/folder/crumbs.js';
import { aboutFolder } from '../folders/model/find.js';
import { folders, parentOf } from '../folders/model/kinds.js';

/** The folder that a caller may not view, but may know of. */
const HIDDEN: Crumb = { name: undefined, title: '…' };

/** The folders in which an object lies, as links. */
export function FolderPath({ object }: { readonly object: KubeObject | undefined }) {
  const folder = object === undefined ? '' : parentOf(object);
  const namespace = object?.metadata.namespace ?? '';
  const loading = useLoad((signal) => pathOf(namespace, folder, signal), [namespace, folder]);
  const above = loading.state.value.value ?? [];
  const names = above.map(({ name }) => name).join();
  const concerns = ({ metadata }: KubeObject): boolean => names.split(',').includes(metadata.name);
  const collection = { path: collectionOf(folders(), namespace), concerns };
  // Folders that are renamed or moved change the path.
  useFollowed(loading, folder === '' ? [] : [collection], [names]);
  return <Crumbs above={above} />;
}

async function pathOf(namespace: string, folder: string, signal: AbortSignal): Promise<readonly Crumb[]> {
  if (folder === '') return [];
  try {
    const { title, parents = [] } = await aboutFolder(namespace, folder, signal);
    const above = parents.map(({ uid, title: one }) => (uid === 'redacted' ? HIDDEN : { name: uid, title: one }));
    return [...above, { name: folder, title }];
  } catch (error) {
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return [HIDDEN];
    throw error;
  }
}
