import type { Writing } from '../../pkg/kube/fieldmanager/update.js';
import type { KubeObject, ManagedFieldsEntry } from '../../pkg/kube/meta/types.js';
import { extended } from '../../pkg/system/object/extended.js';
import type { Kind } from '../kinds/kind.js';
import { fieldTypeOf } from './field-types.js';
import { withOwnedOf } from './metadata.js';

export type Entries = readonly ManagedFieldsEntry[];

/** How the fields of the objects of a kind are managed. */
export function trackingOf(kind: Kind): Pick<Writing, 'type' | 'ownsStatus'> {
  return { type: fieldTypeOf(kind), ownsStatus: !kind.hasStatus };
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

export function withEntries(object: KubeObject, entries: Entries | undefined): KubeObject {
  if (entries !== undefined && entries.length > 0)
    return { ...object, metadata: extended(object.metadata, { managedFields: entries }) };
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
