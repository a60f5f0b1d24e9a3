import { z } from 'zod';
import { mapSchema, type Schema, type Schemas, V3_REFS } from './schema.js';

export interface ConvertedSchema {
  /** The name of the schema itself in `schemas`. */
  readonly name: string;
  /** The schema and its parts that have an id. */
  readonly schemas: Schemas;
}

/**
 * Converts a zod schema to OpenAPI 3.0 schemas of the input. A part with `.meta({ id })` becomes a schema of its own,
 * named `<prefix>.<id>`. The outermost schema is always one of its own, named `<prefix>.<fallbackId>` if it has no id.
 */
export function convertZod(schema: z.ZodType, prefix: string, fallbackId: string): ConvertedSchema {
  const { $schema: _, definitions, ...root } = jsonSchemaOf(schema);
  const idOf = (id: string): string => `${prefix}.${id.startsWith('__') ? `${fallbackId}${id}` : id}`;
  const parts = Object.entries((definitions ?? {}) as Schemas);
  const named = parts.map(([id, part]) => [idOf(id), conform(part, idOf)] as const);
  const part = onlyPart(root);
  if (part !== undefined) return { name: idOf(part), schemas: Object.fromEntries(named) };
  const name = idOf(fallbackId);
  if (named.some(([other]) => other === name))
    throw new Error(`A part of ${name} has the same id as the whole schema; give it another id with .meta({ id }).`);
  return { name, schemas: Object.fromEntries([...named, [name, conform(root, idOf, name)]]) };
}

/**
 * Kept, because zod takes long, and a server that starts needs each schema three times: for its definition, the types
 * of its fields and its digest.
 */
const converted = new WeakMap<z.ZodType, Schema>();

function jsonSchemaOf(schema: z.ZodType): Schema {
  const known = converted.get(schema) ?? z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  converted.set(schema, known as Schema);
  return known as Schema;
}

/** The id of the part that a schema consists of, apart from its default and its description. */
function onlyPart({ default: _, description: __, allOf, ...rest }: Schema): string | undefined {
  const all = Array.isArray(allOf) ? (allOf as readonly Schema[]) : [];
  const members = all.length === 1 ? { ...rest, ...all[0] } : rest;
  const { $ref } = members;
  const isReference = typeof $ref === 'string' && $ref !== '#' && all.length <= 1 && Object.keys(members).length === 1;
  return isReference ? lastSegment($ref) : undefined;
}

/**
 * Adapts a schema to Kubernetes' clients: references by component name, `int64`, and a mark on parts that may have any
 * content.
 */
function conform(schema: Schema, idOf: (id: string) => string, root?: string): Schema {
  return mapSchema(schema, (part) => {
    const { $ref, id: _, ...rest } = dropClosed(freeForm(integers(onlyReference(part))));
    if (typeof $ref !== 'string') return rest;
    const target = $ref === '#' && root !== undefined ? root : idOf(lastSegment($ref));
    const reference = { $ref: `${V3_REFS}${target}` };
    return Object.keys(rest).length === 0 ? reference : { ...rest, allOf: [reference] };
  });
}

/** What may be beside a reference: kubectl refuses a whole document in which one has members. */
const BESIDE_REFERENCE = ['$ref', 'allOf', 'description', 'default', 'nullable'];

/** A part that refers to another one, without its members, which zod repeats for a description of its own. */
function onlyReference(part: Schema): Schema {
  const [only, ...more] = [part, ...((part['allOf'] ?? []) as readonly Schema[])].filter(({ $ref }) => $ref);
  if (only === undefined || more.length > 0) return part;
  return Object.fromEntries(Object.entries(part).filter(([key]) => BESIDE_REFERENCE.includes(key)));
}

function integers(part: Schema): Schema {
  if (part['type'] !== 'integer') return part;
  const { minimum, maximum, ...rest } = part;
  return {
    ...rest,
    format: 'int64',
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

function freeForm(part: Schema): Schema {
  const describes = Object.keys(part).filter((key) => !['description', 'default', 'nullable'].includes(key));
  if (describes.length === 0) return { ...part, 'x-kubernetes-preserve-unknown-fields': true };
  const { additionalProperties, ...rest } = part;
  if (!isFree(additionalProperties)) return part;
  return { ...rest, 'x-kubernetes-preserve-unknown-fields': true };
}

/** The query parameter `fieldValidation` decides about unknown fields, not the schema. */
function dropClosed(part: Schema): Schema {
  if (part['additionalProperties'] !== false) return part;
  const { additionalProperties: _, ...rest } = part;
  return rest;
}

function isFree(additional: unknown): boolean {
  if (typeof additional !== 'object' || additional === null) return additional === true;
  const keys = Object.keys(additional);
  return keys.length === 0 || (keys.length === 1 && 'x-kubernetes-preserve-unknown-fields' in additional);
}

function lastSegment(reference: string): string {
  return decodeURIComponent(reference.slice(reference.lastIndexOf('/') + 1));
}
