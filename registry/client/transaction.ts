import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { type Key, partsOf } from '../../storage/key.js';
import { servedObject, storedKind } from '../kinds/conversion.js';
import type { Kind } from '../kinds/kind.js';
import { namespaceOf } from '../kinds/registry.js';
import { type Entry, objectOf } from '../read/reader.js';
import { createObject, createSteps } from '../write/create.js';
import { type DeleteOptions, deleteObject, NO_DELETE_OPTIONS } from '../write/delete.js';
import { type NewUids, restoreObject } from '../write/restore.js';
import { Transaction, type TransactionContext } from '../write/transaction.js';
import { updateObject, updateSteps } from '../write/update.js';
import {
  authorizeUpdate,
  type Caller,
  type ObjectChange,
  type SubresourceWrite,
  targetEntry,
  targetOf,
  type WriteResult,
  type WriteTarget,
} from '../write/write.js';
import { TransactionObjects } from './objects.js';

/**
 * A transaction with what one caller may read and write in it. `reader` reads the state with the writes so far, without
 * permission checks. Valid only while `work` runs.
 */
export class ClientTransaction extends Transaction {
  readonly caller: Caller;

  constructor(context: TransactionContext, caller: Caller) {
    super(context);
    this.caller = caller;
  }

  /** The same transaction with another caller. */
  as(caller: Caller): ClientTransaction {
    return Object.assign(Object.create(ClientTransaction.prototype), this, { caller });
  }

  objects<Spec = unknown>(kind: Kind, namespace = ''): TransactionObjects<Spec> {
    return new TransactionObjects<Spec>(this, kind, namespaceOf(kind, namespace));
  }

  create(kind: Kind, namespace: string, object: KubeObject): WriteResult {
    const target = targetOf(kind, namespace, this.caller);
    return changedObject(this, 'create', target, createObject(this, target, object));
  }

  /** The same in steps. */
  *createSteps(kind: Kind, namespace: string, object: KubeObject): Steps<WriteResult> {
    const target = targetOf(kind, namespace, this.caller);
    return changedObject(this, 'create', target, yield* createSteps(this, target, object));
  }

  /** The same as `update`, in steps. */
  *updateSteps(kind: Kind, namespace: string, name: string, change: ObjectChange): Steps<WriteResult> {
    const target = targetOf(storedKind(this.registry, kind), namespace, this.caller, undefined, kind);
    return changedObject(this, 'update', target, yield* updateSteps(this, target, name, change));
  }

  /**
   * With `subresource`, the caller needs the permission of the subresource instead of the permission to update. The
   * subresource `status` changes only the status. Without it, the status is not changed.
   */
  update(
    kind: Kind,
    namespace: string,
    name: string,
    change: ObjectChange,
    subresource?: SubresourceWrite,
  ): WriteResult {
    const target = targetOf(storedKind(this.registry, kind), namespace, this.caller, subresource, kind);
    return changedObject(this, 'update', target, updateObject(this, target, name, change));
  }

  /** The object, if the caller may use this subresource of it. Throws 403, and 404 as `get` does. */
  getFor<Spec>(kind: Kind, namespace: string, name: string, subresource: SubresourceWrite): KubeObject<Spec> {
    const target = targetOf(storedKind(this.registry, kind), namespace, this.caller, subresource, kind);
    const entry = targetEntry(this, target, name);
    authorizeUpdate(this, target, name, entry);
    if (entry === undefined) throw notFound(kind, name);
    return servedObject(kind, objectOf(entry)) as KubeObject<Spec>;
  }

  /** Stores a deleted object again. The caller needs the permission to create it. `uids` gets its new uid. */
  restore(kind: Kind, namespace: string, former: KubeObject, uids: NewUids): WriteResult {
    const target = targetOf(kind, namespace, this.caller);
    const written = restoreObject(this, target, former, uids);
    // As with deletions, the audit log is not told of dependents.
    return uids.size > 1 ? written : changedObject(this, 'create', target, written);
  }

  /** Stores an object again as it is, so that the store encrypts it anew. Without permission check. */
  rewrite(entry: Entry): void {
    const { resourceVersion: _, ...metadata } = objectOf(entry).metadata;
    this.state.put(entry.key, { ...objectOf(entry), metadata });
  }

  /** An object by its key. Without permission check. */
  stored(key: Key): Entry | undefined {
    const { resource, namespace, name } = partsOf(key);
    return this.reader.entry(resource, namespace, name);
  }

  delete(kind: Kind, namespace: string, name: string, options: DeleteOptions = NO_DELETE_OPTIONS): WriteResult {
    const target = targetOf(kind, namespace, this.caller);
    return changedObject(this, 'delete', target, deleteObject(this, target, name, options));
  }
}

function changedObject(
  transaction: Transaction,
  verb: 'create' | 'update' | 'delete',
  target: WriteTarget,
  written: WriteResult,
): WriteResult {
  transaction.noteWrite(verb, target, written);
  return written;
}
