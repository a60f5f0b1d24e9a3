import { DEPENDENCIES } from '../../apis/apiextensions/customresourcedefinition/dependencies.js';
import type { DefaultValues } from '../../apis/apiextensions/customresourcedefinition/validation/defaults.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';

/** The parts of pruning and validation that these tests need. */
export const values: DefaultValues = { prune, validate, metaProblem: DEPENDENCIES.values.metaProblem };

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function prune(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.map((item) => prune(item, items)) : value;
  }
  if (!isObject(value) || schema['x-kubernetes-preserve-unknown-fields'] === true) return value;
  const { properties, additionalProperties: additional } = schema;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const property = properties?.[name];
    if (property !== undefined) kept[name] = prune(member, property);
    else if (isObject(additional)) kept[name] = prune(member, additional);
    else if (additional === true) kept[name] = member;
  }
  return kept;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
};

/** Validates types only. */
function validate(value: unknown, schema: JsonSchema, path: string): readonly StatusCause[] {
  const { type = '' } = schema;
  const isRight = TYPES[type];
  if (isRight === undefined || isRight(value)) return [];
  const name = Object.keys(TYPES).find((one) => one !== 'number' && TYPES[one]?.(value)) ?? 'number';
  return [
    {
      reason: 'FieldValueTypeInvalid',
      message: `Invalid value: "${name}":  in body must be of type ${type}: "${name}"`,
      field: path,
    },
  ];
}
