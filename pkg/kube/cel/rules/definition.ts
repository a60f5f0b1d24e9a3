import type { StatusCause } from '../../status/status.js';
import { child, forbidden, invalid, invalidPrinted, key } from '../../structural/cause.js';
import { printedStruct } from '../../structural/go-text.js';
import type { JsonSchema, ValidationRule } from '../../structural/json-schema.js';
import { estimatedCost } from '../cost/estimate.js';
import { type Shape, shapeOf } from '../schema/shape.js';
import { MAX_REQUEST, type Size } from '../schema/sizes.js';
import { type CompiledRule, compileRule, environmentsOf } from './compile-rule.js';

/** What is known of a schema from those above it. */
export interface RulePlace {
  /** The path of the rules: `….x-kubernetes-validations`. */
  readonly path: string;
  /** The rules are those of the root, or of an embedded resource. */
  readonly isResource: boolean;
  /** The path of the part that has no old value, if there is one above. */
  readonly uncorrelatable: string | undefined;
  /** How many values of the schema there can be. Undefined without a limit. */
  readonly cardinality: number | undefined;
}

/** The most that an expression can cost in one request, in the units of cel-go. */
export interface ExpressionCost {
  readonly path: string;
  readonly cost: number;
}

export interface RuleFindings {
  readonly causes: readonly StatusCause[];
  readonly costs: readonly ExpressionCost[];
}

/** What one expression may cost. */
const LIMIT = 10_000_000;
/** Costs have 64 bits in cel-go, and do not grow beyond the largest. */
const MAX = 2 ** 64 - 1;

/**
 * What is wrong with the rules of one schema of a definition, in the words of Kubernetes. The form of the rules is
 * right, and the schema has no other errors.
 */
export function ruleProblems(schema: JsonSchema, place: RulePlace): RuleFindings {
  const shape = shapeOf(schema, place.isResource);
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (shape === undefined || rules.length === 0) return { causes: [], costs: [] };
  const environments = environmentsOf(shape);
  const each = rules.map((rule, i): RuleFindings => {
    const compiled = compileRule(rule, schema, environments);
    const path = key(place.path, i);
    const costs = costsOf(compiled, shape, place.cardinality, path);
    return { causes: [...costs.flatMap(costCauses), ...errorsOf(compiled, path, place)], costs };
  });
  return { causes: each.flatMap(({ causes }) => causes), costs: each.flatMap(({ costs }) => costs) };
}

interface FieldCost extends ExpressionCost {
  readonly field: 'rule' | 'messageExpression';
}

function costsOf(
  { checked, checkedMessage, error }: CompiledRule,
  shape: Shape,
  cardinality: number | undefined,
  path: string,
): readonly FieldCost[] {
  const ruleCost = checked === undefined || error !== undefined ? 0 : estimatedCost(checked, shape);
  const rule = Math.min(MAX, ruleCost * (cardinality ?? maxCardinality(shape)));
  const costs: FieldCost[] = [{ field: 'rule', path: child(path, 'rule'), cost: rule }];
  if (checkedMessage !== undefined) {
    const cost = estimatedCost(checkedMessage, shape);
    costs.push({ field: 'messageExpression', path: child(path, 'messageExpression'), cost });
  }
  return costs;
}

/** How many values fit into a request. */
function maxCardinality({ minJson }: Size): number {
  return Math.floor(MAX_REQUEST / (minJson + 1));
}

function costCauses({ field, path, cost }: FieldCost): readonly StatusCause[] {
  return cost > LIMIT ? [forbidden(path, tooExpensive(`estimated ${field} cost`, cost, LIMIT))] : [];
}

/** Says how much more than its limit something costs. */
export function tooExpensive(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times} (${advice})`;
}

function errorsOf(compiled: CompiledRule, path: string, { uncorrelatable }: RulePlace): readonly StatusCause[] {
  const { rule, error, messageError, usesOldSelf } = compiled;
  const causes: StatusCause[] = [];
  if (error !== undefined) causes.push(invalidPrinted(child(path, 'rule'), goRule(rule), error));
  if (messageError !== undefined)
    causes.push(invalidPrinted(child(path, 'messageExpression'), goRule(rule), messageError));
  if (usesOldSelf && uncorrelatable !== undefined) {
    const text = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    causes.push(invalid(child(path, 'rule'), rule.rule, text));
  }
  if (!usesOldSelf && rule.optionalOldSelf != null) {
    const text = 'may not be set if oldSelf is not used in rule';
    causes.push(invalid(child(path, 'optionalOldSelf'), rule.optionalOldSelf, text));
  }
  return causes;
}

/** A rule as Kubernetes prints it: with the names of its Go fields. */
function goRule(rule: ValidationRule): string {
  return printedStruct({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
}
