import { isSameJson } from '../../pkg/kube/json/same.js';
import type { KubeObject, OwnerReference } from '../../pkg/kube/meta/types.js';
import { alreadyExists } from '../../pkg/kube/status/errors.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import { keyOf } from '../../storage/key.js';
import { decodeSpec } from '../decode/decode.js';
import { servedObject } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { requireActiveNamespace } from '../kinds/namespaces.js';
import { withAnnotation } from '../kinds/with-annotation.js';
import { noteConsequences } from './consequences.js';
import { authorizeHolds } from './holds.js';
import { restoredMessage, withMessage } from './message.js';
import { identityOf, withAnnotations } from './metadata.js';
import { isIdTaken, sequenceOf } from './origin.js';
import { hasOwner, ownerKind } from './owners.js';
import { checkObject, withInternalId } from './prepare.js';
import { resolveWaiting } from './resolve-waiting.js';
import { originOf } from './retained.js';
import type { Transaction } from './transaction.js';
import { authorizeCreate, type WriteResult, type WriteTarget, withVersion, writeContext } from './write.js';

/** The uids of objects before their deletion, and those that they have now. */
export type NewUids = Map<string, string>;

/**
 * Stores a deleted object again, with the same name, integer id and creation time, and with a new uid. The caller needs
 * the permission to create it, and all rules for new objects apply. Throws 403, 409 AlreadyExists, Invalid, and the
 * errors of the strategy.
 */
export function restoreObject(
  transaction: Transaction,
  target: WriteTarget,
  former: KubeObject,
  uids: NewUids,
): WriteResult {
  const { kind, namespace } = target;
  const { name, uid = '' } = former.metadata;
  requireActiveNamespace(transaction.registry, kind, name, namespace, transaction.reader);
  const object = withFreeId(transaction, kind, revived(transaction, target, servedObject(kind, former), uids));
  authorizeCreate(transaction, target, object);
  if (transaction.reader.entry(kind.qualified, namespace, name) !== undefined) throw alreadyExists(kind, name);
  // No object that is restored later can be the missing one, also in a dry run.
  const { warnMissing: _, mayWait: __, ...context } = writeContext(transaction, target);
  checkObject(kind, object, undefined, context);
  authorizeHolds(transaction, target, object);
  // An object may come back without the permission of the caller. Warnings still say who gains access, as far as the
  // caller may know.
  const { isTrusted: _isTrusted, ...caller } = target.caller;
  const untrusted = { ...target, caller };
  runSteps(noteConsequences(transaction, untrusted, object, undefined, writeContext(transaction, untrusted)));
  const { value, revision } = transaction.state.put(keyOf(kind.qualified, namespace, name), object);
  uids.set(uid, object.metadata.uid ?? '');
  // What waits for the object comes into effect only for callers who may write that.
  runSteps(resolveWaiting(transaction, untrusted, name));
  const written = withVersion(object, revision);
  return {
    value,
    object: written,
    isGone: false,
    ...(transaction.warnings.length > 0 && { warnings: transaction.warnings }),
  };
}

function revived(
  { registry, reader, entropy, now }: Transaction,
  { kind, namespace, caller }: WriteTarget,
  { status: _, ...former }: KubeObject,
  uids: NewUids,
): KubeObject {
  const {
    resourceVersion: __,
    deletionTimestamp: ___,
    deletionGracePeriodSeconds: ____,
    finalizers: _____,
    ownerReferences: owners = [],
    generation = 1,
    ...metadata
  } = former.metadata;
  const { updatedBy, updatedTimestamp, originUid } = kind.ownedKeys;
  // The garbage collector would delete the object again if an owner were missing.
  const ownerReferences = owners
    .map((owner) => withNewUid(owner, uids))
    .filter((owner) => ownerKind(registry, owner) === undefined || hasOwner(registry, reader, namespace, owner));
  const object = {
    ...former,
    metadata: {
      ...metadata,
      ...(ownerReferences.length > 0 && { ownerReferences }),
      uid: entropy.uid(),
      generation: generation + 1,
    },
  };
  const stamped = withAnnotations(object, { [updatedBy]: identityOf(caller.user), [updatedTimestamp]: now });
  if (kind.history === undefined) return stamped;
  const originated = withAnnotations(stamped, { [originUid]: originOf(kind, former) });
  return withMessage(kind, originated, restoredMessage(generation));
}

/** The object with another integer id, if a later object has kept that one of another server. */
function withFreeId({ registry, reader, state }: Transaction, kind: Kind, object: KubeObject): KubeObject {
  const id = object.metadata.labels?.[kind.ownedKeys.internalId];
  if (kind.internalId !== true || id === undefined || !isIdTaken(registry, reader, kind, Number(id))) return object;
  return withInternalId(kind, object, state.nextId(sequenceOf(kind)));
}

function withNewUid(owner: OwnerReference, uids: NewUids): OwnerReference {
  return { ...owner, uid: uids.get(owner.uid) ?? owner.uid };
}

/**
 * The object with the content of a former version. The same object if it says the same. Where an object lies and who
 * may see it is not part of what it says, so its annotations stay. With `formerPlace`, it also goes back to the
 * container that it was in.
 */
export function asInVersion(kind: Kind, object: KubeObject, former: KubeObject, formerPlace = false): KubeObject {
  const { place, content } = { place: placeOf(kind, formerPlace ? former : object), content: contentOf(kind, former) };
  const isSamePlace = place === placeOf(kind, object);
  if (isSamePlace && isSameJson(contentOf(kind, object), content)) return object;
  const { apiVersion, kind: name, metadata, status } = isSamePlace ? object : inContainer(kind, object, place ?? '');
  const kept = kind.hasStatus && status !== undefined ? { status } : {};
  const next = decodeSpec(kind, { ...content, apiVersion, kind: name, metadata, ...kept });
  return withMessage(kind, next, restoredMessage(former.metadata.generation ?? 1));
}

/** The members that say what an object is. A status of its own is not among them. */
function contentOf({ hasStatus }: Kind, object: KubeObject): Omit<KubeObject, 'apiVersion' | 'kind' | 'metadata'> {
  const { apiVersion: _, kind: __, metadata: ___, status, ...content } = object;
  return hasStatus || status === undefined ? content : { ...content, status };
}

function placeOf({ containment }: Kind, { metadata }: KubeObject): string | undefined {
  return (containment?.annotation && metadata.annotations?.[containment.annotation]) || undefined;
}

/** The object in another container. Empty: at the root. The kind must have an annotation for it. */
export function inContainer({ containment }: Kind, object: KubeObject, container: string): KubeObject {
  return withAnnotation(object, containment?.annotation ?? '', container || undefined);
}
