import { z } from 'zod';
import { isObject, type Members } from '../../system/object/is-object.js';
import { Int64, JsonNumber } from '../json/number-schema.js';
import { isSameJson } from '../json/same.js';

/** A CEL rule of a schema (apiextensions.k8s.io/v1, ValidationRule). */
export const ValidationRule = z
  .strictObject({
    rule: z.string().default('').describe('A CEL expression that is true for valid values.'),
    message: z.string().optional().describe('What a refusal says.'),
    messageExpression: z.string().optional().describe('A CEL expression that gives the message.'),
    reason: z.string().optional().describe('The reason of the cause: FieldValueInvalid if it is absent.'),
    fieldPath: z.string().optional().describe('The path of the field that is wrong, below the value of the rule.'),
    optionalOldSelf: z
      .boolean()
      .nullish()
      .describe('oldSelf is optional, so that the rule is also checked when there is no old value.'),
  })
  .meta({ id: 'ValidationRule' });

export type ValidationRule = z.infer<typeof ValidationRule>;

/**
 * A schema of a custom resource (apiextensions.k8s.io/v1, JSONSchemaProps), with the members that a client sent. What a
 * schema may not have is refused by the validation of definitions, not by this type.
 */
export interface JsonSchema {
  readonly id?: string | undefined;
  readonly $schema?: string | undefined;
  readonly $ref?: string | null | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly title?: string | undefined;
  /** `null` is a default of null. */
  readonly default?: unknown;
  readonly maximum?: number | bigint | null | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly minimum?: number | bigint | null | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly maxLength?: number | bigint | null | undefined;
  readonly minLength?: number | bigint | null | undefined;
  readonly pattern?: string | undefined;
  readonly maxItems?: number | bigint | null | undefined;
  readonly minItems?: number | bigint | null | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly multipleOf?: number | bigint | null | undefined;
  readonly enum?: readonly unknown[] | null | undefined;
  readonly maxProperties?: number | bigint | null | undefined;
  readonly minProperties?: number | bigint | null | undefined;
  readonly required?: readonly string[] | null | undefined;
  readonly items?: JsonSchema | readonly JsonSchema[] | null | undefined;
  readonly allOf?: readonly JsonSchema[] | null | undefined;
  readonly oneOf?: readonly JsonSchema[] | null | undefined;
  readonly anyOf?: readonly JsonSchema[] | null | undefined;
  readonly not?: JsonSchema | null | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | null | undefined;
  readonly additionalProperties?: JsonSchema | boolean | null | undefined;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>> | null | undefined;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>> | null | undefined;
  readonly additionalItems?: JsonSchema | boolean | null | undefined;
  readonly definitions?: Readonly<Record<string, JsonSchema>> | null | undefined;
  readonly externalDocs?:
    | { readonly description?: string | undefined; readonly url?: string | undefined }
    | null
    | undefined;
  readonly example?: unknown;
  readonly nullable?: boolean | undefined;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | null | undefined;
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined;
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | null | undefined;
  readonly 'x-kubernetes-list-type'?: string | null | undefined;
  readonly 'x-kubernetes-map-type'?: string | null | undefined;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[] | null | undefined;
}

const text = z.string().optional();
const flag = z.boolean().optional();
const float = JsonNumber.nullish();
const int = Int64.nullish();

const schemas = z.lazy(() => z.array(JsonSchema)).nullish();
const schemaMap = z.lazy(() => z.record(z.string(), JsonSchema)).nullish();
const schemaOrFlag = z.lazy(() => z.union([z.boolean(), JsonSchema])).nullish();

const SHAPE = {
  id: text,
  $schema: text,
  $ref: z.string().nullish(),
  description: text,
  type: text,
  format: text,
  title: text,
  default: z.unknown().optional(),
  maximum: float,
  exclusiveMaximum: flag,
  minimum: float,
  exclusiveMinimum: flag,
  maxLength: int,
  minLength: int,
  pattern: text,
  maxItems: int,
  minItems: int,
  uniqueItems: flag,
  multipleOf: float,
  enum: z.array(z.unknown()).nullish(),
  maxProperties: int,
  minProperties: int,
  required: z.array(z.string()).nullish(),
  items: z.lazy(() => z.union([JsonSchema, z.array(JsonSchema)])).nullish(),
  allOf: schemas,
  oneOf: schemas,
  anyOf: schemas,
  not: z.lazy(() => JsonSchema).nullish(),
  properties: schemaMap,
  additionalProperties: schemaOrFlag,
  patternProperties: schemaMap,
  dependencies: z.lazy(() => z.record(z.string(), z.union([JsonSchema, z.array(z.string())]))).nullish(),
  additionalItems: schemaOrFlag,
  definitions: schemaMap,
  externalDocs: z.strictObject({ description: text, url: text }).nullish(),
  example: z.unknown().optional(),
  nullable: flag,
  'x-kubernetes-preserve-unknown-fields': z.boolean().nullish(),
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-map-keys': z.array(z.string()).nullish(),
  'x-kubernetes-list-type': z.string().nullish(),
  'x-kubernetes-map-type': z.string().nullish(),
  'x-kubernetes-validations': z.array(ValidationRule).nullish(),
};

/** The members that have schemas in them, and how. All others are read by their types. */
const HOLDERS: ReadonlyMap<string, (value: unknown, visit: VisitSchema) => boolean> = new Map([
  ['not', schemaIn],
  ['items', (value, visit) => (Array.isArray(value) ? schemasIn(value, visit) : schemaIn(value, visit))],
  ['allOf', schemasIn],
  ['oneOf', schemasIn],
  ['anyOf', schemasIn],
  ['properties', schemaMapIn],
  ['patternProperties', schemaMapIn],
  ['definitions', schemaMapIn],
  ['additionalProperties', (value, visit) => typeof value === 'boolean' || schemaIn(value, visit)],
  ['additionalItems', (value, visit) => typeof value === 'boolean' || schemaIn(value, visit)],
]);

/** What is found while a schema is read: the schemas in it that are still to be read, with the steps to them. */
type VisitSchema = (value: object, ...path: readonly PropertyKey[]) => void;

function schemaIn(value: unknown, visit: VisitSchema): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  visit(value);
  return true;
}

function schemasIn(value: unknown, visit: VisitSchema): boolean {
  if (value === null) return true;
  if (!Array.isArray(value) || !value.every(isObject)) return false;
  for (const [i, one] of value.entries()) visit(one, i);
  return true;
}

function schemaMapIn(value: unknown, visit: VisitSchema): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  if (!keys.every((key) => isObject(value[key]))) return false;
  for (const key of keys) visit(value[key] as object, key);
  return true;
}

/** The types of values that most schemas have. Other values are read by the type, which says what is wrong. */
const PLAIN: ReadonlyMap<string, 'string' | 'boolean'> = new Map([
  ['type', 'string'],
  ['description', 'string'],
  ['format', 'string'],
  ['pattern', 'string'],
  ['title', 'string'],
  ['nullable', 'boolean'],
]);

type Payload = z.core.ParsePayload;
type Context = z.core.ParseContextInternal;
type Read = (payload: Payload, context: Context) => Payload | Promise<Payload>;

/**
 * Reads a schema with all schemas in it, in a tenth of the time that the type alone takes. Schemas have thousands of
 * others in them, and all other requests wait meanwhile. The result is the value that was given. `whole` is the type,
 * which also adds defaults.
 */
function reading(whole: Read): Read {
  return (payload, context) => {
    const issues: z.core.$ZodRawIssue[] = [];
    const left: { readonly value: object; readonly path: readonly PropertyKey[] }[] = [];
    if (!isObject(payload.value)) return whole(payload, context);
    left.push({ value: payload.value, path: [] });
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { value, path } = next;
      const isRead = readMembers(value as Members, path, { context, issues, left });
      if (!isRead) return whole(payload, context);
    }
    payload.issues.push(...issues);
    return payload;
  };
}

interface Reading {
  readonly context: Context;
  readonly issues: z.core.$ZodRawIssue[];
  readonly left: { readonly value: object; readonly path: readonly PropertyKey[] }[];
}

/**
 * The members of a map of schemas that are null. Elsewhere, null is an absent member. Here it would leave out a field
 * that the schema names.
 */
function nullsIn(key: string, value: unknown): readonly string[] {
  if (HOLDERS.get(key) !== schemaMapIn || !isObject(value)) return [];
  return Object.keys(value).filter((name) => value[name] === null);
}

/** Returns false for a member that gets a default. */
function readMembers(schema: Members, path: readonly PropertyKey[], { context, issues, left }: Reading): boolean {
  const unknown: string[] = [];
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (PLAIN.get(key) === typeof value) continue;
    const nulls = nullsIn(key, value);
    if (nulls.length > 0) {
      const issue = { code: 'custom', message: 'must be a schema, and not null', input: value } as const;
      for (const name of nulls) issues.push({ ...issue, path: [...path, key, name] });
      continue;
    }
    const visit: VisitSchema = (inner, ...steps) => void left.push({ value: inner, path: [...path, key, ...steps] });
    if (HOLDERS.get(key)?.(value, visit) === true) continue;
    if (!Object.hasOwn(SHAPE, key)) {
      unknown.push(key);
      continue;
    }
    const type: z.ZodType = SHAPE[key as keyof typeof SHAPE];
    const read = type._zod.run({ value, issues: [] }, context) as Payload;
    if (read.issues.length === 0 && !isSameJson(read.value, value)) return false;
    for (const issue of read.issues) issues.push({ ...issue, path: [...path, key, ...(issue.path ?? [])] });
  }
  if (unknown.length > 0) {
    issues.push({ code: 'unrecognized_keys', keys: unknown, input: schema, path: [...path] });
  }
  return true;
}

export const JsonSchema: z.ZodType<JsonSchema> = z.strictObject(SHAPE).meta({ id: 'JSONSchemaProps' });

// zod has no other way to read a type with our own code and to show all its members in documents.
const read = reading(JsonSchema._zod.run.bind(JsonSchema._zod));
JsonSchema._zod.run = read;
