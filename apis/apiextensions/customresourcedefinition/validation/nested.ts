import { forbidden } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { additionalSchema, hasDefault, itemSchema, propertyOf } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { invalid } from './field-error.js';
import { formMembers } from './members.js';
import { patternProblem } from './re2.js';
import { type Causes, STEP } from './steps.js';

interface Node {
  readonly schema: JsonSchema;
  readonly path: string;
  /** `anyOf` is a form of int-or-string, whose types are allowed. */
  readonly isIntOrString?: boolean;
}

/**
 * Checks the pattern of a schema, and the schemas under its `allOf`, `anyOf`, `oneOf` and `not`, which must not give
 * values another form.
 */
export function* checkNested(schema: JsonSchema, path: string, causes: Causes): Steps<void> {
  if (schema.pattern) yield;
  checkPattern(schema, path, causes);
  const isFirstClause = schema.allOf?.[0] !== undefined && isIntOrString(schema.allOf[0]);
  const waiting = clausesOf(schema, path, isIntOrString(schema), isFirstClause);
  let visited = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    // A pattern can take a millisecond.
    if (++visited % STEP === 0 || node.schema.pattern) yield;
    checkPattern(node.schema, node.path, causes);
    checkForms(node.schema, node.path, causes);
    waiting.push(...clausesOf(node.schema, node.path, node.isIntOrString === true, false), ...innerNodes(node));
  }
}

/** Whether `anyOf` says that the value is an integer or a string, and no more. */
function isIntOrString({ anyOf }: JsonSchema): boolean {
  if (anyOf?.length !== 2) return false;
  return ['integer', 'string'].every((type, i) => {
    const clause = anyOf[i];
    return clause?.type === type && clause.properties == null && formMembers(clause).every(isTypeOrNothing(clause));
  });
}

/** `additionalProperties: false` has no effect in a clause. */
const isTypeOrNothing =
  ({ additionalProperties }: JsonSchema) =>
  (member: string): boolean =>
    member === 'type' || (member === 'additionalProperties' && additionalProperties === false);

function clausesOf(schema: JsonSchema, path: string, skipsAnyOf: boolean, isFirstIntOrString: boolean): Node[] {
  const nodes: Node[] = [];
  const add = (relation: 'allOf' | 'anyOf' | 'oneOf'): void => {
    schema[relation]?.forEach((clause, i) => {
      const isFirst = relation === 'allOf' && i === 0 && isFirstIntOrString;
      nodes.push({ schema: clause, path: `${path}.${relation}[${i}]`, isIntOrString: isFirst });
    });
  };
  if (!skipsAnyOf) add('anyOf');
  add('allOf');
  add('oneOf');
  if (schema.not != null) nodes.push({ schema: schema.not, path: `${path}.not` });
  return nodes;
}

function innerNodes({ schema, path }: Node): Node[] {
  const nodes: Node[] = [];
  const item = itemSchema(schema);
  if (item !== undefined) nodes.push({ schema: item, path: `${path}.items` });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    nodes.push({ schema: property, path: `${path}.properties[${name}]` });
  }
  return nodes;
}

function checkPattern({ pattern = '' }: JsonSchema, path: string, causes: Causes): void {
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem === undefined) return;
  causes.add(invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`));
}

type Rule = readonly [member: string, why: string, isSet: (schema: JsonSchema) => boolean];

const FORMS: readonly Rule[] = [
  ['type', 'must be empty', ({ type }) => Boolean(type)],
  [
    'additionalProperties',
    'must be undefined',
    (schema) => additionalSchema(schema) !== undefined || schema.additionalProperties === true,
  ],
  ['default', 'must be undefined', hasDefault],
  ['title', 'must be empty', ({ title }) => Boolean(title)],
  ['description', 'must be empty', ({ description }) => Boolean(description)],
  ['nullable', 'must be false', ({ nullable }) => nullable === true],
  [
    'x-kubernetes-preserve-unknown-fields',
    'must be false',
    (schema) => schema['x-kubernetes-preserve-unknown-fields'] === true,
  ],
  ['x-kubernetes-embedded-resource', 'must be false', (schema) => schema['x-kubernetes-embedded-resource'] === true],
  ['x-kubernetes-int-or-string', 'must be false', (schema) => schema['x-kubernetes-int-or-string'] === true],
  ['x-kubernetes-list-map-keys', 'must be empty', (schema) => (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0],
  ['x-kubernetes-list-type', 'must be undefined', (schema) => schema['x-kubernetes-list-type'] != null],
  ['x-kubernetes-map-type', 'must be undefined', (schema) => schema['x-kubernetes-map-type'] != null],
  ['x-kubernetes-validations', 'must be empty', (schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0],
];

function checkForms(schema: JsonSchema, path: string, causes: Causes): void {
  for (const [member, why, isSet] of FORMS) {
    if (isSet(schema)) causes.add(forbidden(`${path}.${member}`, `${why} to be structural`));
  }
  if (propertyOf(schema, 'metadata') === undefined) return;
  causes.add(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}
