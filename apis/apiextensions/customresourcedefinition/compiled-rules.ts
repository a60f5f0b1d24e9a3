import { ruleProblems } from '../../../pkg/kube/cel/rules/definition.js';
import type { CompileRules } from './validation/openapi.js';

/** Compiles the rules of one schema of a definition, and estimates what they cost at most. */
export const compiledRules: CompileRules = (schema, { path, isRoot, cardinality, uncorrelatable }) => {
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  return ruleProblems(schema, { path, isResource, cardinality, uncorrelatable });
};
