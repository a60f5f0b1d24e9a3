import { z } from 'zod';
import { Int64 } from '../json/number-schema.js';
import { arrayOf, recordOf } from './bounded.js';

const Time = z.iso.datetime({ offset: true });
/**
 * The maximum number of labels, annotations, finalizers, owners or managers. Without it, a body of 3 MiB could have a
 * hundred thousand.
 */
const MAX_ENTRIES = 1000;
const StringMap = recordOf(z.string(), MAX_ENTRIES);

/** T without members that are null or undefined. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: NonNullable<T[K]>;
};

/**
 * Go's clients send `"creationTimestamp": null`, and `null` for empty maps and lists. It means that the field is
 * absent.
 */
function present<T extends object>(object: T): Present<T> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const value = object[key as keyof T];
    if (value != null) result[key] = value;
  }
  return result as Present<T>;
}

const OwnerReferenceInput = z
  .strictObject({
    apiVersion: z.string().nullish(),
    kind: z.string().nullish(),
    name: z.string().nullish(),
    uid: z.string().nullish(),
    controller: z.boolean().nullish(),
    blockOwnerDeletion: z.boolean().nullish(),
  })
  // Members that are left out become empty, which the rules of owners refuse.
  .transform((owner) => ({ apiVersion: '', kind: '', name: '', uid: '', ...present(owner) }));

const ManagedFieldsEntryInput = z
  .strictObject({
    manager: z.string().nullish(),
    operation: z.string().nullish(),
    apiVersion: z.string().nullish(),
    time: Time.nullish(),
    fieldsType: z.string().nullish(),
    fieldsV1: z.record(z.string(), z.unknown()).nullish(),
    subresource: z.string().nullish(),
  })
  .transform(present);

/**
 * `metadata` as clients may send it. It checks types only; validateObjectMeta checks the rules. It is strict so that
 * `fieldValidation` can report unknown fields. An absent name becomes the empty name. Fields that belong to the server
 * are accepted and overwritten later.
 */
export const ObjectMetaInput = z
  .strictObject({
    name: z.string().nullish(),
    generateName: z.string().nullish(),
    namespace: z.string().nullish(),
    selfLink: z.string().nullish(),
    uid: z.string().nullish(),
    resourceVersion: z.string().nullish(),
    generation: Int64.transform(Number).nullish(),
    creationTimestamp: Time.nullish(),
    deletionTimestamp: Time.nullish(),
    deletionGracePeriodSeconds: Int64.transform(Number).nullish(),
    labels: StringMap.nullish(),
    annotations: StringMap.nullish(),
    finalizers: arrayOf(z.string(), MAX_ENTRIES).nullish(),
    ownerReferences: arrayOf(OwnerReferenceInput, MAX_ENTRIES).nullish(),
    managedFields: arrayOf(ManagedFieldsEntryInput, MAX_ENTRIES).nullish(),
  })
  .transform((meta) => ({ ...present(meta), name: meta.name ?? '' }));
export type ObjectMetaInput = z.output<typeof ObjectMetaInput>;
