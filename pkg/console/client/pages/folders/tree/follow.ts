import { get } from '../../../lib/api.js';
import { pathOf } from '../../../lib/discovery.js';
import { keepFollowing } from '../../../lib/live.js';
import type { KubeList } from '../../../lib/object.js';
import { events } from '../../../lib/stream.js';
import { type Folder, folders } from '../model/kinds.js';
import type { FolderStore } from './store.js';

/** Keeps a store current by one watch of all folders, until the signal aborts. */
export function follow(store: FolderStore, signal: AbortSignal): void {
  const path = pathOf(folders(), store.namespace);
  let version = '';
  const begin = async (): Promise<void> => {
    const { metadata } = await get<KubeList<Folder>>(path, { limit: 1 }, signal);
    version = metadata.resourceVersion;
    await store.begin();
  };
  const watch = async (seen: AbortSignal): Promise<void> => {
    const query = { resourceVersion: version, allowWatchBookmarks: true };
    for await (const { type, object } of events<Folder>(path, { query, signal: seen })) {
      version = object.metadata.resourceVersion ?? version;
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') store.apply(object, type);
    }
  };
  void keepFollowing(begin, watch, signal, (error) => {
    if (version === '') store.fail(error);
  });
}
