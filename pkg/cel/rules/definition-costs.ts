import type { StatusCause } from '../../status/status.js';
import { estimatedCost } from '../cost/estimate.js';
import type { Shape } from '../schema/shape.js';
import { MAX_REQUEST, type Size } from '../schema/sizes.js';
import { child, forbidden } from './causes.js';
import type { CompiledRule } from './compile-rule.js';

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;
const MAX = 2 ** 64;
const SHOWN = 4;

/** What the rules of a definition cost together. */
export interface TotalCost {
  sum: number;
  expensive: readonly { readonly path: string; readonly cost: number }[];
}

export function newTotal(): TotalCost {
  return { sum: 0, expensive: [] };
}

/** Adds the costs of a rule to the total, and tells those that are too high. */
export function ruleCosts(
  total: TotalCost,
  compiled: CompiledRule,
  shape: Shape,
  cardinality: number | undefined,
  path: string,
  skip: boolean,
): readonly StatusCause[] {
  const found: StatusCause[] = [];
  for (const { field, path: at, cost } of expressionCosts(compiled, shape, cardinality, path)) {
    if (!skip) found.push(...expressionProblems({ field, path: at, cost }));
    observe(total, at, cost);
  }
  return found;
}

export interface ExpressionCost {
  readonly field: 'rule' | 'messageExpression';
  readonly path: string;
  readonly cost: number;
}

/** What the expressions of a rule cost at most in one request. */
export function expressionCosts(
  { checked, checkedMessage, error }: CompiledRule,
  shape: Shape,
  cardinality: number | undefined,
  path: string,
): readonly ExpressionCost[] {
  const one = checked === undefined || error !== undefined ? 0 : estimatedCost(checked, shape);
  const rule = capped(one * (cardinality ?? maxCardinality(shape)));
  const costs: ExpressionCost[] = [{ field: 'rule', path: child(path, 'rule'), cost: rule }];
  if (checkedMessage !== undefined) {
    const cost = estimatedCost(checkedMessage, shape);
    costs.push({ field: 'messageExpression', path: child(path, 'messageExpression'), cost });
  }
  return costs;
}

/** What is told of an expression that costs too much. */
export function expressionProblems({ field, path, cost }: ExpressionCost): readonly StatusCause[] {
  return cost > RULE_LIMIT ? [forbidden(path, tooExpensive(`estimated ${field} cost`, cost, RULE_LIMIT))] : [];
}

/** How many values fit into a request. */
function maxCardinality({ minJson }: Size): number {
  return Math.floor(MAX_REQUEST / (minJson + 1));
}

function capped(cost: number): number {
  return Math.min(MAX, cost);
}

function observe(total: TotalCost, path: string, cost: number): void {
  total.sum = capped(total.sum + cost);
  if (cost < TOTAL_LIMIT / 100) return;
  const all = [...total.expensive, { path, cost }];
  total.expensive = all.sort((a, b) => b.cost - a.cost).slice(0, SHOWN);
}

/** What is told if all rules together cost too much. */
export function costProblems({ sum, expensive }: TotalCost, path: string): readonly StatusCause[] {
  if (sum <= TOTAL_LIMIT) return [];
  const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...expensive.map((one) => forbidden(one.path, text)), forbidden(path, tooExpensive(name, sum, TOTAL_LIMIT))];
}

function tooExpensive(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${text} (${advice})`;
}
