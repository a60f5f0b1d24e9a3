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

/** The two fields that every root object has. */
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
    name: text('Unique among objects of this kind in their namespace. Cannot be changed.'),
    generateName: text('Prefix of a generated name; used when there is no name.'),
    namespace: text('Namespace that the object lives in; empty for cluster-scoped kinds. Cannot be changed.'),
    uid: text(
      'Unique in time and space; given by the server. Two objects that have a name one after the other differ in it.',
    ),
    resourceVersion: text(
      'Version of the stored object. Send it back with an update to make sure that nobody else changed the object in between.',
    ),
    generation: integer('Counts changes of the desired state; given by the server.'),
    creationTimestamp: time('When the object was created; given by the server.'),
    deletionTimestamp: time(
      'When the deletion was asked for; the object goes once it has no finalizers. Given by the server.',
    ),
    deletionGracePeriodSeconds: integer('Seconds that a deletion waits. Given by the server.'),
    labels: dictionary('Keys and values that objects are selected by.'),
    annotations: dictionary('Keys and values that tools keep with the object; not selected by.'),
    finalizers: strings(
      'What must be done before the object goes. Entries can only be taken away once it is being deleted.',
      {
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-patch-strategy': 'merge',
      },
    ),
    ownerReferences: listOf(`${META}.OwnerReference`, 'Objects that this one goes with.', {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    }),
    managedFields: listOf(`${META}.ManagedFieldsEntry`, 'Which fields are kept by whom. Kept by the server.'),
    selfLink: text('No longer used.'),
  },
};

const ownerReference: Schema = {
  type: 'object',
  description: 'Names an object that owns this one, in the same namespace or cluster-scoped.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text('Group and version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('Uid of the owner.'),
    controller: flag('True for the one owner that controls this object.'),
    blockOwnerDeletion: flag('True when a foreground deletion of the owner waits for this object.'),
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: Schema = {
  type: 'object',
  description: 'The fields that one manager keeps by one kind of operation.',
  properties: {
    manager: text('Who keeps these fields.'),
    operation: text('How the manager wrote them: Apply or Update.'),
    apiVersion: text('Version of the resource that the field set belongs to.'),
    time: time('When an entry was added or its fields changed.'),
    fieldsType: text('Format of the field set; always FieldsV1.'),
    fieldsV1: describedRef(`${META}.FieldsV1`, 'The set of fields.'),
    subresource: text('Subresource that was written; empty for the object itself.'),
  },
};

const listMeta: Schema = {
  type: 'object',
  description: 'Metadata of a list.',
  properties: {
    resourceVersion: text('State that the list was read at; a watch from it misses nothing.'),
    continue: text('Token for the next page; empty when there is none.'),
    remainingItemCount: integer('Items on later pages; absent when it is not known.'),
    selfLink: text('No longer used.'),
  },
};

const preconditions: Schema = {
  type: 'object',
  description: 'What must hold for an operation to be carried out.',
  properties: { uid: text('Uid that the object must have.'), resourceVersion: text('Version that it must have.') },
};

const deleteOptions: Schema = {
  type: 'object',
  description: 'How an object is deleted.',
  properties: {
    ...TYPE_META,
    dryRun: strings('All: everything is checked and nothing is changed.'),
    gracePeriodSeconds: integer('Seconds before the object is deleted; 0 is at once.'),
    orphanDependents: flag('Deprecated: use propagationPolicy.'),
    preconditions: describedRef(`${META}.Preconditions`, 'What must hold for the deletion to be carried out.'),
    propagationPolicy: text('What happens to dependents: Background, Foreground or Orphan.'),
  },
  ...root('DeleteOptions'),
};

const statusCause: Schema = {
  type: 'object',
  description: 'One reason why a request failed.',
  properties: {
    field: text('Path of the field at fault, such as spec.title or items[0].name.'),
    message: text('Explanation for people.'),
    reason: text('Machine-readable cause.'),
  },
};

const statusDetails: Schema = {
  type: 'object',
  description: 'What a Status is about.',
  properties: {
    name: text('Name of the object.'),
    group: text('Group of the object.'),
    kind: text('Resource or kind of the object.'),
    uid: text('Uid of the object.'),
    causes: listOf(`${META}.StatusCause`, 'Reasons of the failure, one for each field at fault.'),
    retryAfterSeconds: integer('Seconds to wait before trying again.', 'int32'),
  },
};

const status: Schema = {
  type: 'object',
  description: 'The outcome of a request that does not answer with an object.',
  properties: {
    ...TYPE_META,
    metadata: describedRef(`${META}.ListMeta`, 'Metadata of a list.'),
    status: text('Success or Failure.'),
    message: text('Explanation for people.'),
    reason: text('Machine-readable reason of a failure.'),
    details: describedRef(`${META}.StatusDetails`, 'What it is about.'),
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
    format: text('OpenAPI format of the cells; name marks the column of names.'),
    description: text('What the column shows.'),
    priority: integer('0 is always shown; greater ones on wide output only.', 'int32'),
  },
};

const tableRow: Schema = {
  type: 'object',
  description: 'One object of a table.',
  required: ['cells'],
  properties: {
    cells: {
      type: 'array',
      description: 'One for each column.',
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

/** Schemas of Kubernetes' meta types, by the names that its clients look for. */
export const META_SCHEMAS: Schemas = {
  [`${META}.DeleteOptions`]: deleteOptions,
  [`${META}.FieldsV1`]: { type: 'object', description: 'A set of fields, as a trie of their path elements.' },
  [`${META}.ListMeta`]: listMeta,
  [`${META}.ManagedFieldsEntry`]: managedFieldsEntry,
  [`${META}.ObjectMeta`]: objectMeta,
  [`${META}.OwnerReference`]: ownerReference,
  [`${META}.Patch`]: { type: 'object', description: 'A change, in the format that its content type says.' },
  [`${META}.Preconditions`]: preconditions,
  [`${META}.Status`]: status,
  [`${META}.StatusCause`]: statusCause,
  [`${META}.StatusDetails`]: statusDetails,
  [`${META}.Table`]: table,
  [`${META}.TableColumnDefinition`]: columnDefinition,
  [`${META}.TableRow`]: tableRow,
  [`${META}.Time`]: { type: 'string', format: 'date-time', description: 'A time in RFC 3339, in seconds and UTC.' },
};
