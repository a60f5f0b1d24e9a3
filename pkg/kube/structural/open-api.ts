import { isObject } from '../../system/object/is-object.js';
import { TYPE_META } from '../openapi/meta.js';
import { describedRef, META, type Schema, type Schemas, V2_REFS } from '../openapi/schema.js';
import type { JsonSchema } from './json-schema.js';
import { mapped, published } from './published.js';

export interface PublishedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type OpenApi = 'v2' | 'v3';

const OBJECT_META = `${META}.ObjectMeta`;
const METADATA = 'Standard metadata of the object.';

/** The reference to the metadata. OpenAPI 2.0 may have a description beside it. */
const METADATA_OF: Readonly<Record<OpenApi, Schema>> = {
  v2: { description: METADATA, $ref: `${V2_REFS}${OBJECT_META}` },
  v3: describedRef(OBJECT_META, METADATA),
};

/**
 * The OpenAPI 3.0 schema of the objects of a custom kind, as Kubernetes publishes it (apiextensions-apiserver,
 * builder.go). It is the schema of the version with the members of every object. Embedded resources get these, too.
 * References are to `pkg/kube/openapi/meta.ts`.
 */
export function openApiV3Object(schema: JsonSchema | undefined, kind: PublishedKind): Schema {
  return { ...(schema === undefined ? OPEN : wholeObject(published(schema), 'v3')), ...groupVersionKind(kind) };
}

/**
 * The OpenAPI 2.0 schema of the same objects. What 2.0 cannot say is left out, so that its clients refuse nothing that
 * the server takes.
 */
export function openApiV2Object(schema: JsonSchema | undefined, kind: PublishedKind): Schema {
  const isOpen = schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return { ...(isOpen ? OPEN : wholeObject(lowered(published(schema)), 'v2')), ...groupVersionKind(kind) };
}

/** Clients would refuse members that are not listed, if any are. */
const OPEN: Schema = { type: 'object' };

function groupVersionKind({ group, version, kind }: PublishedKind): Schema {
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}

function wholeObject(schema: Schema, form: OpenApi): Schema {
  return withEmbedded(withObjectMembers(schema, form), form);
}

/** The members of every object replace those that the schema has for them. */
function withObjectMembers(schema: Schema, form: OpenApi): Schema {
  const { apiVersion: _, kind: __, metadata: ___, ...others } = (schema['properties'] ?? {}) as Schemas;
  return { ...schema, properties: { ...TYPE_META, metadata: METADATA_OF[form], ...others } };
}

/** Adds the members of every object to the embedded resources. In 2.0 they would close a resource that is open. */
function withEmbedded(schema: Schema, form: OpenApi): Schema {
  const within = mapParts(schema, (part) => withEmbedded(part, form));
  const isOpen = form === 'v2' && within['x-kubernetes-preserve-unknown-fields'] === true;
  if (isOpen || within['x-kubernetes-embedded-resource'] !== true) return within;
  const required = (within['required'] ?? []) as readonly string[];
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name));
  return { ...withObjectMembers(within, form), required: [...required, ...missing] };
}

/** Changes the schemas of members and items, and not those that only validate. */
function mapParts(schema: Schema, change: (part: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(isObject(properties) && { properties: mapped(properties as Schemas, change) }),
    ...(isObject(items) && { items: change(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: change(additionalProperties) }),
  };
}

/** What OpenAPI 2.0 and its clients can read of a schema (apiextensions-apiserver, ToStructuralOpenAPIV2). */
function lowered(schema: Schema): Schema {
  const { allOf: _, anyOf: __, oneOf: ___, not: ____, ...rest } = schema;
  return mapParts(withoutNullable(untyped(rest)), lowered);
}

/**
 * OpenAPI 2.0 has no null, so what may be null has no type. Clients refuse the members of values without a type, and
 * lists without items.
 */
function untyped(schema: Schema): Schema {
  const { nullable, ...rest } = schema;
  const isOpen = rest['x-kubernetes-preserve-unknown-fields'] === true;
  if (nullable !== true && !isOpen) return isBareList(rest) ? without(rest, ['type']) : rest;
  const bare = without(rest, ['items', 'properties']);
  const losesType = nullable === true || bare['type'] === 'object' || isBareList(bare);
  return losesType ? without(bare, ['type']) : bare;
}

function isBareList(schema: Schema): boolean {
  return schema['type'] === 'array' && schema['items'] === undefined;
}

function without(schema: Schema, names: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

/** What may be null is not required, because clients take a null for an absent value. */
function withoutNullable(schema: Schema): Schema {
  const { required, ...rest } = schema;
  if (!Array.isArray(required)) return schema;
  const { additionalProperties } = schema;
  if (isObject(additionalProperties) && additionalProperties['nullable'] === true) return rest;
  const properties = (schema['properties'] ?? {}) as Schemas;
  const kept = required.filter((name: string) => !Object.hasOwn(properties, name) || !properties[name]?.['nullable']);
  return kept.length === 0 ? rest : { ...schema, required: kept };
}
