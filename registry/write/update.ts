import { sameBesideTimes } from '../../pkg/kube/fieldmanager/managers.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import { runSteps, type Steps } from '../../pkg/system/yielding/steps.js';
import { partsOf } from '../../storage/key.js';
import { encodeText, textSteps, withRevision } from '../../storage/state/codec.js';
import { requireKind } from '../kinds/registry.js';
import type { AlsoDelete, WriteContext } from '../kinds/strategy.js';
import { STATUS } from '../kinds/subresource.js';
import { type Entry, replacedSteps } from '../read/reader.js';
import { writeAlso } from './also.js';
import { isReleased, released } from './cascade.js';
import { noteConsequences } from './consequences.js';
import { deleteObject, NO_DELETE_OPTIONS } from './delete.js';
import { asRequested, fromStored, isAsStoredNow, received, toStored } from './forms.js';
import { authorizeHolds } from './holds.js';
import { type Entries, withEntries } from './manageable.js';
import { entriesAfter } from './managed.js';
import { withOrigin } from './origin.js';
import { removedOf } from './owners.js';
import { updatePreparation } from './prepare.js';
import { withReadiness } from './readiness.js';
import { retainReplaced } from './retain.js';
import { retainDeleted } from './retain-deleted.js';
import { statusPreparation } from './status.js';
import type { Transaction } from './transaction.js';
import {
  authorizeChange,
  authorizeUpdate,
  type ChangeSteps,
  resultOf,
  type Stepwise,
  targetEntry,
  targetOf,
  type WriteResult,
  type WriteTarget,
  withVersion,
  writeContext,
} from './write.js';

/**
 * Changes an object, or only its status. Throws 403, 404, 409 Conflict, Invalid, and the errors of `change` and the
 * strategy. If nothing differs, nothing is written. If the change removes the last finalizer of a terminating object,
 * the object and the objects that waited for it are removed.
 */
export function updateObject(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  change: ChangeSteps,
): WriteResult {
  return runSteps(updateSteps(transaction, target, name, change));
}

/** The same in steps, because each of them takes milliseconds if the object is large. */
export function* updateSteps(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  change: ChangeSteps,
): Generator<undefined, WriteResult, undefined> {
  const entry = targetEntry(transaction, target, name);
  authorizeUpdate(transaction, target, name, entry);
  if (entry === undefined) throw notFound(target.kind, name);
  return yield* changeEntry(transaction, target, entry, function* given(old) {
    return { sent: received(target, yield* resultOf(change(asRequested(target, old))), old) };
  });
}

/** What a request makes of an object. An apply knows the managers. For other writes, they follow from the fields. */
interface Changed {
  readonly sent: KubeObject;
  readonly applied?: Entries | undefined;
}

/** Changes the object of an entry, in steps. The caller has authorized the update. */
export function changeEntry(
  transaction: Transaction,
  target: WriteTarget,
  entry: Entry,
  change: (old: KubeObject) => Stepwise<Changed>,
): Steps<WriteResult> {
  return transaction.noteRefusal(target, partsOf(entry.key).name, changed(transaction, target, entry, change));
}

/**
 * Reads, changes, prepares and checks, manages fields, converts, authorizes, and stores. All objects have the form of
 * the write (`forms.ts`), except `stored` and `object`.
 */
function* changed(
  transaction: Transaction,
  target: WriteTarget,
  entry: Entry,
  change: (old: KubeObject) => Stepwise<Changed>,
): Steps<WriteResult> {
  const stored = yield* replacedSteps(entry);
  const old = yield* fromStored(target, stored);
  yield;
  const { sent, applied } = yield* resultOf(change(old));
  const context = writeContext(transaction, target);
  const authorize = (object: KubeObject): void => authorizeChange(transaction, target, object, entry);
  const isOfStatus = target.subresource?.name === STATUS;
  const prepare = isOfStatus ? statusPreparation : updatePreparation;
  const different = yield* prepare(target.form, sent, old, context, authorize);
  const prepared = different === undefined ? old : withOrigin(target, different, sent, old, transaction.now);
  const managers = applied ?? (yield* entriesAfter(transaction, target, prepared, sent.metadata.managedFields, old));
  const isSame = prepared === old && sameBesideTimes(managers, old.metadata.managedFields);
  // As in Kubernetes, a write that changes nothing stores an object again that has an old form.
  if (isSame && (yield* isAsStoredNow(target, stored, old)))
    return { value: entry.value, object: stored, isGone: false, isSame, ...warningsOf(transaction) };
  const managed = withEntries(prepared === old ? withoutVersion(old) : prepared, managers);
  const next = withReadiness(target.form, managed, transaction.reader, transaction.now, old);
  const object = yield* toStored(target, next);
  yield;
  authorize(object);
  authorizeHolds(transaction, target, object, entry);
  return yield* store(transaction, target, entry, { stored, old, sent, next, object, context, isOfStatus });
}

/** A change of an object: what was sent, what it makes of the old object, and the same in the form that is stored. */
interface Change {
  readonly stored: KubeObject;
  readonly old: KubeObject;
  readonly sent: KubeObject;
  readonly next: KubeObject;
  readonly object: KubeObject;
  readonly context: WriteContext;
  readonly isOfStatus: boolean;
}

/** Stores an object and what else changes with it, or removes it if nothing holds it any more. */
function* store(
  transaction: Transaction,
  target: WriteTarget,
  entry: Entry,
  { stored, old, sent, next, object, context, isOfStatus }: Change,
): Steps<WriteResult> {
  const { kind, form } = target;
  const { registry, reader, state, isDryRun } = transaction;
  const alsoDelete = form.strategy?.alsoDelete?.(next, old, context) ?? [];
  if (!isOfStatus) yield* noteConsequences(transaction, target, next, old, context);
  if (isReleased(registry, reader, kind, object)) return yield* removeReleased(transaction, target, entry, object);
  yield* retainReplaced(transaction, { kind, object: stored, value: entry.value }, object);
  yield;
  const written = state.put(entry.key, object, yield* textSteps(object));
  for (const extra of alsoDelete) deleteAlso(transaction, target, extra);
  const alsoWrite = isOfStatus ? [] : (form.strategy?.alsoWrite?.(next, sent, old, context) ?? []);
  for (const extra of alsoWrite) writeAlso(transaction, target, extra);
  const revision = isDryRun ? entry.revision : written.revision;
  const value = isDryRun ? withRevision(written.value, revision) : written.value;
  return { value, object: withVersion(object, revision), isGone: false, ...warningsOf(transaction) };
}

function warningsOf({ warnings }: Transaction): Pick<WriteResult, 'warnings'> {
  return warnings.length > 0 ? { warnings } : {};
}

function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Deletes an object that a strategy adds to a change. It is deleted with the server's permissions. */
function deleteAlso(
  transaction: Transaction,
  { namespace, caller }: WriteTarget,
  { resource, name }: AlsoDelete,
): void {
  const kind = requireKind(transaction.registry, resource);
  deleteObject(transaction, targetOf(kind, namespace, { ...caller, isTrusted: true }), name, NO_DELETE_OPTIONS);
}

/** Removes an object that nothing holds any more, and the objects that waited for it. */
export function* removeReleased(
  transaction: Transaction,
  target: WriteTarget,
  entry: Entry,
  object: KubeObject,
): Steps<WriteResult> {
  const { kind } = target;
  const waiting = released(transaction.registry, transaction.reader, kind, object);
  transaction.warnings.push(
    ...(yield* retainDeleted(transaction, target, [{ kind, object }, ...waiting.map(removedOf)])),
  );
  const removedAt = transaction.state.delete(entry.key);
  for (const item of waiting) transaction.state.delete(item.entry.key);
  const revision = transaction.isDryRun ? entry.revision : removedAt;
  const value = encodeText(yield* textSteps(object), revision);
  return { value, object: withVersion(object, revision), isGone: true, ...warningsOf(transaction) };
}
