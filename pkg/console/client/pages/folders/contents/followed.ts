import type { Collection } from '../../../lib/changes.js';
import { pathOf } from '../../../lib/discovery.js';
import type { Desk } from '../model/desk.js';
import { type KindName, parentOf, resourceFor } from '../model/kinds.js';
import type { Source } from './source.js';

/** The collection that a source follows to stay current. None for folders, which the tree follows. */
export function followedFor(kind: KindName, { namespace, details }: Desk, source: Source): readonly Collection[] {
  const resource = kind === 'folders' ? undefined : resourceFor(kind);
  if (resource === undefined) return [];
  const changed = (): void => {
    if (kind === 'dashboards') details.stale();
    source.reload();
  };
  return [{ path: pathOf(resource, namespace), changed }];
}

/** The same for the objects of one folder. */
export function followedIn(folder: string, kind: KindName, desk: Desk, source: Source): readonly Collection[] {
  const isShown = (name: string): boolean => source.state.peek().items.some((item) => item.name === name);
  return followedFor(kind, desk, source).map((one) => ({
    ...one,
    concerns: (object) => parentOf(object) === folder || isShown(object.metadata.name),
  }));
}
