import { extended } from '../../system/object/extended.js';
import { isObject } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import { type Comparison, compare } from './compare.js';
import { type Conflict, conflictError } from './conflict.js';
import {
  difference,
  differenceSteps,
  type Fields,
  intersectionSteps,
  isEmpty,
  NO_FIELDS,
  unionSteps,
} from './fields.js';
import { capped, keyOf, type Managed, type ManagerId, type Managers } from './managers.js';
import type { FieldType } from './type.js';

/** A write by a manager. */
export interface Writing {
  readonly by: ManagerId;
  readonly type: FieldType;
  /** RFC 3339 in seconds. */
  readonly now: string;
  /**
   * Who sets the status. True: the manager that writes the object. False: the one that writes the subresource `status`.
   * Absent: it is a member like any other.
   */
  readonly ownsStatus?: boolean;
}

/** Fields that only identify the object. Nobody owns them. */
const STRIPPED: Fields = {
  'f:apiVersion': NO_FIELDS,
  'f:kind': NO_FIELDS,
  'f:metadata': {
    '.': NO_FIELDS,
    'f:name': NO_FIELDS,
    'f:namespace': NO_FIELDS,
    'f:creationTimestamp': NO_FIELDS,
    'f:selfLink': NO_FIELDS,
    'f:uid': NO_FIELDS,
    'f:clusterName': NO_FIELDS,
    'f:generation': NO_FIELDS,
    'f:managedFields': NO_FIELDS,
    'f:resourceVersion': NO_FIELDS,
  },
};

/** The fields of a set that a manager may own. */
export function ownable(fields: Fields): Fields {
  return difference(fields, STRIPPED);
}

/**
 * The part of an object that a write is about, if only the subresource `status` sets the status: either the status, or
 * everything else.
 */
export function ownedPart(object: unknown, { by, ownsStatus }: Pick<Writing, 'by' | 'ownsStatus'>): unknown {
  if (ownsStatus !== false || !isObject(object)) return object;
  const { status, ...rest } = object;
  if (by.subresource === 'status') return { status };
  return status === undefined ? object : rest;
}

/**
 * The managers after an object was replaced by another one, in steps. The objects have no managedFields. Throws
 * FieldsError.
 */
export function* updated(old: unknown, next: unknown, managers: Managers, writing: Writing): Steps<Managers> {
  const { by, type, now } = writing;
  const changes = yield* compare(old, next, type);
  const result = new Map(yield* withoutTaken(managers, changes));
  const taken = ownable(yield* unionSteps(changes.modified, changes.added));
  if (isEmpty(taken)) return capped(result);
  const key = keyOf(by);
  const fields = yield* unionSteps(taken, result.get(key)?.fields ?? NO_FIELDS);
  result.set(key, extended(by, { time: now, fields }));
  return capped(result);
}

/**
 * The managers without the fields that a write has changed or removed, in steps. Throws ConflictError, unless `force`
 * is true.
 */
export function* withoutTaken(
  managers: Managers,
  { added, modified, removed }: Comparison,
  { except, force = true }: { readonly except?: string; readonly force?: boolean } = {},
): Steps<Managers> {
  const changed = yield* unionSteps(modified, added);
  const conflicts: Conflict[] = [];
  const result = new Map<string, Managed>();
  for (const [key, managed] of managers) {
    const taken = key === except ? NO_FIELDS : yield* intersectionSteps(managed.fields, changed);
    if (!isEmpty(taken)) conflicts.push({ by: managed, fields: taken });
    const rest = yield* differenceSteps(managed.fields, taken);
    const fields = yield* differenceSteps(rest, removed);
    if (!isEmpty(fields)) result.set(key, fields === managed.fields ? managed : { ...managed, fields });
    yield;
  }
  if (conflicts.length > 0 && !force) throw yield* conflictError(conflicts);
  return result;
}
