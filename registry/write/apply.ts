import { ConflictError } from '../../pkg/kube/fieldmanager/conflict.js';
import { FieldsError } from '../../pkg/kube/fieldmanager/element.js';
import { applyToSteps, type Tracked } from '../../pkg/kube/fieldmanager/tracking.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { badRequest, conflict, MODIFIED, notFound } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { extended } from '../../pkg/system/object/extended.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { decodeSteps, type ObjectPart } from '../decode/decode.js';
import type { Kind } from '../kinds/kind.js';
import { STATUS } from '../kinds/subresource.js';
import type { Entry } from '../read/reader.js';
import { replacedSteps } from '../read/reader.js';
import { createSteps } from './create.js';
import { fromStored, receivedFromApply, sentAsStored, withHiddenDefaults, withOwnHidden } from './forms.js';
import { type Entries, manageable } from './manageable.js';
import { writingOf } from './managed.js';
import { checkPreconditions, type Preconditions } from './prepare.js';
import type { Transaction } from './transaction.js';
import { changeEntry } from './update.js';
import {
  authorizeCreate,
  authorizeUpdate,
  targetEntry,
  type WriteResult,
  type WriteTarget,
  writeContext,
} from './write.js';

/** The configuration that a manager applies to an object. */
export interface Configuration {
  /** Without managedFields, and with the name of the object, in the form in which fields are managed. */
  readonly object: KubeObject;
  readonly preconditions: Preconditions;
  readonly force: boolean;
  /** The same as the client sent it, if that is another form. */
  readonly sent?: KubeObject;
  /**
   * The annotations that the object shall not have if the configuration leaves them out. Otherwise it says nothing
   * about them.
   */
  readonly places?: readonly string[];
}

export interface AppliedObject extends WriteResult {
  readonly isNew: boolean;
}

/** The object after an apply, in the form in which fields are managed, before it is checked and written. */
export interface Merged {
  /** The stored object that the configuration was applied to. */
  readonly entry: Entry | undefined;
  readonly object: KubeObject;
  readonly managers: Entries;
}

/**
 * Applies a configuration, in steps: creates the object, or changes the fields of the manager. Throws 403, 409 Conflict
 * with the fields of other managers, Invalid, and the errors of the strategy. If nothing differs, nothing is written.
 */
export function* applySteps(
  transaction: Transaction,
  target: WriteTarget,
  config: Configuration,
): Generator<undefined, AppliedObject, undefined> {
  const merged = yield* mergeApplied(transaction, target, config);
  yield;
  return yield* writeApplied(transaction, target, merged);
}

/**
 * The first half of an apply, in steps: what the object shall be. An update is authorized here, a create when it is
 * written.
 */
export function* mergeApplied(
  transaction: Transaction,
  target: WriteTarget,
  config: Configuration,
): Generator<undefined, Merged, undefined> {
  const { subresource, managedForm: kind } = target;
  const { name } = config.object.metadata;
  const entry = targetEntry(transaction, target, name);
  if (entry === undefined && subresource === undefined) return yield* mergeNew(transaction, target, config);
  authorizeApply(transaction, target, name, entry, () => config.object);
  if (entry === undefined) throw notFound(kind, name);
  const old = yield* fromStored(target, yield* replacedSteps(entry), kind);
  checkPreconditions(kind, old, config.preconditions);
  const live = { object: manageable(kind, old), entries: old.metadata.managedFields };
  yield;
  const part = subresource?.name === STATUS ? 'status' : 'spec';
  const complete = (item: unknown): Steps<unknown> => completed(kind, item, part);
  const { object, entries = [] } = yield* applied(transaction, target, live, config, complete);
  yield;
  return { entry, object: yield* decoded(kind, object, part), managers: entries };
}

/** The second half, in steps: checks what the object shall be, and writes it. */
export function* writeApplied(
  transaction: Transaction,
  target: WriteTarget,
  merged: Merged,
): Generator<undefined, AppliedObject, undefined> {
  const { entry, managers } = merged;
  const object = receivedFromApply(target, merged.object);
  if (entry === undefined) return { ...(yield* createSteps(transaction, target, object, managers)), isNew: true };
  const written = yield* changeEntry(transaction, target, entry, () => ({ sent: object, applied: managers }));
  return extended(written, { isNew: false });
}

/** A caller who may not view the object is refused as if it did not exist, and so cannot find out that it does. */
export function authorizeApply(
  transaction: Transaction,
  target: WriteTarget,
  name: string,
  entry: Entry | undefined,
  wanted: () => KubeObject,
): void {
  const { kind, namespace, subresource } = target;
  try {
    authorizeUpdate(transaction, target, name, entry);
  } catch (error) {
    const isVisible = writeContext(transaction, target).visible(kind.qualified, namespace, name) !== undefined;
    if (subresource === undefined && !isVisible) authorizeCreate(transaction, target, wanted());
    throw error;
  }
}

function* mergeNew(
  transaction: Transaction,
  target: WriteTarget,
  config: Configuration,
): Generator<undefined, Merged, undefined> {
  const { managedForm: kind } = target;
  const { preconditions, object: wanted } = config;
  const { name } = wanted.metadata;
  if (preconditions.uid !== undefined) {
    const detail = `uid mismatch: the provided object specified uid ${preconditions.uid.slice(0, 100)}, and no existing object was found`;
    throw conflict(kind, name, detail);
  }
  if (preconditions.resourceVersion !== undefined) throw conflict(kind, name, MODIFIED);
  const bare = { apiVersion: kind.apiVersion, kind: kind.kind };
  const { object, entries = [] } = yield* applied(transaction, target, { object: bare, entries: undefined }, config);
  yield;
  const whole = withHiddenDefaults(target, object as KubeObject, name);
  return { entry: undefined, object: yield* decoded(kind, whole, 'spec'), managers: entries };
}

function* applied(
  transaction: Transaction,
  target: WriteTarget,
  live: Tracked,
  { object, force, sent, places = [] }: Configuration,
  complete?: (object: unknown) => Steps<unknown>,
): Generator<undefined, Tracked, undefined> {
  const { kind } = target;
  const writing = writingOf(transaction, target, 'Apply');
  const form = sent && { form: { sent, stored: (item: unknown) => sentAsStored(target, item) } };
  try {
    const config = yield* withOwnHidden(target, live, manageable(kind, object), writing);
    const application = extended(writing, { force, ...form, ...(complete && { complete }) });
    const surplus = surplusIn(live, object, places);
    if (surplus.length === 0) return yield* applyToSteps(live, config, application);
    // The manager takes the annotations over, with the conflicts of any other field, and then leaves them out.
    const applied = yield* applyToSteps(live, withEmpty(config as KubeObject, surplus), application);
    return yield* applyToSteps(applied, config, application);
  } catch (error) {
    throw refusal(error);
  }
}

/** The annotations that the object has, and that the configuration should have if they were meant. */
function surplusIn(live: Tracked, { metadata }: KubeObject, places: readonly string[]): readonly string[] {
  const { metadata: stored } = live.object as Partial<KubeObject>;
  return places.filter((key) => stored?.annotations?.[key] !== undefined && metadata.annotations?.[key] === undefined);
}

function withEmpty(config: KubeObject, keys: readonly string[]): KubeObject {
  const empty = Object.fromEntries(keys.map((key) => [key, '']));
  return { ...config, metadata: { ...config.metadata, annotations: { ...config.metadata.annotations, ...empty } } };
}

/** The answer to an error of the field management. */
function refusal(error: unknown): unknown {
  if (error instanceof FieldsError) return badRequest(`failed to create typed patch object: ${error.message}`);
  if (!(error instanceof ConflictError)) return error;
  const { message, causes } = error;
  return new ApiError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

/** A merged object with its defaults. `undefined` for one that will be refused. */
function* completed(kind: Kind, object: unknown, part: ObjectPart): Steps<unknown> {
  try {
    return manageable(kind, yield* decoded(kind, object, part));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function* decoded(kind: Kind, object: unknown, part: ObjectPart): Steps<KubeObject> {
  return (yield* decodeSteps(kind, object, part, { isApplied: true })).object;
}
