import { extended } from '../../system/object/extended.js';
import type { Steps } from '../../system/yielding/steps.js';
import { sameSteps } from '../json/same.js';
import { type Comparison, compare } from './compare.js';
import { type Conflict, ConflictError, conflictError } from './conflict.js';
import { differenceSteps, type Fields, intersectionSteps, isEmpty, NO_FIELDS, unionSteps } from './fields.js';
import { fieldsSteps } from './fields-of.js';
import { allowedByLastApplied, withNewLastApplied } from './last-applied.js';
import { keyOf, type Managed, type Managers } from './managers.js';
import { merge } from './merge.js';
import { remove, withNamedMembers } from './remove.js';
import type { FieldType } from './type.js';
import { ownable, ownedPart, updated, type Writing, withoutTaken } from './update.js';

export interface ApplyResult {
  readonly object: unknown;
  readonly managers: Managers;
}

export interface Application extends Writing {
  readonly force: boolean;
  /** For objects that clients write in another form than the stored one. */
  readonly form?: AnotherForm;
  /**
   * The object as it would be stored: with defaults, and without nulls that mean nothing. `undefined` for one that is
   * not valid. Absent: as it is.
   */
  complete?(object: unknown): Steps<unknown>;
}

/** The form in which clients write the object. It is also that of the annotation of the client-side apply. */
export interface AnotherForm {
  /** The configuration as the client sent it. */
  readonly sent: unknown;
  /** Converts what a client sent to the stored form. Anything else stays as it is. */
  stored(sent: unknown): unknown;
}

const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Applies a configuration to an object. The object gets the fields of the configuration. It loses the fields that the
 * manager applied before and leaves out now, if nobody else owns them. Object and configuration have no managedFields.
 * Throws ConflictError and FieldsError. Done in steps, because it walks over both objects and the fields of all
 * managers several times.
 */
export function* applySteps(
  live: unknown,
  config: unknown,
  managers: Managers,
  application: Application,
): Steps<ApplyResult> {
  const tracked = managers.size === 0 ? yield* untracked(live, application) : managers;
  const { manager } = application.by;
  if (manager !== 'kubectl') return yield* applyOnce(live, config, tracked, application);
  const applied = yield* afterClientSideApply(live, config, tracked, application);
  return { ...applied, object: withNewLastApplied(applied.object, application.form?.sent ?? config) };
}

/** The fields of an object that nobody tracked. */
function* untracked(live: unknown, application: Application): Steps<Managers> {
  const by = { ...application.by, manager: BEFORE_FIRST_APPLY, operation: 'Update' } as const;
  return yield* updated({}, ownedPart(live, { ...application, by }), new Map(), { ...application, by });
}

/** As in Kubernetes, kubectl takes over what its own client-side apply has written. */
function* afterClientSideApply(
  live: unknown,
  config: unknown,
  managers: Managers,
  application: Application,
): Steps<ApplyResult> {
  try {
    return yield* applyOnce(live, config, managers, application);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { type, by, form } = application;
    const allowed = yield* allowedByLastApplied(live, type, by.apiVersion, form?.stored);
    if (allowed === undefined) throw error;
    const left: Conflict[] = [];
    for (const conflict of error.conflicts) {
      const fields = yield* differenceSteps(conflict.fields, allowed);
      if (!isEmpty(fields)) left.push({ ...conflict, fields });
    }
    if (left.length > 0) throw yield* conflictError(left);
    return yield* applyOnce(live, config, managers, { ...application, force: true });
  }
}

function* applyOnce(live: unknown, config: unknown, managers: Managers, application: Application): Steps<ApplyResult> {
  const { by, type, now, force } = application;
  const key = keyOf(by);
  const last = managers.get(key);
  const applied: Managed = extended(by, { time: last?.time, fields: yield* fieldsSteps(config, type) });
  const claimed = new Map(managers).set(key, applied);
  const merged = yield* merge(live, config, type);
  const object = last === undefined ? merged : yield* withoutLeft(merged, last.fields, claimed, key, type);
  const changes = yield* changesOf(live, object, claimed, key, application);
  const rest = new Map(yield* withoutTaken(claimed, changes, { except: key, force }));
  yield;
  const fields = ownable(applied.fields);
  const isChanged = !(yield* sameSteps(live, object));
  if (isEmpty(fields)) rest.delete(key);
  else rest.set(key, { ...applied, fields, ...(isChanged && { time: now }) });
  return { object, managers: rest };
}

/**
 * What the apply changes. A field of another manager is changed only if it is another one when the object is stored.
 * Otherwise, a second manager of the same file would get a conflict for a null, and for each default in a list that is
 * managed as a whole, and with force both would take it from each other for ever.
 */
function* changesOf(
  live: unknown,
  object: unknown,
  managers: Managers,
  key: string,
  { type, complete }: Application,
): Steps<Comparison> {
  const changes = yield* compare(live, object, type);
  if (complete === undefined) return changes;
  const written = yield* unionSteps(changes.modified, changes.added);
  if (!(yield* isOfOthers(written, managers, key))) return changes;
  yield;
  const stored = yield* complete(object);
  if (stored === undefined) return changes;
  yield;
  const { added, modified, removed } = yield* compare(live, stored, type);
  const different = yield* unionSteps(yield* unionSteps(added, modified), removed);
  return {
    added: yield* intersectionSteps(changes.added, different),
    modified: yield* intersectionSteps(changes.modified, different),
    removed: changes.removed,
  };
}

function* isOfOthers(fields: Fields, managers: Managers, key: string): Steps<boolean> {
  for (const [other, managed] of managers)
    if (other !== key && !isEmpty(yield* intersectionSteps(managed.fields, fields))) return true;
  return false;
}

/** Removes what the manager applied before and does not apply any more, if nobody else owns it. */
function* withoutLeft(merged: unknown, last: Fields, managers: Managers, key: string, type: FieldType): Steps<unknown> {
  const kept = managers.get(key)?.fields ?? NO_FIELDS;
  if (isEmpty(yield* differenceSteps(last, kept))) return merged;
  let owned = NO_FIELDS;
  for (const { fields } of managers.values()) owned = yield* unionSteps(owned, fields);
  const namedFieldsOf = function* (value: unknown): Steps<Fields> {
    return yield* withNamedMembers(yield* fieldsSteps(value, type), type);
  };
  const all = yield* namedFieldsOf(merged);
  const namedLast = yield* withNamedMembers(last, type);
  const left = yield* namedFieldsOf(yield* remove(merged, namedLast, type));
  const wanted = yield* unionSteps(left, yield* withNamedMembers(owned, type));
  const withOwned = yield* remove(merged, yield* differenceSteps(all, wanted), type);
  const dangling = yield* differenceSteps(all, yield* namedFieldsOf(withOwned));
  return yield* remove(merged, yield* intersectionSteps(dangling, namedLast), type);
}
