import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { forbidden } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { CustomResourceValidation } from '../schema.js';
import { conversionProblem } from './convertible.js';
import { costCauses } from './costs.js';
import { type DefaultValues, defaultCauses } from './defaults.js';
import { invalid } from './field-error.js';
import { membersOf } from './members.js';
import { type CompileRules, schemaCauses } from './openapi.js';
import { structuralCauses } from './structural.js';
import type { Tolerance } from './tolerance.js';

export interface SchemaOptions extends Tolerance {
  readonly requiresStructural: boolean;
  readonly requiresPrunedDefaults: boolean;
  readonly values: DefaultValues;
  readonly compileRules: CompileRules | undefined;
}

/** Checks the schema of one or all versions. `path` is that of the CustomResourceValidation. */
export function* validationCauses(
  validation: CustomResourceValidation | null | undefined,
  hasStatus: boolean,
  path: string,
  options: SchemaOptions,
): Steps<readonly StatusCause[]> {
  const schema = validation?.openAPIV3Schema ?? undefined;
  if (schema === undefined) return [];
  const at = `${path}.openAPIV3Schema`;
  const causes: StatusCause[] = hasStatus ? [...rootCauses(schema, at)] : [];
  if (schema.nullable === true) causes.push(forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  const form = yield* formCauses(schema, at, options);
  causes.push(...form.causes);
  const result = yield* schemaCauses(
    schema,
    at,
    options,
    form.isRefused ? undefined : (options.compileRules ?? noRules),
  );
  causes.push(...result.causes);
  // Most schemas without a structural form have better causes than this one.
  if (causes.length === 0 && form.problem !== undefined) causes.push(invalid(at, '', form.problem));
  return [...causes, ...costCauses(result.costs, at)];
}

const noRules: CompileRules = () => ({ causes: [] });

interface FormCauses {
  readonly causes: readonly StatusCause[];
  /** The schema is not checked, or refused: then its rules are not compiled. */
  readonly isRefused: boolean;
  /** Why the schema has no structural form. */
  readonly problem?: string | undefined;
}

function* formCauses(schema: JsonSchema, path: string, options: SchemaOptions): Steps<FormCauses> {
  if (!options.requiresStructural) return { causes: [], isRefused: true };
  const problem = yield* conversionProblem(schema);
  if (problem !== undefined) return { causes: [], isRefused: true, problem };
  const structural = yield* structuralCauses(schema, path);
  if (structural.length > 0) return { causes: structural, isRefused: true };
  const causes = yield* defaultCauses(schema, path, options.values, options.requiresPrunedDefaults);
  return { causes, isRefused: causes.length > 0 };
}

/** Members of the root that still hold when the status is validated by its own property alone. */
const AT_ROOT = [
  ...['description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required', 'items'],
  ...['properties', 'externalDocs', 'example', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations'],
];

/** The first member that a schema with the subresource status may not have. */
function rootCauses(schema: JsonSchema, path: string): readonly StatusCause[] {
  const wrong = membersOf(schema).filter((member) => !AT_ROOT.includes(member));
  const [first] = wrong;
  // Kubernetes names the first member in the order of its type, where only these come before the type.
  const isTypeFirst = !['id', '$schema', '$ref'].some((member) => wrong.includes(member));
  if (schema.type && schema.type !== 'object' && isTypeFirst) {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, schema.type, why)];
  }
  if (first === undefined) return [];
  const why = `only [${AT_ROOT.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, first, why)];
}
