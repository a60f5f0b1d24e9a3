import { isTerminating, type KubeObject, type OwnerReference } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import { FOREGROUND, finalizersOf } from '../kinds/propagation.js';
import { namespaceOf, type Registry } from '../kinds/registry.js';
import { nameOf, objectOf } from '../read/reader.js';
import { ownerKind, ownersIn } from '../write/owners.js';

/** The owners of an object, as Kubernetes' collector tells them apart. */
interface Owners {
  /** They exist, and keep the object. */
  readonly solid: readonly OwnerReference[];
  /** There is no such object, or its name belongs to an object with another uid now. */
  readonly absent: readonly OwnerReference[];
  /** They are being deleted in the foreground, so they wait for the object. */
  readonly waiting: readonly OwnerReference[];
}

/**
 * An owner that is absent or waiting stays so, because uids are never used again. So the decision about a version of
 * the object stays valid.
 */
export function ownersOf(registry: Registry, dependent: Kind, object: KubeObject): Owners {
  const found = { solid: [] as OwnerReference[], absent: [] as OwnerReference[], waiting: [] as OwnerReference[] };
  for (const reference of ownersIn(object)) found[stateOf(registry, dependent, object, reference)].push(reference);
  return found;
}

/**
 * Owners that cannot be looked up are assumed to stay: those of unknown kinds, and those in a namespace if the object
 * is in none.
 */
function stateOf(
  registry: Registry,
  dependent: Kind,
  { metadata: { namespace = '' } }: KubeObject,
  reference: OwnerReference,
): keyof Owners {
  const kind = ownerKind(registry, reference);
  if (kind === undefined || isOutOfReach(dependent, kind)) return 'solid';
  const entry = registry.reader.entry(kind.qualified, namespaceOf(kind, namespace), reference.name);
  const owner = entry && objectOf(entry);
  if (owner?.metadata.uid !== reference.uid) return 'absent';
  return isTerminating(owner) && finalizersOf(owner).includes(FOREGROUND) ? 'waiting' : 'solid';
}

/** A cluster-scoped object cannot have an owner in a namespace. */
function isOutOfReach(dependent: Kind, owner: Kind): boolean {
  return dependent.scope === 'Cluster' && owner.scope === 'Namespaced';
}

/** The namespaces that are searched for an owner in the wrong one. */
const SEARCHED = 1000;

/** Tells people of new references to objects of other namespaces, which are no owners. */
export function reportMisplaced(
  registry: Registry,
  kind: Kind,
  object: KubeObject,
  before: KubeObject | undefined,
): void {
  const { report } = registry;
  if (report === undefined) return;
  const { namespace = '', name, uid } = object.metadata;
  const known = new Set(before && ownersIn(before).map((owner) => owner.uid));
  for (const reference of ownersIn(object)) {
    const owner = ownerKind(registry, reference);
    if (known.has(reference.uid) || owner === undefined || owner.scope === 'Cluster') continue;
    if (!isOutOfReach(kind, owner) && !isElsewhere(registry, owner, namespace, reference)) continue;
    const { apiVersion, kind: kindName } = kind;
    const id = `${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}`;
    report({
      reason: 'OwnerRefInvalidNamespace',
      type: 'Warning',
      message: `ownerRef [${id}] does not exist in namespace ${JSON.stringify(namespace)}`,
      about: { apiVersion, kind: kindName, namespace, name },
      ...(uid !== undefined && { uid }),
    });
  }
}

/** Whether the object of the reference is in another namespace. */
function isElsewhere(
  { reader, namespaces }: Registry,
  owner: Kind,
  namespace: string,
  { name, uid }: OwnerReference,
): boolean {
  if (namespaces === undefined) return false;
  let searched = 0;
  for (const entry of reader.inNamespace(namespaces.qualified, '')) {
    if (++searched > SEARCHED) return false;
    const object = nameOf(entry) === namespace ? undefined : reader.get(owner.qualified, nameOf(entry), name);
    if (object !== undefined && object.metadata.uid === uid) return true;
  }
  return false;
}
