export { type CompiledRules, type CompileOptions, compileRules, hasRules } from './rules/compile.js';
export { type DefinitionOptions, ruleProblems } from './rules/definition.js';
export { RULE_BUDGET, type ValidateOptions, validateRules } from './rules/validate.js';
export type { RuleBudget } from './rules/validation.js';
