import { isObject } from '../../system/object/is-object.js';

/** A Schema Object of OpenAPI 3.0 with extensions. */
export type Schema = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, Schema>>;

export const V3_REFS = '#/components/schemas/';
export const V2_REFS = '#/definitions/';

/** The package name of Kubernetes' meta types. */
export const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export function ref(name: string): Schema {
  return { $ref: `${V3_REFS}${name}` };
}

/** A reference with a description. It needs `allOf`, because OpenAPI 3.0 ignores members beside `$ref`. */
export function describedRef(name: string, description: string): Schema {
  return { description, allOf: [ref(name)] };
}

/** `folder.svc.app`, `v1beta1`, `Folder` → `app.svc.folder.v1beta1.Folder`; core kinds are `io.k8s.api.core.v1.…`. */
export function schemaName(group: string, version: string, kind: string): string {
  return `${schemaPrefix(group, version)}.${kind}`;
}

export function schemaPrefix(group: string, version: string): string {
  const domain = group === '' ? 'io.k8s.api.core' : group.split('.').reverse().join('.');
  return `${domain}.${version}`;
}

/**
 * Rewrites a schema from the leaves up. Visits only the places of schemas, so a property may be named like a keyword.
 */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const entries = Object.entries(schema).map(([key, value]) => [key, mapKeyword(key, value, change)]);
  return change(Object.fromEntries(entries) as Schema);
}

function mapKeyword(key: string, value: unknown, change: (schema: Schema) => Schema): unknown {
  if (key === 'properties' && isObject(value)) {
    const properties = Object.entries(value).map(([name, part]) => [name, mapSchema(part as Schema, change)]);
    return Object.fromEntries(properties);
  }
  if (['allOf', 'anyOf', 'oneOf'].includes(key) && Array.isArray(value)) {
    return value.map((part: Schema) => mapSchema(part, change));
  }
  const holdsOne = ['items', 'additionalProperties', 'not'].includes(key);
  return holdsOne && isObject(value) ? mapSchema(value, change) : value;
}
