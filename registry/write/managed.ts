import type { ManagerId } from '../../pkg/fieldmanager/managers.js';
import { sameBesideTimes } from '../../pkg/fieldmanager/managers.js';
import { entriesAfterUpdate } from '../../pkg/fieldmanager/tracking.js';
import type { Writing } from '../../pkg/fieldmanager/update.js';
import { isSameJson } from '../../pkg/json/same.js';
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../pkg/meta/types.js';
import type { Kind } from '../kind.js';
import { fieldTypeOf } from './field-types.js';
import { withOwnedOf } from './metadata.js';
import type { WriteScope, WriteTarget } from './write.js';

export type Entries = readonly ManagedFieldsEntry[];

/** The manager of what the server writes by itself. */
const SERVER = 'dashboard-apiserver';

/** The manager, type and time of a write. */
export function writingOf({ now }: WriteScope, target: WriteTarget, operation: ManagerId['operation']): Writing {
  const { kind, caller, subresource } = target;
  const through = subresource?.name === 'status' ? { subresource: subresource.name } : {};
  const by = { manager: caller.fieldManager ?? SERVER, operation, apiVersion: kind.apiVersion, ...through };
  return { by, type: fieldTypeOf(kind), now };
}

/** The part of an object that managers own: without managedFields, and without what belongs to the server. */
export function manageable(kind: Kind, object: KubeObject): KubeObject {
  const {
    managedFields: _,
    deletionTimestamp: __,
    deletionGracePeriodSeconds: ___,
    ...metadata
  } = withOwnedOf(kind, object.metadata, undefined);
  return { ...object, metadata };
}

/** A new object with the entry of its manager. */
export function withFirstManager(
  scope: WriteScope,
  target: WriteTarget,
  object: KubeObject,
  sent: Entries | undefined,
): KubeObject {
  const { kind } = target;
  if (!kind.served) return object;
  const next = { object: manageable(kind, object), entries: sent };
  return withEntries(object, entriesAfterUpdate(undefined, next, writingOf(scope, target, 'Update')));
}

/** The entries after an update. `object` is the new object, or `old` if nothing else changes. */
export function entriesAfter(
  scope: WriteScope,
  target: WriteTarget,
  object: KubeObject,
  sent: Entries | undefined,
  old: KubeObject,
): Entries | undefined {
  const { kind } = target;
  const { managedFields: live } = old.metadata;
  const isRewritten = sent !== undefined && sent !== live;
  if (!kind.served || (object === old && !isRewritten)) return live;
  const before = { object: manageable(kind, old), entries: live };
  const next = { object: manageable(kind, object), entries: sent };
  return entriesAfterUpdate(before, next, writingOf(scope, target, 'Update'));
}

export function haveSameManagers(a: Entries | undefined, b: Entries | undefined): boolean {
  return sameBesideTimes(a, b, isSameJson);
}

export function withEntries(object: KubeObject, entries: Entries | undefined): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const managed: Partial<ObjectMeta> = entries === undefined || entries.length === 0 ? {} : { managedFields: entries };
  return { ...object, metadata: { ...metadata, ...managed } };
}
