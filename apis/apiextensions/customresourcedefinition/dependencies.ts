import { compileRules } from '../../../pkg/kube/cel/rules/compile.js';
import { validateRules } from '../../../pkg/kube/cel/rules/validate.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { coerce, validateEmbedded } from '../../../pkg/kube/structural/embedded.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import { validateLists } from '../../../pkg/kube/structural/lists.js';
import { prune } from '../../../pkg/kube/structural/prune.js';
import { compile } from '../../../pkg/kube/structural/structural.js';
import { validate } from '../../../pkg/kube/structural/validate.js';
import { compiledRules } from './compiled-rules.js';
import { aggregate } from './names-accepted.js';
import type { Dependencies } from './validation/spec.js';

/**
 * The causes of the first check that finds any. As in Kubernetes, rules are only evaluated for values of the right
 * types.
 */
function firstCauses(checks: readonly (() => readonly StatusCause[])[]): readonly StatusCause[] {
  for (const check of checks) {
    const causes = check();
    if (causes.length > 0) return causes;
  }
  return [];
}

/**
 * A default must be valid with and without an old value, because rules with an optional `oldSelf` may treat these
 * differently.
 */
function defaultRuleCauses(value: unknown, schema: JsonSchema, path: string): readonly StatusCause[] {
  const rules = compileRules(schema, { isResource: false });
  const check = (old: unknown) => () => validateRules(rules, value, old, { path, ratcheting: false });
  return firstCauses([check(value), check(undefined)]);
}

/** What the validation of definitions needs to know about values and rules. */
export const DEPENDENCIES: Dependencies = {
  values: {
    prune: (value, schema) => prune(compile(schema), value, { isResourceRoot: false }).object,
    validate: (value, schema, path) => {
      const structural = compile(schema);
      const checks = [
        () => validateEmbedded(structural, value, { path }),
        () => validate(structural, value, undefined, { path }),
        () => validateLists(structural, value, undefined, { path }),
        () => defaultRuleCauses(value, schema, path),
      ];
      return firstCauses(checks);
    },
    metaProblem: (object, schema) => {
      const structural = compile(schema);
      const { causes } = coerce(structural, object, { isResourceRoot: true });
      const result = causes.length > 0 ? causes : validateEmbedded(structural, object, { isResourceRoot: true });
      return aggregate(result.map(({ field, message }) => `${field}: ${message}`));
    },
  },
  compileRules: compiledRules,
};
