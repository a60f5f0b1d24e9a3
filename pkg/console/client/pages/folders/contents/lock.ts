import type { Item } from '../model/elements.js';
import type { Lock } from '../model/kinds.js';
import type { FolderStore } from '../tree/store.js';

/** Why a folder or a dashboard is private. Folders that are known say it better than the search, which is older. */
export function lockOf({ kind, name, folder, isPrivate, isInPrivate }: Item, store: FolderStore): Lock | undefined {
  if (kind !== 'folders' && kind !== 'dashboards') return undefined;
  if (kind === 'folders' && store.node(name) !== undefined) return store.lockOf(name);
  if (isPrivate === true) return 'own';
  const isAbove = store.node(folder) === undefined ? isInPrivate === true : store.lockOf(folder) !== undefined;
  return isAbove ? 'above' : undefined;
}
