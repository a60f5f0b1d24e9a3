import type { StatusCause } from '../../../../pkg/status/status.js';
import { forbidden } from './field-error.js';
import type { ExpressionCost } from './openapi.js';

/** What the rules of one schema may cost together, in the units of Kubernetes' estimates. */
export const SCHEMA_COST_LIMIT = 100_000_000;
/** What one expression may cost. */
export const EXPRESSION_COST_LIMIT = 10_000_000;

const NAMED = 4;

/** Names the most expensive expressions if all together cost too much. `path` is that of the schema. */
export function costCauses(costs: readonly ExpressionCost[], path: string): readonly StatusCause[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= SCHEMA_COST_LIMIT) return [];
  const most = costs
    .filter(({ cost }) => cost >= SCHEMA_COST_LIMIT / 100)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, NAMED);
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [...most.map((one) => forbidden(one.path, why)), forbidden(path, costMessage(what, total, SCHEMA_COST_LIMIT))];
}

/** Says how much too expensive something is. */
export function costMessage(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  const how =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times} (${how})`;
}
