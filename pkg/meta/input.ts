import { z } from 'zod';

/** Go's clients send `"creationTimestamp": null`, and `null` for empty maps and lists. It means that the field is absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value: z.output<Schema> | null | undefined) => value ?? undefined);

const Time = z.iso.datetime({ offset: true });
const StringMap = z.record(z.string(), z.string());

/** T without members that are undefined. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

const present = <T extends object>(object: T): Present<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>;

const OwnerReferenceInput = z
  .strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    name: z.string(),
    uid: z.string(),
    controller: optional(z.boolean()),
    blockOwnerDeletion: optional(z.boolean()),
  })
  .transform(present);

const ManagedFieldsEntryInput = z
  .strictObject({
    manager: optional(z.string()),
    operation: optional(z.string()),
    apiVersion: optional(z.string()),
    time: optional(Time),
    fieldsType: optional(z.string()),
    fieldsV1: optional(z.record(z.string(), z.unknown())),
    subresource: optional(z.string()),
  })
  .transform(present);

/**
 * `metadata` as clients may send it. It checks types only; validateObjectMeta checks the rules. It is strict so that `fieldValidation` can
 * report unknown fields. An absent name becomes the empty name. Fields that belong to the server are accepted and overwritten later.
 */
export const ObjectMetaInput = z
  .strictObject({
    name: optional(z.string()).transform((name) => name ?? ''),
    generateName: optional(z.string()),
    namespace: optional(z.string()),
    selfLink: optional(z.string()),
    uid: optional(z.string()),
    resourceVersion: optional(z.string()),
    generation: optional(z.int()),
    creationTimestamp: optional(Time),
    deletionTimestamp: optional(Time),
    deletionGracePeriodSeconds: optional(z.int()),
    labels: optional(StringMap),
    annotations: optional(StringMap),
    finalizers: optional(z.array(z.string())),
    ownerReferences: optional(z.array(OwnerReferenceInput)),
    managedFields: optional(z.array(ManagedFieldsEntryInput)),
  })
  .transform(present);
export type ObjectMetaInput = z.output<typeof ObjectMetaInput>;
