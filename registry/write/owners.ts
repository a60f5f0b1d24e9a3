import { groupOf } from '../../pkg/kube/meta/api-version.js';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { partsOf } from '../../storage/key.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceOf, OWNER_INDEX, type Registry } from '../kinds/registry.js';
import { type Entry, objectOf, type Reader } from '../read/reader.js';
import type { Version } from './retain.js';

/** A stored object and its kind. */
export interface KindEntry {
  readonly kind: Kind;
  readonly entry: Entry;
}

type Kinds = Pick<Registry, 'kinds'>;

/** What a deletion retains of an object that it removes. */
export function removedOf({ kind, entry }: KindEntry): Version {
  return { kind, object: objectOf(entry), value: entry.value };
}

/**
 * The objects that name this object as one of their owners. Owners are in the same namespace or cluster-scoped: a
 * reference to an object of another namespace is no reference to it.
 */
export function* dependentsOf(registry: Kinds, reader: Reader, owner: KubeObject): Generator<KindEntry, void> {
  const { uid } = owner.metadata;
  if (uid === undefined || ownerKind(registry, owner) === undefined) return;
  for (const kind of registry.kinds) {
    if (kind.conversion !== undefined) continue;
    for (const entry of reader.walk(kind.qualified, OWNER_INDEX, [uid])) {
      if (isDependent(registry, entry, owner)) yield { kind, entry };
    }
  }
}

/** Whether the object names `owner` as one of its owners. */
export function isDependent(registry: Kinds, entry: Entry, owner: KubeObject): boolean {
  const { namespace } = owner.metadata;
  if (namespace !== undefined && partsOf(entry.key).namespace !== namespace) return false;
  return ownersIn(objectOf(entry)).some((reference) => names(registry, reference, owner));
}

/** Whether a foreground deletion of `owner` waits for the object. */
export function isBlocking(registry: Kinds, { entry }: KindEntry, owner: KubeObject): boolean {
  return ownersIn(objectOf(entry)).some(
    (reference) => reference.blockOwnerDeletion === true && names(registry, reference, owner),
  );
}

/**
 * Whether the reference names this object. The uid alone does not suffice: who may block the deletion of an owner is
 * decided by kind and name.
 */
export function names(registry: Kinds, reference: OwnerReference, owner: KubeObject): boolean {
  const { uid, name } = owner.metadata;
  return (
    reference.uid === uid && reference.name === name && ownerKind(registry, reference) === ownerKind(registry, owner)
  );
}

export function ownersIn({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** Whether a reference names an object that exists. */
export function hasOwner(registry: Kinds, reader: Reader, namespace: string, reference: OwnerReference): boolean {
  const kind = ownerKind(registry, reference);
  if (kind === undefined) return false;
  const entry = reader.entry(kind.qualified, namespaceOf(kind, namespace), reference.name);
  return entry !== undefined && objectOf(entry).metadata.uid === reference.uid;
}

/** The stored kind of an owner, by group and kind. The version may differ. Internal objects own nothing. */
export function ownerKind(
  { kinds }: Kinds,
  { apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>,
): Kind | undefined {
  const group = groupOf(apiVersion);
  const served = kinds.find((candidate) => candidate.group === group && candidate.kind === kind && candidate.served);
  if (served?.conversion === undefined) return served;
  return kinds.find((kind) => kind.qualified === served.qualified && kind.conversion === undefined);
}
