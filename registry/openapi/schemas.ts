import type { z } from 'zod';
import { META_SCHEMAS, TYPE_META } from '../../pkg/openapi/meta.js';
import {
  describedRef,
  META,
  ref,
  type Schema,
  type Schemas,
  schemaName,
  schemaPrefix,
} from '../../pkg/openapi/schema.js';
import { convertZod } from '../../pkg/openapi/zod.js';
import type { ApiResource } from '../discovery/resource.js';

/** A resource with what its schema comes from. A `Kind` is one. */
export interface DescribedResource extends ApiResource {
  readonly description: string;
  readonly spec?: z.ZodType;
  readonly status?: z.ZodType;
  readonly selectableFields?: Readonly<Record<string, unknown>>;
}

export function objectSchemaName({ group, version, kind }: ApiResource): string {
  return schemaName(group, version, kind);
}

/** Every schema of the resources of one group version, the meta types among them. Throws when two schemas claim one name. */
export function componentSchemas(resources: readonly DescribedResource[]): Schemas {
  const schemas = new Map<string, Schema>(Object.entries(META_SCHEMAS));
  for (const resource of resources) {
    for (const [name, schema] of Object.entries(schemasOf(resource))) add(schemas, name, schema);
  }
  return Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function add(schemas: Map<string, Schema>, name: string, schema: Schema): void {
  const present = schemas.get(name);
  if (present !== undefined && JSON.stringify(present) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas have the name ${name}; give one of them another id with .meta({ id }).`);
  }
  schemas.set(name, schema);
}

function schemasOf(resource: DescribedResource): Schemas {
  const parts = { spec: convert(resource, 'spec'), status: convert(resource, 'status') };
  const object = objectSchema(resource, parts.spec?.name, parts.status?.name);
  return {
    ...parts.spec?.schemas,
    ...parts.status?.schemas,
    [objectSchemaName(resource)]: object,
    ...(resource.verbs.includes('list') ? { [`${objectSchemaName(resource)}List`]: listSchema(resource) } : {}),
  };
}

function convert(resource: DescribedResource, part: 'spec' | 'status'): ReturnType<typeof convertZod> | undefined {
  const schema = resource[part];
  if (schema === undefined) return undefined;
  const suffix = part === 'spec' ? 'Spec' : 'Status';
  return convertZod(schema, schemaPrefix(resource.group, resource.version), `${resource.kind}${suffix}`);
}

function objectSchema(resource: DescribedResource, spec: string | undefined, status: string | undefined): Schema {
  const selectable = Object.keys(resource.selectableFields ?? {});
  return {
    type: 'object',
    description: resource.description,
    ...(spec === undefined || !resource.verbs.includes('update') ? {} : { required: ['spec'] }),
    properties: {
      ...TYPE_META,
      metadata: describedRef(`${META}.ObjectMeta`, 'Name, labels and what the server keeps of the object.'),
      ...(spec === undefined ? {} : { spec: describedRef(spec, `What the ${resource.kind} should be.`) }),
      ...(status === undefined ? {} : { status: describedRef(status, `What the ${resource.kind} is.`) }),
    },
    'x-kubernetes-group-version-kind': [groupVersionKind(resource)],
    ...(selectable.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': selectable.map((fieldPath) => ({ fieldPath })) }),
  };
}

function listSchema(resource: DescribedResource): Schema {
  const { group, version, kind } = resource;
  return {
    type: 'object',
    description: `A list of ${resource.resource}.`,
    required: ['items'],
    properties: {
      ...TYPE_META,
      metadata: describedRef(`${META}.ListMeta`, 'Version and next page of the list.'),
      items: { type: 'array', description: 'The objects.', items: ref(objectSchemaName(resource)) },
    },
    'x-kubernetes-group-version-kind': [groupVersionKind({ group, version, kind: `${kind}List` })],
  };
}

export interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The extension's value: an object on operations, an array of such on schemas. */
export function groupVersionKind({ group, version, kind }: NamedKind): NamedKind {
  return { group, kind, version };
}
