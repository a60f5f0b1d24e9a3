import { isObject } from '../object/is-object.js';
import type { Schema } from '../openapi/schema.js';
import type { JsonSchema, ValidationRule } from './json-schema.js';

/** The members of which nothing is published if they are null, empty or false. */
const PLAIN = [
  'type',
  'description',
  'title',
  'nullable',
  'externalDocs',
  'format',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const satisfies readonly (keyof JsonSchema)[];

/** Both versions of OpenAPI show the same values here. A value of null says nothing. */
const VALUES = ['default', 'example'] as const satisfies readonly (keyof JsonSchema)[];

const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const satisfies readonly (keyof JsonSchema)[];

/** A structural schema as OpenAPI 3.0 publishes it (apiextensions-apiserver, Structural.ToKubeOpenAPI): without what says nothing. */
export function published(schema: JsonSchema): Schema {
  const { additionalProperties } = schema;
  const others = isObject(additionalProperties) ? published(additionalProperties as JsonSchema) : additionalProperties;
  return unfolded({
    ...common(schema, published),
    ...(others !== undefined && others !== null && { additionalProperties: others }),
  });
}

/** A schema below `allOf`, `anyOf`, `oneOf` and `not`. Kubernetes does not publish the additional properties of these. */
function nested(schema: JsonSchema): Schema {
  return common(schema, nested);
}

function common(schema: JsonSchema, part: (schema: JsonSchema) => Schema): Schema {
  const { items, properties, not } = schema;
  return {
    ...plain(schema),
    ...(isObject(items) && { items: part(items as JsonSchema) }),
    ...(isObject(properties) && Object.keys(properties).length > 0 && { properties: mapped(properties, part) }),
    ...junctors(schema),
    ...(isObject(not) && { not: nested(not) }),
  };
}

function plain(schema: JsonSchema): Schema {
  const said = PLAIN.map((name) => [name, schema[name]] as const).filter(([, value]) => saysSomething(value));
  const values = VALUES.map((name) => [name, schema[name]] as const).filter(([, value]) => value != null);
  const rules = schema['x-kubernetes-validations'] ?? [];
  return {
    ...Object.fromEntries([...said, ...values]),
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules.map(ruleOf) }),
  };
}

function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

function ruleOf({ rule, ...rest }: ValidationRule): Schema {
  const said = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return { rule, ...Object.fromEntries(said) };
}

function junctors(schema: JsonSchema): Schema {
  const present = JUNCTORS.map((name) => [name, (schema[name] ?? []).map(nested)] as const);
  return Object.fromEntries(present.filter(([, parts]) => parts.length > 0));
}

/** The members of an object by name, each changed. A member may have any name, also that of the prototype. */
export function mapped<T>(members: Readonly<Record<string, T>>, change: (member: T) => Schema): Schema {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}

const INTEGER_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Clients that do not know int-or-string read what it stands for, unless the schema already says so. */
function unfolded(schema: Schema): Schema {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const { anyOf, allOf } = schema;
  const all = Array.isArray(allOf) ? (allOf as readonly Schema[]) : [];
  if (isIntegerOrString(anyOf) || isIntegerOrString(all[0]?.['anyOf'])) return schema;
  if (anyOf === undefined) return { ...schema, anyOf: INTEGER_OR_STRING };
  return { ...schema, allOf: [{ anyOf: INTEGER_OR_STRING }, ...all] };
}

function isIntegerOrString(anyOf: unknown): boolean {
  return JSON.stringify(anyOf) === JSON.stringify(INTEGER_OR_STRING);
}
