import { isTerminating, type KubeObject, type OwnerReference } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { textSteps } from '../../storage/state/codec.js';
import { finalizersOf, withFinalizers } from '../kinds/propagation.js';
import { parsedSteps } from '../read/reader.js';
import { isReleased } from './cascade.js';
import { fromStoredNow } from './forms.js';
import { withEntries } from './manageable.js';
import { entriesAfter } from './managed.js';
import { ownersIn } from './owners.js';
import type { Transaction } from './transaction.js';
import { removeReleased } from './update.js';
import { targetEntry, type WriteTarget } from './write.js';

/**
 * A write of the garbage collector to one object. Others may have changed or removed the object; then it does what is
 * still to be done.
 */
export type CollectorWrite = (transaction: Transaction, target: WriteTarget, name: string) => Steps<void>;

/**
 * Replaces the owners of an object by those that `change` returns. This is not an edit, so the object gets no new
 * author.
 */
export function withOwners(
  uid: string | undefined,
  change: (owners: readonly OwnerReference[]) => readonly OwnerReference[],
): CollectorWrite {
  return function* write(transaction, target, name) {
    const object = yield* current(transaction, target, name, uid);
    if (object === undefined) return;
    const before = ownersIn(object);
    const owners = change(before);
    if (owners.length === before.length && owners.every((owner, i) => owner === before[i])) return;
    const { ownerReferences: _, resourceVersion: __, ...metadata } = object.metadata;
    yield* put(transaction, target, object, {
      ...object,
      metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) },
    });
  };
}

/** Removes a finalizer of a terminating object, and the object if nothing else holds it. */
export function withoutFinalizer(uid: string | undefined, finalizer: string): CollectorWrite {
  return function* write(transaction, target, name) {
    const old = yield* current(transaction, target, name, uid);
    if (old === undefined || !isTerminating(old) || !finalizersOf(old).includes(finalizer)) return;
    const object = withFinalizers(
      old,
      finalizersOf(old).filter((held) => held !== finalizer),
    );
    const entry = targetEntry(transaction, target, name);
    if (entry !== undefined && isReleased(transaction.registry, transaction.reader, target.kind, object))
      yield* removeReleased(transaction, target, entry, object);
    else yield* put(transaction, target, old, object);
  };
}

function* current(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  uid: string | undefined,
): Steps<KubeObject | undefined> {
  const entry = targetEntry(transaction, target, name);
  const object = entry && fromStoredNow(target.kind, yield* parsedSteps(entry));
  return object?.metadata.uid === uid ? object : undefined;
}

function* put(transaction: Transaction, target: WriteTarget, old: KubeObject, object: KubeObject): Steps<void> {
  const entry = targetEntry(transaction, target, old.metadata.name);
  if (entry === undefined) return;
  const managed = withEntries(object, yield* entriesAfter(transaction, target, object, undefined, old));
  transaction.state.put(entry.key, managed, yield* textSteps(managed));
}
