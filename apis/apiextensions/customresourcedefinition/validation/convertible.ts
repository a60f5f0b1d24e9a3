import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { additionalSchema, hasMembers, itemSchema, itemSchemas } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { STEP } from './steps.js';

const unsupported = (member: string): string => `OpenAPIV3Schema '${member}' is not supported`;

/** Why the schema has no structural form at all: the first problem, in Kubernetes' order. */
export function* conversionProblem(root: JsonSchema): Steps<string | undefined> {
  const waiting: JsonSchema[] = [root];
  let visited = 0;
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (++visited % STEP === 0) yield;
    const problem = unsupportedProblem(schema) ?? lateProblem(schema, waiting);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsupportedProblem(schema: JsonSchema): string | undefined {
  if (schema.id) return unsupported('id');
  if (schema.$schema) return unsupported('schema');
  if (schema.$ref) return unsupported('$ref');
  if (hasMembers(schema.patternProperties)) return unsupported('patternProperties');
  if (hasMembers(schema.dependencies)) return unsupported('dependencies');
  if (schema.additionalItems != null) return unsupported('additionalItems');
  if (hasMembers(schema.definitions)) return unsupported('definitions');
  return undefined;
}

/** Problems that Kubernetes sees after those of the schemas under `not`, `allOf`, `anyOf` and `oneOf`. */
function lateProblem(schema: JsonSchema, waiting: JsonSchema[]): string | undefined {
  const nested = [...(schema.not == null ? [] : [schema.not]), ...clausesOf(schema)];
  const own = ownProblem(schema);
  if (own !== undefined && nested.length === 0) return own;
  // The problem is found again, after those of the nested schemas.
  const rest: JsonSchema[] = own === undefined ? innerSchemas(schema) : [withoutNested(schema)];
  waiting.push(...rest.reverse(), ...nested.reverse());
  return undefined;
}

const clausesOf = (schema: JsonSchema): JsonSchema[] => [
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

function withoutNested(schema: JsonSchema): JsonSchema {
  return { ...schema, not: undefined, allOf: undefined, anyOf: undefined, oneOf: undefined };
}

function ownProblem(schema: JsonSchema): string | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return itemSchemas(schema).length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
}

function innerSchemas(schema: JsonSchema): JsonSchema[] {
  const item = itemSchema(schema);
  const additional = additionalSchema(schema);
  return [
    ...(item === undefined ? [] : [item]),
    ...Object.values(schema.properties ?? {}),
    ...(additional === undefined ? [] : [additional]),
  ];
}
