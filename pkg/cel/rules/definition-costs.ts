import type { StatusCause } from '../../status/status.js';
import { estimatedCost } from '../cost/estimate.js';
import type { Shape } from '../schema/shape.js';
import { MAX_REQUEST, type Size } from '../schema/sizes.js';
import { child, forbidden } from './causes.js';
import type { CompiledRule } from './compile-rule.js';

const RULE_LIMIT = 10_000_000n;
const TOTAL_LIMIT = 100_000_000n;
const MAX = 2n ** 64n - 1n;
const SHOWN = 4;

/** What the rules of a definition cost together. */
export interface TotalCost {
  sum: bigint;
  expensive: readonly { readonly path: string; readonly cost: bigint }[];
}

export function newTotal(): TotalCost {
  return { sum: 0n, expensive: [] };
}

/** Adds the costs of a rule to the total, and tells those that are too high. */
export function ruleCosts(
  total: TotalCost,
  compiled: CompiledRule,
  shape: Shape,
  cardinality: bigint | undefined,
  path: string,
  skip: boolean,
): readonly StatusCause[] {
  const found: StatusCause[] = [];
  const add = (name: string, field: string, cost: bigint) => {
    if (!skip && cost > RULE_LIMIT)
      found.push(forbidden(child(path, field), tooExpensive(`estimated ${name} cost`, cost, RULE_LIMIT)));
    observe(total, child(path, field), cost);
  };
  const { checked, checkedMessage, error } = compiled;
  const one = checked === undefined || error !== undefined ? 0n : estimatedCost(checked, shape);
  add('rule', 'rule', capped(one * (cardinality ?? maxCardinality(shape))));
  if (checkedMessage !== undefined) add('messageExpression', 'messageExpression', estimatedCost(checkedMessage, shape));
  return found;
}

/** How many values fit into a request. */
function maxCardinality({ minJson }: Size): bigint {
  return BigInt(Math.floor(MAX_REQUEST / (minJson + 1)));
}

function capped(cost: bigint): bigint {
  return cost > MAX ? MAX : cost;
}

function observe(total: TotalCost, path: string, cost: bigint): void {
  total.sum = capped(total.sum + cost);
  if (cost < TOTAL_LIMIT / 100n) return;
  const all = [...total.expensive, { path, cost }];
  total.expensive = all.sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1)).slice(0, SHOWN);
}

/** What is told if all rules together cost too much. */
export function costProblems({ sum, expensive }: TotalCost, path: string): readonly StatusCause[] {
  if (sum <= TOTAL_LIMIT) return [];
  const text = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...expensive.map((one) => forbidden(one.path, text)), forbidden(path, tooExpensive(name, sum, TOTAL_LIMIT))];
}

function tooExpensive(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${text} (${advice})`;
}
