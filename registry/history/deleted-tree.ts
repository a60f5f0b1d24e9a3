import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Yielder } from '../../pkg/system/yielding/yielding.js';
import type { Kind, Reference } from '../kinds/kind.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import { ownerKind } from '../write/owners.js';

/** An object that was deleted, and its kind. */
export interface DeletedObject {
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** The objects, by resource, namespace and name. */
export function idOf(resource: string, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`;
}

export function idOfDeleted({ kind, object: { metadata } }: DeletedObject): string {
  return idOf(kind.qualified, metadata.namespace ?? '', metadata.name);
}

/** The objects that an object depends on. It is deleted together with each of them. */
interface Dependencies {
  readonly container: string | undefined;
  readonly references: readonly Reference[];
  readonly owners: readonly string[];
}

export function dependenciesOf(registry: Registry, { kind, object }: DeletedObject): Dependencies {
  const { namespace = '', ownerReferences = [] } = object.metadata;
  const container = kind.containment?.container(object);
  return {
    container: container && idOf(kind.containment?.resource ?? '', namespace, container),
    references: kind.references?.(object) ?? [],
    owners: ownerReferences.flatMap((owner) => {
      const found = ownerKind(registry, owner);
      return found === undefined ? [] : [idOf(found.qualified, namespaceOf(found, namespace), owner.name)];
    }),
  };
}

/** The ids of everything that the object depends on. */
export function dependsOn({ container, references, owners }: Dependencies): readonly string[] {
  const referenced = references.map(({ resource, namespace, name }) => idOf(resource, namespace, name));
  return [...(container === undefined ? [] : [container]), ...referenced, ...owners];
}

/**
 * The named object, and all objects of the deletion that depend on it, directly or indirectly. Containers come before
 * their contents.
 */
export async function treeOf(
  registry: Registry,
  deleted: readonly DeletedObject[],
  root: string,
): Promise<readonly DeletedObject[]> {
  const inside = new Set([root]);
  const tree: DeletedObject[] = [];
  const yielder = new Yielder();
  for (const object of deleted) {
    if (yielder.isDue) await yielder.yield();
    const id = idOfDeleted(object);
    if (id !== root && !dependsOn(dependenciesOf(registry, object)).some((other) => inside.has(other))) continue;
    inside.add(id);
    tree.push(object);
  }
  return tree;
}
