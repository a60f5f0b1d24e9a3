import { describedRef, META, ref, type Schema, type Schemas } from './schema.js';

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const integer = (description: string, format: 'int32' | 'int64' = 'int64'): Schema => ({
  type: 'integer',
  format,
  description,
});
const strings = (description: string, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  items: { type: 'string' },
  'x-kubernetes-list-type': 'atomic',
  ...more,
});
const dictionary = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});
const listOf = (name: string, description: string, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  items: ref(name),
  'x-kubernetes-list-type': 'atomic',
  ...more,
});
const time = (description: string): Schema => describedRef(`${META}.Time`, description);

/** The two fields of every root object. */
export const TYPE_META: Schemas = {
  apiVersion: text('Group and version of the schema of this object.'),
  kind: text('Kind of this object, in CamelCase. Cannot be changed.'),
};

const root = (kind: string, group = '', version = 'v1'): Schema => ({
  'x-kubernetes-group-version-kind': [{ group, kind, version }],
});

const objectMeta: Schema = {
  type: 'object',
  description: 'Metadata that every stored object has.',
  properties: {
    name: text('Name of the object, unique among objects of its kind in their namespace. Cannot be changed.'),
    generateName: text('Prefix of a generated name; used if there is no name.'),
    namespace: text('Namespace of the object; empty for cluster-scoped kinds. Cannot be changed.'),
    uid: text(
      'Unique in time and space; set by the server. If an object is deleted and created again, its uid differs.',
    ),
    resourceVersion: text(
      'Version of the stored object. Send it with an update to make the update fail if the object has changed meanwhile.',
    ),
    generation: integer('Number of changes of the desired state; set by the server.'),
    creationTimestamp: time('When the object was created; set by the server.'),
    deletionTimestamp: time(
      'When the deletion was requested; the object is removed once it has no finalizers. Set by the server.',
    ),
    deletionGracePeriodSeconds: integer('Seconds that the deletion waits. Set by the server.'),
    labels: dictionary('Keys and values by which objects can be selected.'),
    annotations: dictionary('Keys and values that tools store with the object. Objects cannot be selected by them.'),
    finalizers: strings(
      'Steps to complete before the object is removed. During a deletion, entries can only be removed.',
      {
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-patch-strategy': 'merge',
      },
    ),
    ownerReferences: listOf(
      `${META}.OwnerReference`,
      'Objects that own this object. It is deleted when all of them are deleted.',
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['uid'],
        'x-kubernetes-patch-merge-key': 'uid',
        'x-kubernetes-patch-strategy': 'merge',
      },
    ),
    managedFields: listOf(`${META}.ManagedFieldsEntry`, 'The fields that each manager has set. Set by the server.'),
    selfLink: text('No longer used.'),
  },
};

const ownerReference: Schema = {
  type: 'object',
  description: 'Names an owner of the object, in the same namespace or cluster-scoped.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text('Group and version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('Uid of the owner.'),
    controller: flag('Whether the owner is the controller of the object. At most one owner is.'),
    blockOwnerDeletion: flag('Whether a foreground deletion of the owner waits for the object.'),
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: Schema = {
  type: 'object',
  description: 'The fields that one manager has set by one kind of operation.',
  properties: {
    manager: text('Name of the manager.'),
    operation: text('How the manager set them: Apply or Update.'),
    apiVersion: text('Version of the resource that the field set belongs to.'),
    time: time('When the entry was added or its fields changed.'),
    fieldsType: text('Format of the field set; always FieldsV1.'),
    fieldsV1: describedRef(`${META}.FieldsV1`, 'The set of fields.'),
    subresource: text('Subresource that was written; empty for the object itself.'),
  },
};

const listMeta: Schema = {
  type: 'object',
  description: 'Metadata of a list.',
  properties: {
    resourceVersion: text('Version at which the list was read. A watch from it misses no change.'),
    continue: text('Token for the next page; empty on the last page.'),
    remainingItemCount: integer('Number of items on later pages; absent if it is not known.'),
    selfLink: text('No longer used.'),
  },
};

const preconditions: Schema = {
  type: 'object',
  description: 'Conditions for an operation.',
  properties: {
    uid: text('Uid that the object must have.'),
    resourceVersion: text('Version that the object must have.'),
  },
};

const deleteOptions: Schema = {
  type: 'object',
  description: 'How an object is deleted.',
  properties: {
    ...TYPE_META,
    dryRun: strings('All: the request is checked but nothing is changed.'),
    gracePeriodSeconds: integer('Seconds before the object is deleted; 0 deletes it at once.'),
    orphanDependents: flag('Deprecated: use propagationPolicy.'),
    preconditions: describedRef(`${META}.Preconditions`, 'Conditions for the deletion.'),
    propagationPolicy: text('How dependents are deleted: Background, Foreground or Orphan.'),
  },
  ...root('DeleteOptions'),
};

const statusCause: Schema = {
  type: 'object',
  description: 'One reason why a request failed.',
  properties: {
    field: text('Path of the wrong field, such as spec.title or items[0].name.'),
    message: text('Explanation for people.'),
    reason: text('Machine-readable cause.'),
  },
};

const statusDetails: Schema = {
  type: 'object',
  description: 'Details of a Status.',
  properties: {
    name: text('Name of the object.'),
    group: text('Group of the object.'),
    kind: text('Resource or kind of the object.'),
    uid: text('Uid of the object.'),
    causes: listOf(`${META}.StatusCause`, 'Causes of the failure, one for each wrong field.'),
    retryAfterSeconds: integer('Seconds to wait before trying again.', 'int32'),
  },
};

const status: Schema = {
  type: 'object',
  description: 'The result of a request that does not return an object.',
  properties: {
    ...TYPE_META,
    metadata: describedRef(`${META}.ListMeta`, 'Metadata of a list.'),
    status: text('Success or Failure.'),
    message: text('Explanation for people.'),
    reason: text('Machine-readable reason of a failure.'),
    details: describedRef(`${META}.StatusDetails`, 'Details of the status.'),
    code: integer('HTTP status code.', 'int32'),
  },
  ...root('Status'),
};

const columnDefinition: Schema = {
  type: 'object',
  description: 'A column of a table.',
  required: ['name', 'type', 'format', 'description', 'priority'],
  properties: {
    name: text('Heading.'),
    type: text('OpenAPI type of the cells; date for an age.'),
    format: text('OpenAPI format of the cells; name for the column of names.'),
    description: text('What the column shows.'),
    priority: integer('A column with priority 0 is always shown, others only in wide output.', 'int32'),
  },
};

const tableRow: Schema = {
  type: 'object',
  description: 'One object of a table.',
  required: ['cells'],
  properties: {
    cells: {
      type: 'array',
      description: 'One cell for each column.',
      items: { 'x-kubernetes-preserve-unknown-fields': true },
      'x-kubernetes-list-type': 'atomic',
    },
    object: {
      type: 'object',
      description: 'The object, or its metadata.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
};

const table: Schema = {
  type: 'object',
  description: 'Objects in rows and columns, for printing.',
  required: ['columnDefinitions', 'rows'],
  properties: {
    ...TYPE_META,
    metadata: describedRef(`${META}.ListMeta`, 'Metadata of the list.'),
    columnDefinitions: listOf(`${META}.TableColumnDefinition`, 'The columns.'),
    rows: listOf(`${META}.TableRow`, 'The objects.'),
  },
  ...root('Table', 'meta.k8s.io'),
};

/** Schemas of Kubernetes' meta types, under the names that its clients use. */
export const META_SCHEMAS: Schemas = {
  [`${META}.DeleteOptions`]: deleteOptions,
  [`${META}.FieldsV1`]: { type: 'object', description: 'A set of fields, as a trie of their path elements.' },
  [`${META}.ListMeta`]: listMeta,
  [`${META}.ManagedFieldsEntry`]: managedFieldsEntry,
  [`${META}.ObjectMeta`]: objectMeta,
  [`${META}.OwnerReference`]: ownerReference,
  [`${META}.Patch`]: { type: 'object', description: 'A patch in the format of its content type.' },
  [`${META}.Preconditions`]: preconditions,
  [`${META}.Status`]: status,
  [`${META}.StatusCause`]: statusCause,
  [`${META}.StatusDetails`]: statusDetails,
  [`${META}.Table`]: table,
  [`${META}.TableColumnDefinition`]: columnDefinition,
  [`${META}.TableRow`]: tableRow,
  [`${META}.Time`]: { type: 'string', format: 'date-time', description: 'A time in RFC 3339, in seconds and UTC.' },
};
