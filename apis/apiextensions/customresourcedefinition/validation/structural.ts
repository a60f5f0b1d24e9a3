import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { forbidden, required } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { additionalSchema, hasMembers, itemSchema } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { checkComplete } from './complete.js';
import { invalid } from './field-error.js';
import { checkMetadata } from './metadata.js';
import { checkNested } from './nested.js';
import { type Causes, collectCauses, STEP } from './steps.js';

export type Level = 'root' | 'item' | 'field';

interface Node {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly level: Level;
}

/**
 * What is wrong with a schema that must be structural, sorted. The schema has a structural form (`conversionProblem`).
 */
export function* structuralCauses(root: JsonSchema, path: string): Steps<readonly StatusCause[]> {
  const causes = collectCauses();
  const waiting: Node[] = [{ schema: root, path, level: 'root' }];
  let visited = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (++visited % STEP === 0) yield;
    checkNode(node, causes);
    if (hasPatternOrClauses(node.schema)) yield* checkNested(node.schema, node.path, causes);
    waiting.push(...innerNodes(node));
  }
  yield* checkComplete(root, path, causes);
  return sortedByText(causes.list);
}

function sortedByText(causes: readonly StatusCause[]): readonly StatusCause[] {
  const texts = causes.map((cause) => ({ cause, text: `${cause.field}: ${cause.message}` }));
  texts.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
  return texts.map(({ cause }) => cause);
}

const hasPatternOrClauses = ({ pattern, allOf, anyOf, oneOf, not }: JsonSchema): boolean =>
  Boolean(pattern) || allOf != null || anyOf != null || oneOf != null || not != null;

function innerNodes({ schema, path }: Node): Node[] {
  const nodes: Node[] = [];
  const item = itemSchema(schema);
  if (item !== undefined) nodes.push({ schema: item, path: `${path}.items`, level: 'item' });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    nodes.push({ schema: property, path: `${path}.properties[${name}]`, level: 'field' });
  }
  const additional = additionalSchema(schema);
  if (additional !== undefined) {
    nodes.push({ schema: additional, path: `${path}.additionalProperties`, level: 'field' });
  }
  return nodes;
}

function checkNode({ schema, path, level }: Node, causes: Causes): void {
  if (schema.type === 'array' && itemSchema(schema) === undefined) {
    causes.add(required(`${path}.items`, 'must be specified'));
  }
  if (schema.additionalProperties != null && level === 'root') {
    causes.add(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  checkIntOrString(schema, path, causes);
  checkType({ schema, path, level }, causes);
  checkEmbedded(schema, path, causes);
  checkMetadata(schema, path, level, causes);
}

function checkIntOrString(schema: JsonSchema, path: string, causes: Causes): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  for (const extension of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[extension] !== true) continue;
    causes.add(invalid(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

const WITHOUT_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType({ schema, path, level }: Node, causes: Causes): void {
  const type = schema.type ?? '';
  const isTyped =
    type !== '' ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    causes.add(type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why));
  } else if (!isTyped) {
    causes.add(required(`${path}.type`, WITHOUT_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    causes.add(invalid(`${path}.type`, type, 'must be object at the root'));
  }
}

function checkEmbedded(schema: JsonSchema, path: string, causes: Causes): void {
  if (schema['x-kubernetes-embedded-resource'] !== true) return;
  if (schema.additionalProperties != null) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set';
    causes.add(forbidden(`${path}.additionalProperties`, why));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || hasMembers(schema.properties)) return;
  const why =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  causes.add(required(`${path}.properties`, why));
}
