import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { scopeHierarchy } from '../authorization/scope-hierarchy.js';
import { newAttributes } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { kindOf, type Registry } from '../kinds/registry.js';
import type { Reader } from '../read/reader.js';
import { type DeletionRecord, isSame } from './deletion-record.js';

interface Place {
  readonly registry: Pick<Registry, 'kinds'>;
  readonly reader: Reader;
  /** Whether the object comes back to another container than the one that it was in. */
  readonly isMoved: boolean;
}

/**
 * Why a deleted object that was private should not come back to its container: the container is not private any more,
 * or is another object with the same name. `undefined`: nothing is against it. `object` is the deleted object as it
 * would be stored.
 */
export function lostPrivacy(
  { registry, reader, isMoved }: Place,
  kind: Kind,
  { spec: { deletion } }: DeletionRecord,
  object: KubeObject,
): string | undefined {
  const wasRestricted = deletion.containers.some(({ isRestricted }) => isRestricted === true);
  if (!wasRestricted && kind.permissions?.restriction?.restricts(object) !== true) return undefined;
  const { namespace = '' } = object.metadata;
  const [nearest] = deletion.containers;
  const container = kindOf(registry, kind.containment?.resource ?? '');
  if (!isMoved && container && nearest && !isSame(container, reader, namespace, nearest.name, nearest.origin))
    return `it was private, and the ${container.singular} ${JSON.stringify(nearest.name)} is another one now`;
  const hierarchy = scopeHierarchy(kind, new Map(registry.kinds.map((kind) => [kind.qualified, kind])));
  if (hierarchy.isRestricted(newAttributes(kind, object), namespace, reader, false)) return undefined;
  return 'it was private, and would not be private now';
}
