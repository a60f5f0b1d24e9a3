import { isTerminating, type KubeObject } from '../../pkg/kube/meta/types.js';
import { invalid, notFound } from '../../pkg/kube/status/errors.js';
import { runSteps, type Steps } from '../../pkg/system/yielding/steps.js';
import { keyOf } from '../../storage/key.js';
import { textSteps, withRevision } from '../../storage/state/codec.js';
import type { Kind } from '../kinds/kind.js';
import { finalizersFor, finalizersOf, type Propagation, withFinalizers } from '../kinds/propagation.js';
import { containedKinds } from '../kinds/registry.js';
import { type Entry, objectOf, parsedSteps } from '../read/reader.js';
import { type CascadeItem, cascade, released } from './cascade.js';
import { noteConsequences } from './consequences.js';
import { fromStoredNow } from './forms.js';
import { dependentsOf, removedOf } from './owners.js';
import { checkPreconditions, type Preconditions } from './prepare.js';
import type { Version } from './retain.js';
import { retainDeleted } from './retain-deleted.js';
import type { Transaction } from './transaction.js';
import { unnamed } from './unnamed.js';
import { authorizeEntry, targetEntry, type WriteResult, type WriteTarget, withVersion, writeContext } from './write.js';

export interface DeleteOptions {
  readonly preconditions: Preconditions;
  /** Absent: the finalizers of the object decide, and by default Background. */
  readonly propagation?: Propagation | undefined;
  /** What the deletion belongs to: the caller gives the same to all of them. */
  readonly operation?: string | undefined;
  /** Query parameters that the kind declares in `deleteOptions`. */
  readonly parameters: ReadonlyMap<string, string>;
}

export const NO_DELETE_OPTIONS: DeleteOptions = { preconditions: {}, parameters: new Map() };

/**
 * Deletes an object, its contents and what references it. The garbage collector deletes later what it owns, or before
 * the object goes if the propagation is Foreground. Throws 403, 404, 409 Conflict, and the errors of the strategies.
 * Returns the last state of the object, or its terminating state if finalizers hold it.
 */
export function deleteObject(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  options: DeleteOptions,
): WriteResult {
  return runSteps(deletionSteps(transaction, target, name, options));
}

/** The same in steps, because thousands of objects may depend on the object. */
export function* deletionSteps(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  options: DeleteOptions,
): Generator<undefined, WriteResult, undefined> {
  const { kind } = target;
  const entry = targetEntry(transaction, target, name);
  authorizeEntry(transaction, target, 'delete', name, entry);
  if (entry === undefined) throw notFound(kind, name);
  const object = yield* parsedSteps(entry);
  checkPreconditions(kind, object, options.preconditions);
  checkOrphan(transaction, target, name, options);
  const finalizers = finalizersAfter(transaction, kind, object, options);
  const items = yield* cascade(transaction.registry, transaction.reader, kind, entry, { finalizers });
  const { length } = transaction.warnings;
  yield* checkCascade(transaction, target, items, options.parameters);
  const advice = new Set(transaction.warnings.slice(length));
  return yield* removeAll(transaction, target, items, { entry, finalizers, advice, operation: options.operation });
}

function finalizersAfter(
  { registry, reader }: Transaction,
  { cleanup }: Kind,
  object: KubeObject,
  { propagation }: DeleteOptions,
): readonly string[] {
  const wanted = finalizersFor(object, propagation, () => dependentsOf(registry, reader, object).next().done !== true);
  return cleanup === undefined || isTerminating(object) || wanted.includes(cleanup) ? wanted : [...wanted, cleanup];
}

/** The object that a request deletes, and the finalizers that it has from now on. */
interface Root {
  readonly entry: Entry;
  readonly finalizers: readonly string[];
  /** What the strategies advise. */
  readonly advice: ReadonlySet<string>;
  readonly operation: string | undefined;
}

function* removeAll(
  transaction: Transaction,
  target: WriteTarget,
  items: readonly CascadeItem[],
  { entry, finalizers, advice, operation }: Root,
): Generator<undefined, WriteResult, undefined> {
  const { registry, reader, state } = transaction;
  const { kind } = target;
  const before = state.revision;
  // All objects are found before the first one is removed.
  const own = items.at(-1);
  const isGone = own?.stays === false;
  const waiting = isGone ? released(registry, reader, kind, own.object) : [];
  const removed: Version[] = [];
  for (const item of [...items.filter(({ stays }) => !stays), ...waiting]) {
    removed.push(removedOf(item));
    yield;
  }
  const context = writeContext(transaction, target);
  // A deletion does not convert.
  const former = objectOf(entry);
  const consequences = yield* noteConsequences(transaction, { ...target, form: kind }, undefined, former, context);
  const warnings = [...(yield* retainDeleted(transaction, target, removed, operation)), ...advice, ...consequences];
  let last: Last = { value: entry.value, object: objectOf(entry) };
  for (const item of items) {
    yield;
    if (item === own) last = yield* removeOne(transaction, item, finalizers);
    else yield* removeOne(transaction, item);
  }
  for (const item of waiting) state.delete(item.entry.key);
  const took = countsOf(items.slice(0, -1));
  // All objects are terminating already, and wait for their finalizers.
  const isSame = state.revision === before;
  return { ...last, isGone, isSame, took, ...(warnings.length > 0 && { warnings }) };
}

function countsOf(items: readonly CascadeItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of items) if (kind.served) counts.set(kind.kind, (counts.get(kind.kind) ?? 0) + 1);
  return counts;
}

/** The last state of an object. */
type Last = Pick<WriteResult, 'value' | 'object'>;

/** The last state of the object, with the revision of the write. */
function* removeOne(
  { state, now, isDryRun }: Transaction,
  { kind, entry, object, stays }: CascadeItem,
  finalizers = finalizersOf(object),
): Steps<Last> {
  const { value, revision, key } = entry;
  if (!stays) {
    const at = state.delete(key);
    return isDryRun ? { value, object } : { value: withRevision(value, at), object: withVersion(object, at) };
  }
  const isNew = !isTerminating(object);
  if (!isNew && finalizers === finalizersOf(object)) return { value, object };
  const withHolds = withFinalizers(fromStoredNow(kind, object), finalizers);
  const last = isNew ? terminating(kind, withHolds, now) : withHolds;
  const written = state.put(key, last, yield* textSteps(last));
  if (!isDryRun) return { value: written.value, object: withVersion(last, written.revision) };
  return { value: withRevision(written.value, revision), object: withVersion(last, revision) };
}

function checkOrphan(
  { registry }: Transaction,
  { kind }: WriteTarget,
  name: string,
  { propagation }: DeleteOptions,
): void {
  if (propagation !== 'Orphan' || containedKinds(registry, kind).length === 0) return;
  const message = 'Forbidden: Orphan is not supported, because the contents of this object cannot exist without it';
  throw invalid(kind, name, [{ reason: 'FieldValueForbidden', message, field: 'propagationPolicy' }]);
}

/** Calls `validateDelete` of the strategies of all objects. */
function* checkCascade(
  transaction: Transaction,
  target: WriteTarget,
  items: readonly CascadeItem[],
  parameters: ReadonlyMap<string, string>,
): Generator<undefined, void, undefined> {
  // An object that stays terminating counts, too: it grants nothing any more.
  const going = new Set<string>(items.map(({ entry }) => entry.key));
  const isGoing = (resource: string, namespace: string, name: string) => going.has(keyOf(resource, namespace, name));
  const context = writeContext(transaction, target);
  for (const { kind, object } of items) {
    yield;
    // A cascade can start at a cluster-scoped object, such as a user, and reach objects in namespaces.
    const { namespace = '' } = object.metadata;
    try {
      kind.strategy?.validateDelete?.(object, { ...context, namespace, isGoing }, parameters);
    } catch (error) {
      throw unnamed(
        error,
        { kind, namespace, name: object.metadata.name },
        context,
        'What goes with it cannot be deleted',
      );
    }
  }
}

function terminating({ strategy }: Kind, object: KubeObject, now: string): KubeObject {
  const { metadata, ...rest } = strategy?.prepareForTermination?.(object, now) ?? object;
  return {
    ...rest,
    metadata: {
      ...metadata,
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
      generation: (metadata.generation ?? 1) + 1,
    },
  };
}
