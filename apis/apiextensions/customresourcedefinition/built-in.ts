import type { Schema, Schemas } from '../../../pkg/kube/openapi/schema.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import { componentSchemas, objectSchemaName } from '../../../registry/openapi/schemas.js';
import type { CustomResourceDefinitionSpec } from './schema.js';

/** In Kubernetes, its own groups have no definitions, either. */
const KUBERNETES_GROUP = /^$|\.k8s\.io$|^autoscaling$/;

/** The name of the definition that shows a kind which is compiled in. `undefined`: it has none. */
export function nameOfBuiltIn({ group, resource, served, conversion }: Kind): string | undefined {
  if (!served || conversion !== undefined || KUBERNETES_GROUP.test(group)) return undefined;
  return `${resource}.${group}`;
}

const specs = new WeakMap<Kind, CustomResourceDefinitionSpec>();

/** The spec that shows a compiled kind to clients that list definitions to find kinds. */
export function builtInSpec(kind: Kind): CustomResourceDefinitionSpec {
  const known = specs.get(kind) ?? specOf(kind);
  specs.set(kind, known);
  return known;
}

function specOf(kind: Kind): CustomResourceDefinitionSpec {
  const { group, version, scope, resource: plural, singular, kind: name, shortNames, categories, hasStatus } = kind;
  const names = {
    plural,
    singular,
    kind: name,
    listKind: `${name}List`,
    ...(shortNames && { shortNames: [...shortNames] }),
    ...(categories && { categories: [...categories] }),
  };
  const subresources = hasStatus ? { subresources: { status: {} } } : {};
  const schema = { openAPIV3Schema: schemaOf(kind) };
  return { group, scope, names, versions: [{ name: version, served: true, storage: true, schema, ...subresources }] };
}

/** The schema of the OpenAPI document, in the form that a definition may have. */
function schemaOf(kind: Kind): JsonSchema {
  const schemas = componentSchemas([kind]);
  const whole = schemas[objectSchemaName(kind)] ?? {};
  const { properties, required } = whole as { properties?: Schemas; required?: string[] };
  const { apiVersion: _, kind: __, metadata: ___, ...members } = properties ?? {};
  const inlined = Object.entries(members).map(([name, part]) => [name, inline(part, schemas, [])]);
  return { type: 'object', ...(required && { required }), properties: Object.fromEntries(inlined) } as JsonSchema;
}

/** Stands for a schema inside itself, because a definition cannot have such schemas. */
const ANYTHING: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function inline(schema: Schema, schemas: Schemas, above: readonly string[]): Schema {
  const { $ref, allOf, 'x-kubernetes-group-version-kind': _, ...rest } = schema;
  const [only] = Array.isArray(allOf) ? (allOf as readonly Schema[]) : [];
  const reference = $ref ?? only?.['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    if (above.includes(name)) return { ...ANYTHING, ...described(rest) };
    return { ...inline(schemas[name] ?? {}, schemas, [...above, name]), ...described(rest) };
  }
  const { properties, items, additionalProperties } = rest;
  return {
    ...rest,
    ...(isObject(properties) && { properties: mapped(properties as Schemas, schemas, above) }),
    ...(isObject(items) && { items: inline(items as Schema, schemas, above) }),
    ...(isObject(additionalProperties) && {
      additionalProperties: inline(additionalProperties as Schema, schemas, above),
    }),
  };
}

function mapped(properties: Schemas, schemas: Schemas, above: readonly string[]): Schemas {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inline(part, schemas, above)]));
}

function described({ description }: Schema): Schema {
  return typeof description === 'string' ? { description } : {};
}
