import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { itemSchema } from '../../../../pkg/kube/structural/schema-parts.js';
import { SCHEMA_MEMBERS } from './shapes.js';

/** The members that a schema has, by their names in Kubernetes' type and in their order. An empty list counts. */
export function membersOf(schema: JsonSchema): readonly string[] {
  return SCHEMA_MEMBERS.filter(([, name, shape]) => {
    const value = schema[name as keyof JsonSchema];
    return (typeof value === 'object' && value !== null) || !shape().isEmpty(value);
  }).map(([printed]) => printed);
}

/** Lists that are in a structural form even if they are empty. */
const KEPT = ['Required', 'XListMapKeys', 'XValidations'];
/** Members that a structural form does not have. */
const DROPPED = ['ID', 'Schema', 'Ref', 'PatternProperties', 'Dependencies', 'Definitions'];

/** The members of a schema that are in its structural form: without those that are empty. */
export function formMembers(schema: JsonSchema): readonly string[] {
  return membersOf(schema).filter((member) => {
    if (DROPPED.includes(member)) return false;
    if (member === 'Items') return itemSchema(schema) !== undefined;
    const name = SCHEMA_MEMBERS.find(([printed]) => printed === member);
    return KEPT.includes(member) || name === undefined || !name[2]().isEmpty(schema[name[1] as keyof JsonSchema]);
  });
}
