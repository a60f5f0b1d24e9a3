import { compileRules } from '../../../pkg/cel/rules/compile.js';
import { validateRules } from '../../../pkg/cel/rules/validate.js';
import { validateEmbedded } from '../../../pkg/structural/embedded.js';
import { validateLists } from '../../../pkg/structural/lists.js';
import { prune } from '../../../pkg/structural/prune.js';
import { compile } from '../../../pkg/structural/structural.js';
import { validate } from '../../../pkg/structural/validate.js';
import { compiledRules } from './compiled-rules.js';
import type { Dependencies } from './validation/spec.js';

/** What the validation of definitions needs to know of values and rules. */
export const DEPENDENCIES: Dependencies = {
  values: {
    prune: (value, schema) => prune(compile(schema), value, { isResourceRoot: false }).object,
    validate: (value, schema, path) => {
      const structural = compile(schema);
      return [
        ...validate(structural, value, undefined, { path }),
        ...validateEmbedded(structural, value, { path }),
        ...validateLists(structural, value, undefined, { path }),
        ...validateRules(compileRules(schema, { isResource: false }), value, undefined, { path }),
      ];
    },
  },
  compileRules: compiledRules,
};
