import { z } from 'zod';

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
 * A schema of a custom resource (apiextensions.k8s.io/v1, JSONSchemaProps), with the members that a client sent. What a schema may not have is refused by the
 * validation of definitions, not by this type.
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
  readonly maximum?: number | null | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly minimum?: number | null | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly maxLength?: number | null | undefined;
  readonly minLength?: number | null | undefined;
  readonly pattern?: string | undefined;
  readonly maxItems?: number | null | undefined;
  readonly minItems?: number | null | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly multipleOf?: number | null | undefined;
  readonly enum?: readonly unknown[] | null | undefined;
  readonly maxProperties?: number | null | undefined;
  readonly minProperties?: number | null | undefined;
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
const float = z.number().nullish();
const int = z.int().nullish();

const schemas = z.lazy(() => z.array(JsonSchema)).nullish();
const schemaMap = z.lazy(() => z.record(z.string(), JsonSchema)).nullish();
const schemaOrFlag = z.lazy(() => z.union([z.boolean(), JsonSchema])).nullish();

export const JsonSchema: z.ZodType<JsonSchema> = z
  .strictObject({
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
  })
  .meta({ id: 'JSONSchemaProps' });
