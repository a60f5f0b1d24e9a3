import type { KubeObject, OwnerReference } from '../../pkg/meta/types.js';
import { partsOf } from '../../storage/key.js';
import type { Version } from '../history/retain.js';
import type { Kind } from '../kind.js';
import { type Entry, objectOf, type Reader } from '../reader.js';
import { namespaceOf, OWNER_INDEX, type Registry } from '../registry.js';

/** A stored object and its kind. */
export interface Found {
  readonly kind: Kind;
  readonly entry: Entry;
}

/** What a deletion retains of an object that it removes. */
export function removedOf({ kind, entry }: Found): Version {
  return { kind, object: objectOf(entry), value: entry.value };
}

/**
 * The objects that name this object in `ownerReferences` and have no other owner that stays. An owner in `gone` does not stay. Owners are in
 * the same namespace or cluster-scoped.
 */
export function owned(
  registry: Registry,
  reader: Reader,
  owner: KubeObject,
  gone: ReadonlySet<string>,
): readonly Found[] {
  return claimed(registry, reader, owner).filter(({ entry }) => {
    const { ownerReferences = [], namespace = '' } = objectOf(entry).metadata;
    const others = ownerReferences.filter((one) => !names(registry, one, owner));
    return others.every((one) => !stays(registry, reader, namespace, one, gone));
  });
}

/** The objects that name this object as one of their owners. */
function claimed(registry: Registry, reader: Reader, owner: KubeObject): readonly Found[] {
  const { uid, namespace } = owner.metadata;
  if (uid === undefined || ownerKind(registry, owner) === undefined) return [];
  return registry.kinds
    .filter(({ conversion, cached }) => conversion === undefined && cached)
    .flatMap((kind) => reader.entries(kind.qualified, OWNER_INDEX, [uid]).map((entry) => ({ kind, entry })))
    .filter(({ entry }) => namespace === undefined || partsOf(entry.key).namespace === namespace)
    .filter(({ entry }) => objectOf(entry).metadata.ownerReferences?.some((one) => names(registry, one, owner)));
}

/** Whether the reference names this object. The uid alone does not suffice: who may name an owner is decided by kind and name. */
function names(registry: Registry, reference: OwnerReference, owner: KubeObject): boolean {
  const { uid, name } = owner.metadata;
  return (
    reference.uid === uid && reference.name === name && ownerKind(registry, reference) === ownerKind(registry, owner)
  );
}

/** The objects that lose this owner with `propagationPolicy=Orphan`. Objects that the deletion removes anyway are left out. */
export function orphans(
  registry: Registry,
  reader: Reader,
  owner: KubeObject,
  deleted: readonly Found[],
): readonly Entry[] {
  const keys = new Set<string>(deleted.map(({ entry }) => entry.key));
  return claimed(registry, reader, owner)
    .map(({ entry }) => entry)
    .filter(({ key }) => !keys.has(key));
}

/** The object without this owner. */
export function disowned(registry: Registry, object: KubeObject, owner: KubeObject): KubeObject {
  const { resourceVersion: _, ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter((one) => !names(registry, one, owner));
  return { ...object, metadata: { ...metadata, ...(left.length > 0 && { ownerReferences: left }) } };
}

/** The owners of an object that exist. */
export function ownersOf(registry: Registry, reader: Reader, { metadata }: KubeObject): readonly Found[] {
  const { ownerReferences = [], namespace = '' } = metadata;
  return ownerReferences.flatMap((one) => ownerNamed(registry, reader, namespace, one) ?? []);
}

/** Whether the owner stays. An owner of a kind that this server does not have is assumed to stay. */
function stays(
  registry: Registry,
  reader: Reader,
  namespace: string,
  reference: OwnerReference,
  gone: ReadonlySet<string>,
): boolean {
  if (ownerKind(registry, reference) === undefined) return true;
  const owner = ownerNamed(registry, reader, namespace, reference);
  return owner !== undefined && !gone.has(owner.entry.key);
}

function ownerNamed(
  registry: Registry,
  reader: Reader,
  namespace: string,
  reference: OwnerReference,
): Found | undefined {
  const kind = ownerKind(registry, reference);
  const entry = kind && reader.entry(kind.qualified, namespaceOf(kind, namespace), reference.name);
  if (kind === undefined || entry === undefined) return undefined;
  return objectOf(entry).metadata.uid === reference.uid ? { kind, entry } : undefined;
}

/**
 * The kind of an owner, by group and kind. The version may differ. Owner references to objects of uncached kinds are not followed, because
 * a commit cannot search these kinds. Internal objects own nothing.
 */
export function ownerKind(
  { kinds }: Registry,
  { apiVersion, kind }: Pick<OwnerReference, 'apiVersion' | 'kind'>,
): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return kinds.find(
    (one) => one.group === group && one.kind === kind && one.conversion === undefined && one.cached && one.served,
  );
}
