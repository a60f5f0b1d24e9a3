import type { JsonSchema } from './json-schema.js';

/**
 * The parts of schemas, in the order in which Kubernetes looks at them. Paths are as in errors: `….properties[spec]`.
 */

export type Relation =
  | 'additionalProperties'
  | 'properties'
  | 'not'
  | 'allOf'
  | 'oneOf'
  | 'anyOf'
  | 'definitions'
  | 'items'
  | 'dependencies';

export interface Subschema {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly relation: Relation;
  /** The name of a property. */
  readonly name?: string;
}

type SchemaMap = Readonly<Record<string, unknown>> | null | undefined;

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one schema of all items of a list. */
export function itemSchema(schema: JsonSchema): JsonSchema | undefined {
  return isSchema(schema.items) ? schema.items : undefined;
}

/** The schemas of the items one by one, which no definition may have. */
export function itemSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return Array.isArray(schema.items) ? schema.items : [];
}

/** The schema of the values of a map, or of the properties that have none of their own. */
export function additionalSchema(schema: JsonSchema): JsonSchema | undefined {
  return isSchema(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

/** The schema of a property, if the schema has the property. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties } = schema;
  return properties != null && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function hasMembers(map: SchemaMap): boolean {
  for (const _ in map) return true;
  return false;
}

/** A default of null is none, because Kubernetes does not decode it. */
export function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined && schema.default !== null;
}

export function partsOf(schema: JsonSchema, path: string): Subschema[] {
  const parts: Subschema[] = [];
  const additional = additionalSchema(schema);
  if (additional !== undefined) {
    parts.push({ schema: additional, path: `${path}.additionalProperties`, relation: 'additionalProperties' });
  }
  addMap(parts, schema.properties, path, 'properties');
  if (isSchema(schema.not)) parts.push({ schema: schema.not, path: `${path}.not`, relation: 'not' });
  for (const relation of ['allOf', 'oneOf', 'anyOf'] as const) addList(parts, schema[relation], path, relation);
  addMap(parts, schema.definitions, path, 'definitions');
  const item = itemSchema(schema);
  if (item !== undefined) parts.push({ schema: item, path: `${path}.items`, relation: 'items' });
  addList(parts, itemSchemas(schema), path, 'items');
  addMap(parts, schema.dependencies, path, 'dependencies');
  return parts;
}

function addList(
  parts: Subschema[],
  schemas: readonly JsonSchema[] | null | undefined,
  path: string,
  relation: Relation,
): void {
  schemas?.forEach((schema, i) => {
    parts.push({ schema, path: `${path}.${relation}[${i}]`, relation });
  });
}

function addMap(parts: Subschema[], map: SchemaMap, path: string, relation: Relation): void {
  for (const [name, schema] of Object.entries(map ?? {})) {
    if (isSchema(schema)) parts.push({ schema, path: `${path}.${relation}[${name}]`, relation, name });
  }
}

/** The schema, and all schemas in it. */
export function* schemasIn(root: JsonSchema | null | undefined): Generator<JsonSchema, void, undefined> {
  const waiting: JsonSchema[] = root == null ? [] : [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    yield schema;
    for (const part of partsOf(schema, '')) waiting.push(part.schema);
    waiting.push(...Object.values(schema.patternProperties ?? {}));
    if (isSchema(schema.additionalItems)) waiting.push(schema.additionalItems);
  }
}
