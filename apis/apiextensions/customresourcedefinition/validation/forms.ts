import { forbidden } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { hasDefault, hasMembers, isSchema, itemSchemas } from '../../../../pkg/kube/structural/schema-parts.js';
import { notSupported } from './field-error.js';
import type { SchemaPosition } from './place.js';
import type { Causes } from './steps.js';
import type { Tolerance } from './tolerance.js';

export const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

type Rule = readonly [member: string, isSet: (schema: JsonSchema) => boolean];

/** Members of OpenAPI that no schema of custom resources may have. */
const UNSUPPORTED: readonly Rule[] = [
  ['id', ({ id }) => Boolean(id)],
  ['additionalItems', ({ additionalItems }) => additionalItems != null],
  ['patternProperties', ({ patternProperties }) => hasMembers(patternProperties)],
  ['definitions', ({ definitions }) => hasMembers(definitions)],
  ['dependencies', ({ dependencies }) => dependencies != null],
  ['$ref', ({ $ref }) => $ref != null],
];

/** Checks which members the schema has. */
export function checkForms(schema: JsonSchema, place: SchemaPosition, tolerance: Tolerance, causes: Causes): void {
  const { path, forbidsDefault, isInsideMeta } = place;
  const type = schema.type ?? '';
  if (tolerance.requiresValidTypes && type !== '' && !TYPES.includes(type)) {
    causes.add(notSupported(`${path}.type`, type, TYPES));
  }
  if (hasDefault(schema) && forbidsDefault !== undefined) {
    causes.add(forbidden(`${path}.default`, `must not be set ${forbidsDefault}`));
  }
  for (const [member, isSet] of UNSUPPORTED) {
    if (isSet(schema)) causes.add(forbidden(`${path}.${member}`, `${member} is not supported`));
  }
  if (type === 'null') {
    causes.add(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (itemSchemas(schema).length > 0) {
    causes.add(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (isInsideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    causes.add(forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  checkCosts(schema, path, causes);
}

function checkCosts(schema: JsonSchema, path: string, causes: Causes): void {
  if (schema.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.add(forbidden(`${path}.uniqueItems`, why));
  }
  const { additionalProperties } = schema;
  const isLimiting = additionalProperties === false || isSchema(additionalProperties);
  if (isLimiting && hasMembers(schema.properties)) {
    causes.add(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  }
}
