import { ownRuleProblems } from '../../../pkg/cel/rules/definition.js';
import type { CompileRules } from './validation/openapi.js';

/** Compiles the rules of one schema of a definition, and estimates what they cost at most. */
export const compiledRules: CompileRules = (schema, { path, isRoot, cardinality, uncorrelatable }) => {
  const place = {
    path,
    isResource: isRoot || schema['x-kubernetes-embedded-resource'] === true,
    uncorrelatable,
    cardinality: cardinality === undefined ? undefined : BigInt(Math.min(cardinality, Number.MAX_SAFE_INTEGER)),
  };
  const { causes, costs } = ownRuleProblems(schema, place);
  return { causes, costs: costs.map((one) => ({ path: one.path, cost: Number(one.cost) })) };
};
