import { canonicalJson } from '../../../../pkg/kube/json/canonical.js';
import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { surrounded, type Way } from '../../../../pkg/kube/structural/prune-defaults.js';
import { hasDefault, itemSchema } from '../../../../pkg/kube/structural/schema-parts.js';
import type { Members } from '../../../../pkg/system/object/is-object.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import { asJson, invalid } from './field-error.js';
import { collectCauses, STEP } from './steps.js';

/** Checks values by schemas. None of these functions changes its arguments. */
export interface DefaultValues {
  /** The value without the members that the schema does not have. */
  readonly prune: (value: unknown, schema: JsonSchema) => unknown;
  /** What the schema, its rules and its embedded objects refuse in a value. `path` is that of the value. */
  readonly validate: (value: unknown, schema: JsonSchema, path: string) => readonly StatusCause[];
  /** What is wrong with the apiVersion, the kind and the metadata of an object of the schema. */
  readonly metaProblem: (object: unknown, schema: JsonSchema) => string | undefined;
}

interface Node {
  readonly schema: JsonSchema;
  readonly path: string;
  /**
   * If the value is an apiVersion, a kind or metadata of a resource, or a part of it: the way to it from the resource.
   */
  readonly meta?: { readonly resource: JsonSchema; readonly way: Way } | undefined;
  readonly isResource: boolean;
}

/**
 * Checks that each default is a value that its own schema accepts, and has no members that would be pruned. The schema
 * is structural.
 */
export function* defaultCauses(
  root: JsonSchema,
  path: string,
  values: DefaultValues,
  requiresPruned: boolean,
): Steps<readonly StatusCause[]> {
  const causes = collectCauses();
  let visited = 0;
  for (const node of formsIn(root, path)) {
    const { schema, path: at, meta } = node;
    if (++visited % STEP === 0) yield;
    if (!hasDefault(schema)) continue;
    yield;
    const problem = meta && values.metaProblem(inResource(schema.default, meta.way), meta.resource);
    if (problem !== undefined) {
      causes.add(invalid(`${at}.default`, printable(schema.default), `must result in valid metadata: ${problem}`));
      continue;
    }
    if (requiresPruned && meta === undefined && !isPruned(schema, values)) {
      causes.add(invalid(`${at}.default`, printable(schema.default), 'must not have unknown fields'));
    }
    causes.add(...values.validate(schema.default, schema, `${at}.default`));
  }
  return causes.list;
}

/** The object that a default of its metadata makes. */
function inResource(value: unknown, way: Way): Members {
  return { kind: 'Validation', apiVersion: 'validation/v1', ...(surrounded(value, way) as Members) };
}

const printable = (value: unknown) => (typeof value === 'string' ? value : asJson(value));

/** Whether a default of the schema has members that would be pruned. */
export function* hasUnprunedDefaults(root: JsonSchema, values: DefaultValues): Steps<boolean> {
  let visited = 0;
  for (const { schema, meta } of formsIn(root, '')) {
    if (++visited % STEP === 0) yield;
    if (hasDefault(schema) && meta === undefined && !isPruned(schema, values)) return true;
  }
  return false;
}

function isPruned(schema: JsonSchema, values: DefaultValues): boolean {
  return canonicalJson(values.prune(schema.default, schema)) === canonicalJson(schema.default);
}

/** The schemas that give values their form, without those of maps, whose values get no defaults. */
function* formsIn(root: JsonSchema, path: string): Generator<Node, void, undefined> {
  const waiting: Node[] = [{ schema: root, path, isResource: true }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const inner: Node[] = [];
    const item = itemSchema(node.schema);
    if (item !== undefined) inner.push(nodeBelow(node, item, '.items', 0));
    for (const [name, schema] of Object.entries(node.schema.properties ?? {})) {
      inner.push(nodeBelow(node, schema, `.properties[${name}]`, name));
    }
    waiting.push(...inner.reverse());
  }
}

const META: ReadonlySet<unknown> = new Set(['apiVersion', 'kind', 'metadata']);

function nodeBelow(outer: Node, schema: JsonSchema, relation: string, step: string | 0): Node {
  const node = {
    schema,
    path: `${outer.path}${relation}`,
    isResource: schema['x-kubernetes-embedded-resource'] === true,
  };
  if (node.isResource) return node;
  if (outer.isResource && META.has(step)) return { ...node, meta: { resource: outer.schema, way: [step] } };
  return outer.meta === undefined ? node : { ...node, meta: { ...outer.meta, way: [...outer.meta.way, step] } };
}
