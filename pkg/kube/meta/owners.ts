import type { ObjectMeta, OwnerReference } from './types.js';

export interface DistinctOwners<Meta> {
  readonly metadata: Meta;
  /** The uid of each owner that was left out. */
  readonly repeated: readonly string[];
}

const NONE: readonly never[] = [];

/** The metadata without repeated owners. As in Kubernetes, entries of one uid that differ are different owners. */
export function withDistinctOwners<Meta extends Pick<ObjectMeta, 'ownerReferences'>>(
  metadata: Meta,
): DistinctOwners<Meta> {
  const { ownerReferences: owners = NONE } = metadata;
  if (owners.length < 2) return { metadata, repeated: NONE };
  const distinct = new Map<string, OwnerReference>();
  const repeated: string[] = [];
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const members = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (distinct.has(members)) repeated.push(uid);
    else distinct.set(members, owner);
  }
  if (repeated.length === 0) return { metadata, repeated };
  return { metadata: { ...metadata, ownerReferences: [...distinct.values()] }, repeated };
}
