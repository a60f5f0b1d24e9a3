import type { KubeObject } from '../pkg/meta/types.js';
import type { Key } from '../storage/key.js';
import type { Entry } from '../storage/state.js';
import type { View } from '../storage/transaction.js';
import { encodeTuple, type Tuple } from '../storage/tuple.js';
import type { Kind } from './kind.js';
import { hasContents } from './namespaces.js';
import { type Found, owned, ownersOf } from './owners.js';
import {
  CONTAINER_INDEX,
  containedKinds,
  containerTuple,
  kindOf,
  objectKey,
  REFERENCE_INDEX,
  type Registry,
  referenceTuple,
} from './registry.js';
import { objectOfEntry } from './view.js';

/** An object that is to go with another one. */
export interface Doomed extends Found {
  readonly object: KubeObject;
  /** It stays, terminating, because it or something that depends on it has finalizers. */
  readonly stays: boolean;
}

/**
 * The object and all that cannot be without it: what lies in it, what names it and what only it owns, and what depends on these; what depends
 * comes first, each once. With `orphan` what the object itself owns stays.
 */
export function subtree(
  registry: Registry,
  view: View,
  kind: Kind,
  entry: Entry,
  { orphan = false, seen = new Set<string>([entry.key]) } = {},
): readonly Doomed[] {
  const object = objectOfEntry(entry);
  const own = orphan ? [] : owned(registry, view, object, seen);
  const below = [...tied(registry, view, kind, object), ...own].flatMap((one) => {
    if (seen.has(one.entry.key)) return [];
    seen.add(one.entry.key);
    return subtree(registry, view, one.kind, one.entry, { seen });
  });
  const isHeld =
    (object.metadata.finalizers?.length ?? 0) > 0 || hasContents(registry, kind, object.metadata.name, view);
  return [...below, { kind, entry, object, stays: isHeld || below.some((one) => one.stays) }];
}

/** What goes with an object that is removed for good: all that was waiting for nothing else, and what waited for that. */
export function released(registry: Registry, view: View, kind: Kind, object: KubeObject): readonly Found[] {
  const gone = new Set<string>([keyOfObject(kind, object)]);
  const result: Found[] = [];
  const release = (from: Kind, removed: KubeObject): void => {
    for (const holder of holders(registry, view, from, removed)) {
      const waiting = objectOfEntry(holder.entry);
      if (gone.has(holder.entry.key) || !isReleased(registry, view, holder.kind, waiting, gone)) continue;
      gone.add(holder.entry.key);
      result.push(holder);
      release(holder.kind, waiting);
    }
  };
  release(kind, object);
  return result;
}

/** It was to go, and nothing holds it but what is gone. */
export function isReleased(
  registry: Registry,
  view: View,
  kind: Kind,
  object: KubeObject,
  gone: ReadonlySet<string> = new Set(),
): boolean {
  const { deletionTimestamp, finalizers = [], name } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || hasContents(registry, kind, name, view)) return false;
  const own = keyOfObject(kind, object);
  const left = [...tied(registry, view, kind, object), ...owned(registry, view, object, gone)];
  return left.every(({ entry }) => gone.has(entry.key) || entry.key === own);
}

function keyOfObject(kind: Kind, { metadata }: KubeObject): Key {
  return objectKey(kind, metadata.namespace ?? '', metadata.name);
}

/** What lies in an object, and what names it. */
function tied(registry: Registry, view: View, kind: Kind, object: KubeObject): readonly Found[] {
  const { namespace = '', name } = object.metadata;
  const find = (one: Kind, index: string, tuple: Tuple): readonly Found[] =>
    view
      .range(one.qualified, index, encodeTuple(tuple), Number.POSITIVE_INFINITY)
      .map((entry) => ({ kind: one, entry }));
  const reference = { resource: kind.qualified, namespace, name };
  return [
    ...containedKinds(registry, kind).flatMap((one) => find(one, CONTAINER_INDEX, containerTuple(namespace, name))),
    ...registry.kinds
      .filter(({ references }) => references !== undefined)
      .flatMap((one) => find(one, REFERENCE_INDEX, referenceTuple(reference))),
  ];
}

/** What an object may have been holding: its container, what it names, and its owners. */
function holders(registry: Registry, view: View, kind: Kind, object: KubeObject): readonly Found[] {
  const { namespace = '' } = object.metadata;
  const container = kind.containment?.container(object);
  const places = [
    ...(kind.containment && container !== undefined
      ? [{ resource: kind.containment.resource, namespace, name: container }]
      : []),
    ...(kind.references?.(object) ?? []),
  ];
  const found = places.flatMap(({ resource, namespace: where, name }): readonly Found[] => {
    const one = kindOf(registry, resource);
    const entry = one && view.get(objectKey(one, where, name));
    return one === undefined || entry === undefined ? [] : [{ kind: one, entry }];
  });
  return [...found, ...ownersOf(registry, view, object)];
}
