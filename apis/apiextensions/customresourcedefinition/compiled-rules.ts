import { ruleProblems } from '../../../pkg/cel/rules/definition.js';
import type { CompileRules } from './validation/openapi.js';

/** Compiles the rules of one schema of a definition. */
export const compiledRules: CompileRules = (schema, { path }) => {
  const { 'x-kubernetes-validations': rules, ...rest } = schema;
  const at = path.slice(0, -'.x-kubernetes-validations'.length);
  return { causes: ruleProblems({ ...rest, 'x-kubernetes-validations': rules }, { path: at }) };
};
