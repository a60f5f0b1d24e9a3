import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { forbidden } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { entryAttributes, newAttributes } from '../kinds/authorizer.js';
import { type Entry, objectOf } from '../read/reader.js';
import { ownerKind } from './owners.js';
import type { Transaction } from './transaction.js';
import { authorizeEntry, targetOf, type WriteTarget } from './write.js';

const NO_OWNERS: readonly OwnerReference[] = [];
const NO_FINALIZERS: readonly string[] = [];

/**
 * Authorizes the finalizers and owners of an object that the caller may write otherwise, as Kubernetes'
 * OwnerReferencesPermissionEnforcement does. They decide when this object and others are deleted, because a finalizer
 * also holds the objects that this object depends on. `entry` is the stored object, absent on create. Throws 403.
 */
export function authorizeHolds(transaction: Transaction, target: WriteTarget, object: KubeObject, entry?: Entry): void {
  if (!target.needsPermission) return;
  const { finalizers = NO_FINALIZERS, ownerReferences: owners = NO_OWNERS } = object.metadata;
  const old = entry && objectOf(entry).metadata;
  const before = old?.ownerReferences ?? NO_OWNERS;
  const hasSameOwners = isSameJson(owners, before);
  if (hasSameOwners && isSameJson(finalizers, old?.finalizers ?? NO_FINALIZERS)) return;
  refuseOwn(transaction, target, object, entry);
  // The owners of an object decide when it is deleted, so only a caller who may delete it may change them.
  if (entry !== undefined && !hasSameOwners) authorizeEntry(transaction, target, 'delete', object.metadata.name, entry);
  const blocked = new Set(before.filter(isBlocking).map(idOf));
  for (const owner of owners) {
    if (isBlocking(owner) && !blocked.has(idOf(owner))) authorizeOwner(transaction, target, object, owner);
  }
}

function idOf({ apiVersion, kind, name, uid }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid]);
}

function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/**
 * A caller who may write an object only because it is their own, such as their preferences, cannot hold other objects
 * with it.
 */
function refuseOwn({ registry, reader }: Transaction, target: WriteTarget, object: KubeObject, entry?: Entry): void {
  const { kind, namespace, caller, subresource } = target;
  const { name } = object.metadata;
  const attributes = {
    user: caller.user,
    kind,
    namespace,
    name,
    verb: subresource?.verb ?? (entry === undefined ? 'create' : 'update'),
    ...(subresource && { subresource: subresource.name }),
    object: entry === undefined ? newAttributes(kind, object) : entryAttributes(entry),
  };
  if (!registry.authorizer.isOwnOnly(attributes, reader)) return;
  const who = `User ${JSON.stringify(caller.user.name)}`;
  const detail = `${who} may write this object only because it is their own, so they cannot change metadata.finalizers and metadata.ownerReferences`;
  throw forbidden(kind, name, detail);
}

/**
 * `blockOwnerDeletion` holds the owner as a finalizer does, so it takes the permission that a finalizer of the owner
 * takes.
 */
function authorizeOwner(
  transaction: Transaction,
  { kind, namespace, caller }: WriteTarget,
  object: KubeObject,
  owner: OwnerReference,
): void {
  const { registry, reader } = transaction;
  const owning = ownerKind(registry, owner);
  if (owning === undefined) return;
  const target = targetOf(owning, namespace, caller);
  const entry = reader.entry(owning.qualified, target.namespace, owner.name);
  try {
    authorizeEntry(transaction, target, 'update', owner.name, entry);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 403) throw error;
    const detail = `only a caller who may update an object may block its deletion by blockOwnerDeletion: ${error.message}`;
    const { code, reason, message, details } = forbidden(kind, object.metadata.name, detail);
    const { causes } = error.details ?? {};
    throw new ApiError({ code, reason, message, details: { ...details, ...(causes && { causes }) } });
  }
}
