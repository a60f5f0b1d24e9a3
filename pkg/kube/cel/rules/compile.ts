import type { JsonSchema } from '../../structural/json-schema.js';
import { additionalSchema, itemSchema } from '../../structural/schema-parts.js';
import { escapeName } from '../schema/escape.js';
import { type Converter, converterOf } from '../schema/json-values.js';
import { isEmbedded, type Shape, shapeOf, withMeta } from '../schema/shape.js';
import { type CompiledRule, compileRule, environmentsOf } from './compile-rule.js';

/** The rules of a schema and of what is below it. Branches without rules are left out. */
export interface RuleNode {
  readonly schema: JsonSchema;
  readonly rules: readonly CompiledRule[];
  /** Whether a rule of this node needs the old value. */
  readonly usesOldSelf: boolean;
  /** Makes `self`. */
  readonly convert: Converter;
  readonly items?: RuleNode | undefined;
  readonly values?: RuleNode | undefined;
  readonly properties?: ReadonlyMap<string, RuleNode> | undefined;
  readonly allOf: readonly RuleNode[];
}

/** What `validateRules` needs. Undefined if the schema has no rules. */
export type CompiledRules = RuleNode | undefined;

export interface CompileOptions {
  /** The schema is that of a whole resource, so that rules see apiVersion, kind and the name. True if it is absent. */
  readonly isResource?: boolean | undefined;
}

/**
 * Compiles the rules (x-kubernetes-validations) of a structural schema. Rules with errors are kept, and every value is
 * refused because of them. `ruleProblems` finds the errors in the rules of a definition.
 */
export function compileRules(schema: JsonSchema, { isResource = true }: CompileOptions = {}): CompiledRules {
  if (!hasRules(schema)) return undefined;
  return nodeOf(schema, schema, isResource, shapeOf(schema, isResource));
}

export function hasRules(schema: JsonSchema): boolean {
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
  const below = [
    itemSchema(schema),
    additionalSchema(schema),
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
  ];
  return below.some((inner) => inner !== undefined && hasRules(inner));
}

/** The rules of `own`, for values of `schema`. The two differ in allOf, where the schemas have no types. */
function nodeOf(own: JsonSchema, schema: JsonSchema, isResource: boolean, shape: Shape | undefined): CompiledRules {
  if (shape === undefined || !hasRules(own)) return undefined;
  const rules = rulesOf(own, schema, shape);
  const node = {
    schema,
    rules,
    usesOldSelf: rules.some(({ usesOldSelf }) => usesOldSelf),
    convert: converterOf(isResource ? withMeta(schema) : schema),
    items: below(itemSchema(own), itemSchema(schema), shape.element),
    values: below(additionalSchema(own), additionalSchema(schema), shape.element),
    properties: propertiesOf(own, schema, shape),
    allOf: (own.allOf ?? []).flatMap((inner) => nodeOf(inner, schema, isResource, shape) ?? []),
  };
  const isEmpty =
    rules.length === 0 &&
    node.items === undefined &&
    node.values === undefined &&
    node.properties === undefined &&
    node.allOf.length === 0;
  return isEmpty ? undefined : node;
}

function rulesOf(own: JsonSchema, schema: JsonSchema, shape: Shape): readonly CompiledRule[] {
  const rules = own['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const environments = environmentsOf(shape);
  return rules.map((rule) => compileRule(rule, schema, environments));
}

function below(own: JsonSchema | undefined, schema: JsonSchema | undefined, shape: Shape | undefined): CompiledRules {
  return own === undefined || schema === undefined ? undefined : nodeOf(own, schema, isEmbedded(schema), shape);
}

function propertiesOf(own: JsonSchema, schema: JsonSchema, shape: Shape): RuleNode['properties'] {
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of Object.entries(own.properties ?? {})) {
    const node = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (node === undefined || !hasRules(property)) continue;
    const escaped = escapeName(name);
    const fieldShape = escaped === undefined ? shapeOf(node, isEmbedded(node)) : shape.fields?.get(escaped);
    const compiled = nodeOf(property, node, isEmbedded(node), fieldShape);
    if (compiled !== undefined) nodes.set(name, compiled);
  }
  return nodes.size === 0 ? undefined : nodes;
}
