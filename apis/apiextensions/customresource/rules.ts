import { type CompiledRules, compileRules, hasRules } from '../../../pkg/kube/cel/rules/compile.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';

const known = new WeakMap<JsonSchema, CompiledRules | 'none'>();

/** The rules of a schema, which are compiled when the first object is written. `undefined`: it has none. */
export function rulesOf(schema: JsonSchema): CompiledRules {
  let rules = known.get(schema);
  if (rules === undefined) {
    rules = hasRules(schema) ? compileRules(schema) : 'none';
    known.set(schema, rules ?? 'none');
  }
  return rules === 'none' ? undefined : rules;
}
