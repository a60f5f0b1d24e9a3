import { tooExpensive } from '../../../../pkg/kube/cel/rules/definition.js';
import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { forbidden } from '../../../../pkg/kube/structural/cause.js';
import type { ExpressionCost } from './openapi.js';

/** What the rules of one schema may cost together, in the units of Kubernetes' estimates. */
const SCHEMA_COST_LIMIT = 100_000_000;

const NAMED = 4;

/** Names the most expensive expressions if all together cost too much. `path` is that of the schema. */
export function costCauses(costs: readonly ExpressionCost[], path: string): readonly StatusCause[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= SCHEMA_COST_LIMIT) return [];
  const largest = costs
    .filter(({ cost }) => cost >= SCHEMA_COST_LIMIT / 100)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, NAMED);
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...largest.map((expression) => forbidden(expression.path, why)),
    forbidden(path, tooExpensive(what, total, SCHEMA_COST_LIMIT)),
  ];
}
