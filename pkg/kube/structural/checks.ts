import { enumOf } from './check-enum.js';
import { formatTest } from './formats.js';
import type { JsonSchema } from './json-schema.js';
import type { Checks, Junctors, ListChecks, NumberChecks, ObjectChecks, StringChecks, Structural } from './node.js';

type Compile = (schema: JsonSchema) => Structural;

export function checksOf(schema: JsonSchema, compile: Compile): Checks {
  const types = typesOf(schema);
  const format = enforcedFormat(schema.format ?? '', types);
  return {
    types,
    format,
    hasFormat: formatTest(format),
    isNullable: schema.nullable === true,
    enum: (schema.enum ?? []).length === 0 ? undefined : enumOf(schema.enum ?? []),
    string: stringChecks(schema),
    number: numberChecks(schema),
    list: listChecks(schema),
    object: objectChecks(schema),
    junctors: junctorsOf(schema, compile),
  };
}

const NO_TYPE: readonly string[] = [];
const INT_OR_STRING: readonly string[] = ['integer', 'string'];
const TYPES = new Map(
  ['object', 'array', 'string', 'integer', 'number', 'boolean'].map((type) => [type, [type] as readonly string[]]),
);

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return INT_OR_STRING;
  if (schema.type === undefined || schema.type === '') return NO_TYPE;
  return TYPES.get(schema.type) ?? [schema.type];
}

/** The rule of apiextensions-apiserver/pkg/apiserver/validation/formats.go. */
function enforcedFormat(format: string, types: readonly string[]): string {
  const type = types.length === 1 ? types[0] : '';
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  if (type !== '' && type !== 'string') return '';
  return formatTest(format) === undefined ? '' : format;
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}

function stringChecks({ minLength, maxLength, pattern = '' }: JsonSchema): StringChecks | undefined {
  if (!isGiven(minLength) && !isGiven(maxLength) && pattern === '') return undefined;
  return { minLength: minLength ?? undefined, maxLength: maxLength ?? undefined, pattern };
}

function numberChecks(schema: JsonSchema): NumberChecks | undefined {
  const { multipleOf, maximum, minimum } = schema;
  if (!isGiven(multipleOf) && !isGiven(maximum) && !isGiven(minimum)) return undefined;
  return {
    multipleOf: multipleOf ?? undefined,
    maximum: maximum ?? undefined,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: minimum ?? undefined,
    exclusiveMinimum: schema.exclusiveMinimum === true,
  };
}

function listChecks({ minItems, maxItems, uniqueItems }: JsonSchema): ListChecks | undefined {
  if (!isGiven(minItems) && !isGiven(maxItems) && uniqueItems !== true) return undefined;
  return { minItems: minItems ?? undefined, maxItems: maxItems ?? undefined, uniqueItems: uniqueItems === true };
}

function objectChecks({ minProperties, maxProperties, required }: JsonSchema): ObjectChecks | undefined {
  const names = required ?? [];
  if (!isGiven(minProperties) && !isGiven(maxProperties) && names.length === 0) return undefined;
  return { minProperties: minProperties ?? undefined, maxProperties: maxProperties ?? undefined, required: names };
}

function junctorsOf(schema: JsonSchema, compile: Compile): Junctors | undefined {
  const { anyOf, oneOf, allOf, not } = schema;
  if ([anyOf, oneOf, allOf].every((branches) => (branches ?? []).length === 0) && !isGiven(not)) return undefined;
  return {
    anyOf: (anyOf ?? []).map(compile),
    oneOf: (oneOf ?? []).map(compile),
    allOf: (allOf ?? []).map(compile),
    not: isGiven(not) ? compile(not) : undefined,
  };
}
