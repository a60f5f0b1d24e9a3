import type { KubeObject } from '../pkg/meta/types.js';
import { conflict, invalid } from '../pkg/status/errors.js';
import type { Entry } from '../storage/state.js';
import type { View } from '../storage/transaction.js';
import { encodeTuple } from '../storage/tuple.js';
import type { Kind } from './kind.js';
import { hasContents } from './namespaces.js';
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
import type { WriteContext } from './strategy.js';
import { objectOfEntry } from './view.js';

/**
 * Refuses to put an object into a container that does not exist (Invalid) or is going away (409), and to move one that is going away itself
 * (409): its container may be waiting for it.
 */
export function checkContainer(kind: Kind, object: KubeObject, old: KubeObject | undefined, ctx: WriteContext): void {
  const { containment } = kind;
  const name = containment?.container(object);
  if (containment === undefined || (old !== undefined && containment.container(old) === name)) return;
  if (old?.metadata.deletionTimestamp !== undefined) {
    throw conflict(kind, object.metadata.name, 'the object is being deleted, it cannot be moved');
  }
  if (name === undefined) return;
  const container = ctx.view.get(containment.resource, ctx.namespace, name);
  if (container === undefined) {
    const message = `Not found: there is no ${JSON.stringify(name.slice(0, 100))} in ${containment.resource}`;
    throw invalid(
      kind,
      object.metadata.name,
      [{ reason: 'FieldValueNotFound', message, field: containment.field }],
      kind.invalidCode,
    );
  }
  if (container.metadata.deletionTimestamp === undefined) return;
  throw conflict(
    kind,
    object.metadata.name,
    `${containment.resource} ${JSON.stringify(name)} is being deleted, nothing can be put into it`,
  );
}

/** Refuses to name an object that does not exist (Invalid) or is going away (409). Only new references are looked at. */
export function checkReferences(kind: Kind, object: KubeObject, old: KubeObject | undefined, ctx: WriteContext): void {
  const known = new Set((old && kind.references?.(old))?.map((one) => referenceTuple(one).join('/')));
  for (const reference of kind.references?.(object) ?? []) {
    if (reference.optional === true || known.has(referenceTuple(reference).join('/'))) continue;
    const { resource, namespace, name, field } = reference;
    const target = ctx.view.get(resource, namespace, name);
    if (target === undefined) {
      const message = `Not found: there is no ${JSON.stringify(name)} in ${resource}`;
      throw invalid(kind, object.metadata.name, [{ reason: 'FieldValueNotFound', message, field }], kind.invalidCode);
    }
    if (target.metadata.deletionTimestamp !== undefined) {
      throw conflict(kind, object.metadata.name, `${resource} ${JSON.stringify(name)} is being deleted`);
    }
  }
}

/** An object of a subtree that is to go. */
export interface Doomed {
  readonly kind: Kind;
  readonly entry: Entry;
  readonly object: KubeObject;
  /** It stays, terminating, because it or something below has finalizers. */
  readonly stays: boolean;
}

/** The object, everything below it and everything that names any of these, the deepest first, each once. */
export function subtree(
  registry: Registry,
  view: View,
  kind: Kind,
  entry: Entry,
  seen = new Set<string>([entry.key]),
): readonly Doomed[] {
  const object = objectOfEntry(entry);
  const dependents = [...children(registry, view, kind, object), ...referrers(registry, view, kind, object)];
  const below = dependents.flatMap((child) => {
    if (seen.has(child.entry.key)) return [];
    seen.add(child.entry.key);
    return subtree(registry, view, child.kind, child.entry, seen);
  });
  const isHeld =
    (object.metadata.finalizers?.length ?? 0) > 0 || hasContents(registry, kind, object.metadata.name, view);
  const stays = isHeld || below.some((one) => one.stays);
  return [...below, { kind, entry, object, stays }];
}

interface Child {
  readonly kind: Kind;
  readonly entry: Entry;
}

/** What names an object and so cannot be without it. */
function referrers(registry: Registry, view: View, kind: Kind, object: KubeObject): readonly Child[] {
  const { namespace = '', name } = object.metadata;
  const prefix = encodeTuple(referenceTuple({ resource: kind.qualified, namespace, name }));
  return registry.kinds
    .filter((one) => one.references !== undefined)
    .flatMap((one) =>
      view
        .range(one.qualified, REFERENCE_INDEX, prefix, Number.POSITIVE_INFINITY)
        .map((entry) => ({ kind: one, entry })),
    );
}

function children(registry: Registry, view: View, kind: Kind, container: KubeObject): readonly Child[] {
  const { namespace = '', name } = container.metadata;
  const prefix = encodeTuple(containerTuple(namespace, name));
  return containedKinds(registry, kind).flatMap((contained) =>
    view
      .range(contained.qualified, CONTAINER_INDEX, prefix, Number.POSITIVE_INFINITY)
      .map((entry) => ({ kind: contained, entry })),
  );
}

export function hasChildren(
  registry: Registry,
  view: View,
  kind: Kind,
  container: KubeObject,
  except: ReadonlySet<string>,
): boolean {
  return children(registry, view, kind, container).some(({ entry }) => !except.has(entry.key));
}

/**
 * What goes with an object that is being removed for good: upwards, each container that was only waiting for it.
 */
export function released(registry: Registry, view: View, kind: Kind, object: KubeObject): readonly Child[] {
  const gone = new Set<string>([objectKey(kind, object.metadata.namespace ?? '', object.metadata.name)]);
  const result: Child[] = [];
  let [child, below] = [object, kind];
  for (;;) {
    const name = below.containment?.container(child);
    const container = below.containment && kindOf(registry, below.containment.resource);
    if (name === undefined || container === undefined) return result;
    const entry = view.get(objectKey(container, child.metadata.namespace ?? '', name));
    const parent = entry && objectOfEntry(entry);
    if (entry === undefined || parent === undefined || !isWaiting(parent)) return result;
    if (hasChildren(registry, view, container, parent, gone)) return result;
    result.push({ kind: container, entry });
    gone.add(entry.key);
    [child, below] = [parent, container];
  }
}

function isWaiting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers?.length ?? 0) === 0;
}
