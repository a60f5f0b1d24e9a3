import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { partsOf } from '../../storage/key.js';
import type { Client } from '../client/client.js';
import { FOREGROUND, finalizersOf } from '../kinds/propagation.js';
import { objectOf } from '../read/reader.js';
import { withOwners } from '../write/collected.js';
import { NO_DELETE_OPTIONS } from '../write/delete.js';
import { dependentsOf, type KindEntry, ownersIn } from '../write/owners.js';
import { ownersOf } from './references.js';

/**
 * Deletes an object that has no owner left, or only owners that wait for it. If it has another owner, removes only the
 * absent ones from it (attemptToDeleteItem of Kubernetes' collector). The deletion is refused with 409 if the object
 * has changed meanwhile.
 */
export async function collectDependent(client: Client, found: KindEntry): Promise<void> {
  const { kind, entry } = found;
  if (entry.attributes.isTerminating === true) return;
  const object = objectOf(entry);
  const { solid, absent, waiting } = ownersOf(client.registry, kind, object);
  if (absent.length + waiting.length === 0) return;
  const { namespace, name } = partsOf(entry.key);
  if (solid.length > 0) {
    const lost = [...absent, ...waiting];
    const isLost = (owner: OwnerReference): boolean => lost.some((reference) => isSameOwner(reference, owner));
    await client.collect(
      kind,
      namespace,
      name,
      withOwners(object.metadata.uid, (owners) => owners.filter((owner) => !isLost(owner))),
    );
    return;
  }
  const isForeground = waiting.length > 0 && hasDependents(client, object);
  if (isForeground && isBlockingAny(object) && isInCircle(client, object)) return unblock(client, found, object);
  const { uid, resourceVersion } = object.metadata;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  await client.delete(kind, namespace, name, {
    ...NO_DELETE_OPTIONS,
    preconditions,
    ...(isForeground && { propagation: 'Foreground' }),
  });
}

function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return a.uid === b.uid && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;
}

function hasDependents({ registry }: Client, object: KubeObject): boolean {
  return dependentsOf(registry, registry.reader, object).next().done !== true;
}

/** Whether what the object owns is itself waiting for its dependents, which may include this object. */
function isInCircle({ registry }: Client, object: KubeObject): boolean {
  const isWaiting = ({ entry }: KindEntry): boolean =>
    entry.attributes.isTerminating === true && finalizersOf(objectOf(entry)).includes(FOREGROUND);
  for (const dependent of dependentsOf(registry, registry.reader, object)) if (isWaiting(dependent)) return true;
  return false;
}

function isBlockingAny(object: KubeObject): boolean {
  return ownersIn(object).some(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
}

/** Makes the owners not wait for the object. It is deleted when the collector sees this change. */
function unblock(client: Client, { kind, entry }: KindEntry, object: KubeObject): Promise<void> {
  const { namespace, name } = partsOf(entry.key);
  const freed = (owner: OwnerReference): OwnerReference =>
    owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner;
  return client.collect(
    kind,
    namespace,
    name,
    withOwners(object.metadata.uid, (owners) => owners.map(freed)),
  );
}
