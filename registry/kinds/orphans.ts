import { partsOf } from '../../storage/key.js';
import type { Owner } from '../../storage/state/resource.js';
import type { Entry, Reader } from '../read/reader.js';
import type { Kind } from './kind.js';
import type { Registry } from './registry.js';

/** An object at the newest state, unless its owner is gone. */
export function newestEntry(
  { reader }: Pick<Registry, 'reader'>,
  kind: Kind,
  namespace: string,
  name: string,
): Entry | undefined {
  const entry = reader.entry(kind.qualified, namespace, name);
  return entry === undefined || isOrphaned(kind, entry, reader) ? undefined : entry;
}

/**
 * Whether the owner that an object depends on is gone. Then the object counts as gone, too. This is not so for a
 * terminating object, because the controller that finalizes it must see it.
 */
export function isOrphaned(kind: Kind, entry: Entry, reader: Reader): boolean {
  if (kind.dependsOn === undefined) return false;
  const { key, attributes } = entry;
  const { owner, isTerminating } = attributes;
  if (owner === undefined || isTerminating === true) return false;
  return !ownerExists(kind, partsOf(key).namespace, owner, reader);
}

export function ownerExists({ dependsOn }: Kind, namespace: string, { name, uid }: Owner, reader: Reader): boolean {
  if (dependsOn === undefined) return true;
  return reader.entry(dependsOn.resource, namespace, name)?.attributes.uid === uid;
}
