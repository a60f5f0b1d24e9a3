import { isSameJson } from '../../../../pkg/kube/json/same.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { itemSchema } from '../../../../pkg/kube/structural/schema-parts.js';

/** Members of Kubernetes' types for which no value is the same as no member. */
const POINTERS = [
  ...['$ref', 'default', 'example', 'additionalProperties', 'additionalItems'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
  ...['deprecationWarning', 'labelSelectorPath', 'reason', 'optionalOldSelf'],
];
const MAPS = ['properties', 'patternProperties', 'definitions', 'dependencies'];
/** Members whose values are any JSON. */
const VALUES = ['default', 'example', 'enum'];

function isAbsent(name: string, value: unknown): boolean {
  return value === undefined || value === null || (!POINTERS.includes(name) && (value === '' || value === false));
}

function isEmpty(name: string, value: unknown): boolean {
  if (POINTERS.includes(name)) return false;
  return Array.isArray(value) ? value.length === 0 : MAPS.includes(name) && Object.keys(value as object).length === 0;
}

/** The names of the members that a schema has. An empty list counts. */
export function membersOf(schema: JsonSchema): readonly string[] {
  return Object.entries(schema).flatMap(([name, value]) => (isAbsent(name, value) ? [] : [name]));
}

/** Lists that are in a structural form even if they are empty. */
const KEPT = ['required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'];
/** Members that a structural form does not have. */
const DROPPED = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'definitions'];

/** The names of the members of a schema that are in its structural form: without those that are empty. */
export function formMembers(schema: JsonSchema): readonly string[] {
  return membersOf(schema).filter((name) => {
    if (DROPPED.includes(name)) return false;
    if (name === 'items') return itemSchema(schema) !== undefined;
    return KEPT.includes(name) || !isEmpty(name, schema[name as keyof JsonSchema]);
  });
}

/**
 * Whether two parts of a definition are equal for Kubernetes, which does not tell what is empty from what is absent.
 */
export function areSame(one: unknown, other: unknown): boolean {
  return isSameJson(withoutEmpty({ one }), withoutEmpty({ one: other }));
}

function withoutEmpty(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, one]) => isMap || !(isAbsent(name, one) || isEmpty(name, one)));
  const inner = ([name, one]: [string, unknown]): readonly [string, unknown] =>
    !isMap && VALUES.includes(name) ? [name, one] : [name, withoutEmpty(one, !isMap && MAPS.includes(name))];
  return Object.fromEntries(members.map(inner));
}
