import type { StatusCause } from '../../status/status.js';
import type { JsonSchema, ValidationRule } from '../../structural/json-schema.js';
import { escapeName } from '../schema/escape.js';
import { isEmbedded, itemsOf, type Shape, shapeOf, valuesOf } from '../schema/shape.js';
import { child, invalid, key } from './causes.js';
import { hasRules } from './compile.js';
import { type CompiledRule, compileRule, environmentsOf } from './compile-rule.js';
import {
  costProblems,
  expressionCosts,
  expressionProblems,
  newTotal,
  ruleCosts,
  type TotalCost,
} from './definition-costs.js';
import { ruleFormProblems } from './rule-form.js';

export interface DefinitionOptions {
  /** That of the schema, as `spec.validation.openAPIV3Schema`. */
  readonly path?: string | undefined;
  /** Whether estimated costs are left out, as for a schema that did not change. */
  readonly skipCosts?: boolean | undefined;
}

interface Walk {
  readonly total: TotalCost;
  readonly skipCosts: boolean;
}

/** Where a schema is: what Kubernetes knows of it from those above. */
interface Place {
  readonly path: string;
  /** Rules of the root, of an embedded resource, or of anything else. */
  readonly isResource: boolean;
  /** The part that has no old value, if there is one above. */
  readonly uncorrelatable: string | undefined;
  /** How many values of the schema there can be. Undefined without a limit. */
  readonly cardinality: number | undefined;
  /** That of the schema above, if it has rules or lies below some. */
  readonly shape: Shape | undefined;
  readonly isScoped: boolean;
}

/** What is wrong with the rules of a definition, in the words of Kubernetes. The schema is structural and has no other errors. */
export function ruleProblems(
  schema: JsonSchema,
  { path = 'spec.validation.openAPIV3Schema', skipCosts = false }: DefinitionOptions = {},
): readonly StatusCause[] {
  if (!hasRules(schema)) return [];
  const walk: Walk = { total: newTotal(), skipCosts };
  const root = {
    path,
    isResource: true,
    uncorrelatable: undefined,
    cardinality: 1,
    shape: undefined,
    isScoped: false,
  };
  const { form, cel } = problemsOf(walk, schema, root);
  return [...form, ...cel, ...costProblems(walk.total, path)];
}

/** What Kubernetes knows of a schema from those above. */
export interface RulePlace {
  readonly path: string;
  readonly isResource: boolean;
  readonly uncorrelatable: string | undefined;
  readonly cardinality: number | undefined;
}

export interface RuleFindings {
  readonly causes: readonly StatusCause[];
  /** What each expression costs at most, with its path. */
  readonly costs: readonly { readonly path: string; readonly cost: number }[];
}

/** The same for the rules of one schema, whose forms are right. Those of the schemas below it are left out. */
export function ownRuleProblems(schema: JsonSchema, place: RulePlace): RuleFindings {
  const shape = shapeOf(schema, place.isResource);
  if (shape === undefined) return { causes: [], costs: [] };
  const environments = environmentsOf(shape);
  const compiled = (schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(rule, schema, environments));
  const at = (i: number): string => key(place.path, i);
  return {
    causes: compiled.flatMap((rule, i) => [
      ...expressionCosts(rule, shape, place.cardinality, at(i)).flatMap(expressionProblems),
      ...errorsOf(rule, at(i), place),
    ]),
    costs: compiled.flatMap((rule, i) => expressionCosts(rule, shape, place.cardinality, at(i))),
  };
}

interface Found {
  /** What is wrong with the form of rules. Then those above are not compiled. */
  readonly form: readonly StatusCause[];
  readonly cel: readonly StatusCause[];
}

function problemsOf(walk: Walk, schema: JsonSchema, place: Place): Found {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isScoped = place.isScoped || rules.length > 0;
  const shape = isScoped ? (place.shape ?? shapeOf(schema, place.isResource)) : undefined;
  const below = childrenOf(schema, { ...place, shape, isScoped }).map(([inner, at]) => problemsOf(walk, inner, at));
  const path = child(place.path, 'x-kubernetes-validations');
  const form = [
    ...below.flatMap((found) => found.form),
    ...rules.flatMap((rule, i) => ruleFormProblems(rule, schema, key(path, i))),
  ];
  const cel = below.flatMap((found) => found.cel);
  if (form.length > 0 || rules.length === 0 || shape === undefined) return { form, cel };
  const environments = environmentsOf(shape);
  for (const [i, rule] of rules.entries()) {
    const compiled = compileRule(rule, schema, environments);
    const at = key(path, i);
    cel.push(
      ...ruleCosts(walk.total, compiled, shape, place.cardinality, at, walk.skipCosts),
      ...errorsOf(compiled, at, place),
    );
  }
  return { form, cel };
}

function errorsOf(
  compiled: CompiledRule,
  path: string,
  { uncorrelatable }: Pick<Place, 'uncorrelatable'>,
): readonly StatusCause[] {
  const { rule, error, messageError, usesOldSelf } = compiled;
  const found: StatusCause[] = [];
  if (error !== undefined) found.push(invalid(child(path, 'rule'), goRule(rule), error));
  if (messageError !== undefined) found.push(invalid(child(path, 'messageExpression'), goRule(rule), messageError));
  if (usesOldSelf && uncorrelatable !== undefined) {
    const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    found.push(invalid(child(path, 'rule'), rule.rule, text));
  }
  if (!usesOldSelf && rule.optionalOldSelf != null) {
    found.push(
      invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
    );
  }
  return found;
}

/** A rule as Kubernetes prints it: with the names of its Go fields. */
function goRule(rule: ValidationRule): object {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

function childrenOf(schema: JsonSchema, place: Place): readonly (readonly [JsonSchema, Place])[] {
  const found: [JsonSchema, Place][] = [];
  const values = valuesOf(schema);
  const add = (inner: JsonSchema, path: string, shape: Shape | undefined, uncorrelatable: string | undefined) => {
    const cardinality = multiplied(place.cardinality, elementsOf(schema));
    found.push([
      inner,
      { path, isResource: isEmbedded(inner), uncorrelatable, cardinality, shape, isScoped: place.isScoped },
    ]);
  };
  if (values !== undefined)
    add(values, child(place.path, 'additionalProperties'), place.shape?.element, place.uncorrelatable);
  const mapType = schema['x-kubernetes-map-type'];
  const isCorrelatable = mapType == null || mapType === 'granular' || mapType === 'atomic';
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(name);
    const shape = escaped === undefined ? undefined : place.shape?.fields?.get(escaped);
    const uncorrelatable = place.uncorrelatable ?? (isCorrelatable ? undefined : place.path);
    add(property, key(child(place.path, 'properties'), name), shape, uncorrelatable);
  }
  const items = itemsOf(schema);
  if (items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelatable = place.uncorrelatable ?? (isMap ? undefined : place.path);
    add(items, child(place.path, 'items'), place.shape?.element, uncorrelatable);
  }
  return found;
}

/** How many values there can be below one value. */
function elementsOf({ type, additionalProperties, maxProperties, maxItems }: JsonSchema): number | undefined {
  if (type === 'array') return maxItems == null ? undefined : Math.max(0, maxItems);
  if (type !== 'object' || additionalProperties == null) return 1;
  return maxProperties == null ? undefined : Math.max(0, maxProperties);
}

function multiplied(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a * b;
}
