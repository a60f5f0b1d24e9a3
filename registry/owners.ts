import type { KubeObject, OwnerReference } from '../pkg/meta/types.js';
import { type Key, partsOf } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { View, Write } from '../storage/transaction.js';
import { encodeTuple } from '../storage/tuple.js';
import type { Kind } from './kind.js';
import { OWNER_INDEX, objectKey, type Registry } from './registry.js';
import { objectOfEntry } from './view.js';

/** A stored object and its kind. */
export interface Found {
  readonly kind: Kind;
  readonly entry: Entry;
}

/** What `ownerReferences` make an object's own, and no other owner keeps: one in `gone` does not. Owners are of the same namespace, or of none. */
export function owned(registry: Registry, view: View, owner: KubeObject, gone: ReadonlySet<string>): readonly Found[] {
  return claimed(registry, view, owner).filter(({ entry }) => {
    const { ownerReferences = [], namespace = '' } = objectOfEntry(entry).metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
    return others.every((one) => !isKept(registry, view, namespace, one, gone));
  });
}

/** What names an object as one of its owners. */
function claimed(registry: Registry, view: View, { metadata }: KubeObject): readonly Found[] {
  const { uid, namespace } = metadata;
  if (uid === undefined) return [];
  const prefix = encodeTuple([uid]);
  return registry.kinds
    .filter(({ view: shown }) => shown === undefined)
    .flatMap((kind) =>
      view.range(kind.qualified, OWNER_INDEX, prefix, Number.POSITIVE_INFINITY).map((entry) => ({ kind, entry })),
    )
    .filter(({ entry }) => namespace === undefined || partsOf(entry.key).namespace === namespace);
}

/** `propagationPolicy=Orphan`: what it owned is nobody's, or the other owners'. What goes anyway is left alone. */
export function orphaned(registry: Registry, view: View, owner: KubeObject, going: readonly Write[]): readonly Write[] {
  const keys = new Set<string>(going.map(({ key }) => key));
  return claimed(registry, view, owner)
    .filter(({ entry }) => !keys.has(entry.key))
    .map(({ entry }) => ({ key: entry.key, object: disowned(objectOfEntry(entry), owner) }));
}

function disowned(object: KubeObject, { metadata: { uid: gone } }: KubeObject): KubeObject {
  const { resourceVersion: _, ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter(({ uid }) => uid !== gone);
  return { ...object, metadata: { ...metadata, ...(left.length > 0 && { ownerReferences: left }) } };
}

/** The owners of an object that there are. */
export function ownersOf(registry: Registry, view: View, { metadata }: KubeObject): readonly Found[] {
  const { ownerReferences = [], namespace = '' } = metadata;
  return ownerReferences.flatMap((one) => ownerNamed(registry, view, namespace, one) ?? []);
}

/** An owner of a kind that is not kept here is for others to judge. */
function isKept(
  registry: Registry,
  view: View,
  namespace: string,
  reference: OwnerReference,
  gone: ReadonlySet<string>,
): boolean {
  if (kindNamed(registry, reference) === undefined) return true;
  const owner = ownerNamed(registry, view, namespace, reference);
  return owner !== undefined && !gone.has(owner.entry.key);
}

function ownerNamed(registry: Registry, view: View, namespace: string, reference: OwnerReference): Found | undefined {
  const kind = kindNamed(registry, reference);
  const key: Key | undefined = kind && objectKey(kind, namespace, reference.name);
  const entry = key && view.get(key);
  if (kind === undefined || entry === undefined) return undefined;
  return objectOfEntry(entry).metadata.uid === reference.uid ? { kind, entry } : undefined;
}

/** By group and kind; any version will do. */
function kindNamed({ kinds }: Registry, { apiVersion, kind }: OwnerReference): Kind | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return kinds.find((one) => one.group === group && one.kind === kind && one.view === undefined);
}
