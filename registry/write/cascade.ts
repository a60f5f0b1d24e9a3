import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Key } from '../../storage/key.js';
import type { Tuple } from '../../storage/state/tuple.js';
import type { Kind } from '../kinds/kind.js';
import { hasContents } from '../kinds/namespaces.js';
import { finalizersOf } from '../kinds/propagation.js';
import {
  CONTAINER_INDEX,
  containedKinds,
  containerTuple,
  kindOf,
  namespaceOf,
  objectKey,
  REFERENCE_INDEX,
  type Registry,
  referenceTuple,
} from '../kinds/registry.js';
import { type Entry, objectOf, parsedSteps, type Reader } from '../read/reader.js';
import type { KindEntry } from './owners.js';

/** An object of a deletion: the object that the request names, or one that depends on it. */
export interface CascadeItem extends KindEntry {
  readonly object: KubeObject;
  /** The object stays terminating, because it or an object that depends on it has finalizers. */
  readonly stays: boolean;
}

interface CascadeOptions {
  /** The finalizers that the object will have. By default, those that it has. */
  readonly finalizers?: readonly string[];
}

/**
 * The object and all objects that depend on it, directly or indirectly: its contents, and the objects that reference
 * it. Each object occurs once, after its dependents. What it owns is left to the garbage collector. Pauses after each
 * object.
 */
export function* cascade(
  registry: Registry,
  reader: Reader,
  kind: Kind,
  entry: Entry,
  options: CascadeOptions = {},
  seen = new Set<string>([entry.key]),
): Generator<undefined, readonly CascadeItem[], undefined> {
  const object = yield* parsedSteps(entry);
  const below: CascadeItem[] = [];
  for (const dependent of tied(registry, reader, kind, object)) {
    yield;
    if (seen.has(dependent.entry.key)) continue;
    seen.add(dependent.entry.key);
    for (const item of yield* cascade(registry, reader, dependent.kind, dependent.entry, {}, seen)) below.push(item);
  }
  const { finalizers = finalizersOf(object) } = options;
  const isHeld = finalizers.length > 0 || hasContents(registry, kind, object.metadata.name, reader);
  const stays = isHeld || below.some((item) => item.stays);
  below.push({ kind, entry, object, stays });
  return below;
}

/** The terminating objects that only this object was holding, directly or indirectly. */
export function released(registry: Registry, reader: Reader, kind: Kind, object: KubeObject): readonly KindEntry[] {
  const deletedKeys = new Set<string>([keyOfObject(kind, object)]);
  const free: KindEntry[] = [];
  const release = (from: Kind, removed: KubeObject): void => {
    for (const holder of holders(registry, reader, from, removed)) {
      const waiting = objectOf(holder.entry);
      if (deletedKeys.has(holder.entry.key) || !isReleased(registry, reader, holder.kind, waiting, deletedKeys))
        continue;
      deletedKeys.add(holder.entry.key);
      free.push(holder);
      release(holder.kind, waiting);
    }
  };
  release(kind, object);
  return free;
}

/** Whether the object is terminating, and is held by nothing except objects in `deletedKeys`. */
export function isReleased(
  registry: Registry,
  reader: Reader,
  kind: Kind,
  object: KubeObject,
  deletedKeys: ReadonlySet<string> = new Set(),
): boolean {
  const { deletionTimestamp, finalizers = [], name } = object.metadata;
  if (deletionTimestamp === undefined || finalizers.length > 0 || hasContents(registry, kind, name, reader))
    return false;
  const own = keyOfObject(kind, object);
  for (const { entry } of tied(registry, reader, kind, object)) {
    if (!deletedKeys.has(entry.key) && entry.key !== own) return false;
  }
  return true;
}

function keyOfObject(kind: Kind, { metadata }: KubeObject): Key {
  return objectKey(kind, metadata.namespace ?? '', metadata.name);
}

/**
 * The contents of an object, and the objects that reference it. The transaction must not write during the iteration.
 */
function* tied(
  registry: Registry,
  reader: Reader,
  kind: Kind,
  object: KubeObject,
): Generator<KindEntry, void, undefined> {
  const { namespace = '', name } = object.metadata;
  const reference = { resource: kind.qualified, namespace, name };
  for (const containedKind of containedKinds(registry, kind))
    yield* found(reader, containedKind, CONTAINER_INDEX, containerTuple(namespace, name));
  for (const kind of registry.kinds)
    if (kind.references !== undefined) yield* found(reader, kind, REFERENCE_INDEX, referenceTuple(reference));
}

function* found(reader: Reader, kind: Kind, index: string, tuple: Tuple): Generator<KindEntry, void, undefined> {
  for (const entry of reader.walk(kind.qualified, index, tuple)) yield { kind, entry };
}

/** The objects that this object may have held: its container, and the objects that it references. */
function holders(registry: Registry, reader: Reader, kind: Kind, object: KubeObject): readonly KindEntry[] {
  const { namespace = '' } = object.metadata;
  const container = kind.containment?.container(object);
  const names = [
    ...(kind.containment && container !== undefined
      ? [{ resource: kind.containment.resource, namespace, name: container }]
      : []),
    ...(kind.references?.(object) ?? []),
  ];
  return names.flatMap(({ resource, namespace: where, name }): readonly KindEntry[] => {
    const kind = kindOf(registry, resource);
    const entry = kind && reader.entry(kind.qualified, namespaceOf(kind, where), name);
    return kind === undefined || entry === undefined ? [] : [{ kind, entry }];
  });
}
