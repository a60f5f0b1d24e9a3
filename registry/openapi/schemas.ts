import type { z } from 'zod';
import { META_SCHEMAS, TYPE_META } from '../../pkg/kube/openapi/meta.js';
import {
  describedRef,
  META,
  ref,
  type Schema,
  type Schemas,
  schemaName,
  schemaPrefix,
} from '../../pkg/kube/openapi/schema.js';
import { convertZod } from '../../pkg/kube/openapi/zod.js';
import type { ApiResource, ApiSubresource } from '../discovery/resource.js';
import type { Parameter } from './parameters.js';

export interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A kind with the schemas that describe it. */
export interface DescribedKind extends NamedKind {
  readonly description: string;
  readonly spec?: z.ZodType;
  /** The members beside the metadata, if the kind has no spec. */
  readonly members?: z.ZodObject;
  readonly status?: z.ZodType;
}

/**
 * The kind of a subresource's bodies and answers, which are not stored. The schemas describe the members beside type
 * and metadata.
 */
export interface DescribedMessage extends NamedKind {
  readonly description: string;
  readonly body?: z.ZodObject;
  readonly answer: z.ZodObject;
}

export interface DescribedSubresource extends ApiSubresource {
  /** The query parameters of GET. */
  readonly parameters?: readonly Parameter[];
  /** The query parameters that POST has beside those of all writes. */
  readonly postParameters?: readonly Parameter[];
  readonly kind?: DescribedMessage;
  /** A caller who writes through it manages fields under its name. They can be applied, too. */
  readonly managesFields?: boolean;
}

/** A resource with the schemas that describe it. A `Kind` is one. */
export interface DescribedResource extends ApiResource, DescribedKind {
  readonly selectableFields?: Readonly<Record<string, unknown>>;
  /** Present for objects that are stored as objects of another kind. */
  readonly conversion?: { readonly restore?: unknown };
  readonly conventions?: { readonly returnsDeletedObject: boolean };
  readonly deleteOptions?: Readonly<Record<string, z.ZodType>>;
  readonly subresources?: readonly DescribedSubresource[];
  /** The kind of its lists. Absent: the kind with `List` after it. */
  readonly listKind?: string;
  /**
   * The schema of the whole objects in a version of OpenAPI, with all references in its form, in place of `spec`,
   * `members` and `status`. Its name in the documents follows from the kind, and a schema of the server that has the
   * same name comes before it.
   */
  readonly objectSchema?: (openApi: 'v2' | 'v3') => Schema;
  /**
   * A text that changes when the documentation of the resource changes. From it, the hash of the document of a group
   * version is known without rendering the document.
   */
  readonly documentVersion?: string;
}

/** Whether objects can be applied as this resource. One that is only read as this resource cannot. */
export function acceptsApply({
  conversion,
}: {
  readonly conversion?: { readonly restore?: unknown } | undefined;
}): boolean {
  return conversion === undefined || conversion.restore !== undefined;
}

export function objectSchemaName({ group, version, kind }: NamedKind): string {
  return schemaName(group, version, kind);
}

export function listSchemaName({ group, version, kind, listKind = `${kind}List` }: DescribedResource): string {
  return schemaName(group, version, listKind);
}

/**
 * All schemas of the resources of one group version, with the meta types. Throws if two different schemas of the server
 * have the same name. Schemas of resources with an `objectSchema` do not count, because clients choose their names.
 */
export function componentSchemas(resources: readonly DescribedResource[]): Schemas {
  const schemas = new Map<string, Schema>(Object.entries(META_SCHEMAS));
  for (const resource of resources.filter(isOwn)) {
    for (const [name, schema] of Object.entries(schemasOf(resource))) add(schemas, name, schema);
  }
  for (const resource of resources.filter((resource) => !isOwn(resource))) {
    for (const [name, schema] of Object.entries(schemasOf(resource))) if (!schemas.has(name)) schemas.set(name, schema);
  }
  return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isOwn({ objectSchema }: DescribedResource): boolean {
  return objectSchema === undefined;
}

/**
 * The object schemas of OpenAPI 2.0 of the resources that have one of their own. All others follow from those of 3.0.
 */
export function objectSchemasV2(resources: readonly DescribedResource[]): Schemas {
  if (resources.every(isOwn)) return {};
  const used = componentSchemas(resources.filter(isOwn));
  const given = resources.flatMap((resource) => {
    const name = objectSchemaName(resource);
    if (resource.objectSchema === undefined || Object.hasOwn(used, name)) return [];
    return [[name, { ...resource.objectSchema('v2'), ...selectable(resource) }] as const];
  });
  return Object.fromEntries(given);
}

function add(schemas: Map<string, Schema>, name: string, schema: Schema): void {
  const present = schemas.get(name);
  if (present !== undefined && JSON.stringify(present) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas have the name ${name}; give one of them another id with .meta({ id }).`);
  }
  schemas.set(name, schema);
}

function schemasOf(resource: DescribedResource): Schemas {
  const below = (resource.subresources ?? []).map(({ kind }) => (kind === undefined ? {} : messageSchemas(kind)));
  if (resource.verbs.length === 0) return Object.assign({}, ...below);
  const texts = resource.verbs.includes('get') ? storedTexts(resource) : NOT_STORED_TEXTS;
  const object = objectSchemas(resource, texts);
  const list = { [listSchemaName(resource)]: listSchema(resource) };
  return Object.assign({}, ...below, object, resource.verbs.includes('list') ? list : {});
}

interface PartTexts {
  readonly spec: string;
  readonly status: string;
}

/** The descriptions for a kind that is not stored. */
const NOT_STORED_TEXTS: PartTexts = { spec: 'The request.', status: 'The answer.' };

function storedTexts({ kind }: DescribedKind): PartTexts {
  return { spec: `The desired state of the ${kind}.`, status: `The observed state of the ${kind}.` };
}

function objectSchemas(resource: DescribedResource, texts: PartTexts): Schemas {
  const { objectSchema } = resource;
  if (objectSchema === undefined) return kindSchemas(resource, texts, ownSchema(resource));
  return { [objectSchemaName(resource)]: { ...objectSchema('v3'), ...selectable(resource) } };
}

function ownSchema({ spec, verbs, ...resource }: DescribedResource): Schema {
  const isRequired = spec !== undefined && verbs.includes('update') && !spec.safeParse(undefined).success;
  return { ...(isRequired ? { required: ['spec'] } : {}), ...selectable(resource) };
}

function selectable({ selectableFields = {} }: Pick<DescribedResource, 'selectableFields'>): Schema {
  const fields = Object.keys(selectableFields).map((fieldPath) => ({ fieldPath }));
  return fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields };
}

function kindSchemas(kind: DescribedKind, texts: PartTexts, more: Schema = {}): Schemas {
  const spec = convert(kind, 'spec');
  const status = convert(kind, 'status');
  const own = kind.members && memberSchemas(kind, kind.members);
  const members = {
    ...own?.members,
    ...(spec === undefined ? {} : { spec: describedRef(spec.name, texts.spec) }),
    ...(status === undefined ? {} : { status: describedRef(status.name, texts.status) }),
  };
  return {
    ...own?.schemas,
    ...spec?.schemas,
    ...status?.schemas,
    [objectSchemaName(kind)]: { ...objectSchema(kind, members), ...more },
  };
}

function messageSchemas(kind: DescribedMessage): Schemas {
  const parts = [kind.body, kind.answer].map((schema) =>
    schema === undefined ? undefined : memberSchemas(kind, schema),
  );
  const members = Object.assign({}, ...parts.map((part) => part?.members));
  return Object.assign({}, ...parts.map((part) => part?.schemas), {
    [objectSchemaName(kind)]: objectSchema(kind, members),
  });
}

/** The members of a schema, and the schemas that they refer to. */
function memberSchemas(kind: NamedKind, schema: z.ZodObject): { readonly members: Schemas; schemas: Schemas } {
  const { name, schemas } = convertZod(schema, schemaPrefix(kind.group, kind.version), kind.kind);
  const { [name]: whole, ...others } = schemas;
  return { members: (whole?.['properties'] ?? {}) as Schemas, schemas: others };
}

function objectSchema(kind: NamedKind & { readonly description: string }, members: Schemas): Schema {
  const metadata = describedRef(`${META}.ObjectMeta`, 'Standard metadata of the object.');
  return {
    type: 'object',
    description: kind.description,
    properties: { ...TYPE_META, metadata, ...members },
    'x-kubernetes-group-version-kind': [groupVersionKind(kind)],
  };
}

function convert(kind: DescribedKind, part: 'spec' | 'status'): ReturnType<typeof convertZod> | undefined {
  const schema = kind[part];
  if (schema === undefined) return undefined;
  const suffix = part === 'spec' ? 'Spec' : 'Status';
  return convertZod(schema, schemaPrefix(kind.group, kind.version), `${kind.kind}${suffix}`);
}

function listSchema(resource: DescribedResource): Schema {
  const { group, version, kind, listKind = `${kind}List` } = resource;
  return {
    type: 'object',
    description: `A list of ${resource.resource}.`,
    required: ['items'],
    properties: {
      ...TYPE_META,
      metadata: describedRef(`${META}.ListMeta`, 'Version and next page of the list.'),
      items: { type: 'array', description: 'The objects.', items: ref(objectSchemaName(resource)) },
    },
    'x-kubernetes-group-version-kind': [groupVersionKind({ group, version, kind: listKind })],
    ...(resource.objectSchema === undefined ? {} : selectable(resource)),
  };
}

/** The value of x-kubernetes-group-version-kind: one on operations, an array of them on schemas. */
export function groupVersionKind({ group, version, kind }: NamedKind): NamedKind {
  return { group, kind, version };
}
