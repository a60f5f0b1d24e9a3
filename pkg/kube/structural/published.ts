import { isObject } from '../../system/object/is-object.js';
import type { Schema } from '../openapi/schema.js';
import type { JsonSchema, ValidationRule } from './json-schema.js';

/** The members of which nothing is published if they are null, empty or false. */
const PLAIN: ReadonlySet<string> = new Set<keyof JsonSchema>([
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
]);

/**
 * A structural schema as OpenAPI 3.0 publishes it (apiextensions-apiserver, Structural.ToKubeOpenAPI): without members
 * that say nothing.
 */
export function published(schema: JsonSchema): Schema {
  return unfolded(membersOf(schema, published));
}

/**
 * A schema below `allOf`, `anyOf`, `oneOf` and `not`. Kubernetes does not publish the additional properties of these.
 */
function nested(schema: JsonSchema): Schema {
  return membersOf({ ...schema, additionalProperties: undefined }, nested);
}

type MapSchema = (schema: JsonSchema) => Schema;

function membersOf(schema: JsonSchema, part: MapSchema): Schema {
  const results: [string, unknown][] = [];
  for (const [name, value] of Object.entries(schema)) {
    const said = PLAIN.has(name) ? value : memberOf(name, value, part);
    if (saysSomething(said) || isKept(name, said)) results.push([name, said]);
  }
  return Object.fromEntries(results);
}

/** A default, an example and the answer to whether there may be other members may be false or empty. */
function isKept(name: string, value: unknown): boolean {
  return value !== undefined && value !== null && ['default', 'example', 'additionalProperties'].includes(name);
}

function memberOf(name: string, value: unknown, part: MapSchema): unknown {
  switch (name) {
    case 'default':
    case 'example':
      return value;
    case 'properties':
      return isObject(value) && Object.keys(value).length > 0
        ? mapped(value, part as (one: unknown) => Schema)
        : undefined;
    case 'items':
      return isObject(value) ? part(value as JsonSchema) : undefined;
    case 'additionalProperties':
      return isObject(value) ? part(value as JsonSchema) : value;
    case 'not':
      return isObject(value) ? nested(value as JsonSchema) : undefined;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? value.map(nested) : undefined;
    case 'x-kubernetes-validations':
      return Array.isArray(value) ? value.map(ruleOf) : undefined;
    default:
      return undefined;
  }
}

function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

function ruleOf({ rule, ...rest }: ValidationRule): Schema {
  const said = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return { rule, ...Object.fromEntries(said) };
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
