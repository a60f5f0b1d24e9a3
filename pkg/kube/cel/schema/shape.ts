import type { JsonSchema } from '../../structural/json-schema.js';
import { additionalSchema, itemSchema } from '../../structural/schema-parts.js';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
} from '../types/type.js';
import { escapeName, isReserved } from './escape.js';
import { intOrStringSize, listSize, mapSize, type Size, stringSize } from './sizes.js';

/** What expressions see of the values of a schema. */
export interface Shape extends Size {
  readonly kind: 'simple' | 'list' | 'map' | 'object';
  /** Of a simple shape. */
  readonly type?: CelType | undefined;
  readonly element?: Shape | undefined;
  /** Those of an object, by the names that expressions use. */
  readonly fields?: ReadonlyMap<string, Shape> | undefined;
}

/** The schema with the members that each resource has, as Kubernetes adds them. */
export function withMeta(schema: JsonSchema): JsonSchema {
  const properties = schema.properties ?? {};
  const of = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const metadata = of('metadata');
  const names = metadata?.properties ?? {};
  const isComplete =
    of('kind')?.type === 'string' &&
    of('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    ['name', 'generateName'].every((name) => Object.hasOwn(names, name) && names[name]?.type === 'string');
  if (isComplete) return schema;
  const text = { type: 'string' };
  const capped = (name: string, limit: number) => {
    const own = Object.hasOwn(names, name) ? names[name]?.maxLength : undefined;
    return { type: 'string', maxLength: own != null && own < limit ? own : limit };
  };
  const meta: JsonSchema = {
    type: 'object',
    properties: { name: capped('name', 253), generateName: capped('generateName', 252) },
  };
  return { ...schema, properties: { ...properties, kind: text, apiVersion: text, metadata: meta } };
}

export function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

/**
 * The shape of a schema, or undefined if expressions cannot see its values. `isResource`: it has apiVersion, kind and
 * metadata.
 */
export function shapeOf(schema: JsonSchema, isResource: boolean): Shape | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return { kind: 'simple', type: DYN, ...intOrStringSize(schema) };
  const completed = isResource ? withMeta(schema) : schema;
  switch (completed.type) {
    case 'array':
      return listShape(completed);
    case 'object':
      return additionalSchema(completed) === undefined ? objectShape(completed) : mapShape(completed);
    case 'string':
      return { kind: 'simple', type: textType(completed.format), ...stringSize(completed) };
    case 'boolean':
      return { kind: 'simple', type: BOOL, max: 0, minJson: 4 };
    case 'number':
      return { kind: 'simple', type: DOUBLE, max: 0, minJson: 1 };
    case 'integer':
      return { kind: 'simple', type: INT, max: 0, minJson: 1 };
    default:
      return undefined;
  }
}

function textType(format: string | undefined): CelType {
  if (format === 'byte') return BYTES;
  if (format === 'duration') return DURATION;
  return format === 'date' || format === 'date-time' ? TIMESTAMP : STRING;
}

function inner(schema: JsonSchema): Shape | undefined {
  return shapeOf(schema, isEmbedded(schema));
}

function listShape(schema: JsonSchema): Shape | undefined {
  const items = itemSchema(schema);
  const element = items === undefined ? undefined : inner(items);
  return element === undefined ? undefined : { kind: 'list', element, ...listSize(schema, element) };
}

function mapShape(schema: JsonSchema): Shape | undefined {
  const values = additionalSchema(schema);
  const element = values === undefined ? undefined : inner(values);
  return element === undefined ? undefined : { kind: 'map', element, ...mapSize(schema, element) };
}

function objectShape(schema: JsonSchema): Shape {
  const fields = new Map<string, Shape>();
  const required = new Set(schema.required ?? []);
  let minJson = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const shape = inner(property);
    if (shape === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, shape);
    if (required.has(name) && property.default == null) minJson += Buffer.byteLength(name) + shape.minJson + 4;
  }
  return { kind: 'object', fields, max: 0, minJson };
}

/**
 * The type of the values, whose structs are named after the path to them. Types of fields are made when they are asked
 * for.
 */
export function typeOfShape(shape: Shape, name: string): CelType {
  const { kind, element, type = DYN } = shape;
  if (kind === 'list' && element !== undefined) return listType(typeOfShape(element, `${name}.@idx`));
  if (kind === 'map' && element !== undefined) return mapType(STRING, typeOfShape(element, `${name}.@elem`));
  return kind === 'object' ? structOf(shape, name) : type;
}

function structOf({ fields }: Shape, name: string): CelType {
  const known = new Map<string, CelType>();
  return structType(name, {
    get: (field) => {
      const shape = fields?.get(field) ?? (isReserved(field) ? fields?.get(`__${field}__`) : undefined);
      if (shape === undefined) return undefined;
      const type = known.get(field) ?? typeOfShape(shape, `${name}.${field}`);
      known.set(field, type);
      return type;
    },
  });
}
