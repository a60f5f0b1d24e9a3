import { compiledRules } from '../../apis/apiextensions/customresourcedefinition/compiled-rules.js';
import { costCauses } from '../../apis/apiextensions/customresourcedefinition/validation/costs.js';
import { schemaCauses } from '../../apis/apiextensions/customresourcedefinition/validation/openapi.js';
import { compileRules } from '../../pkg/kube/cel/rules/compile.js';
import { validateRules } from '../../pkg/kube/cel/rules/validate.js';
import type { StatusCause } from '../../pkg/kube/status/status.js';
import type { JsonSchema } from '../../pkg/kube/structural/json-schema.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';

/** A schema with rules, and a value before and after a change. */
export interface RuleCase {
  readonly schema: JsonSchema;
  readonly object: unknown;
  readonly old?: unknown;
  /** Whether the schema is that of a whole resource. */
  readonly root: boolean;
  /** Whether values that did not change are accepted. */
  readonly ratchet: boolean;
}

/** The answer of Kubernetes or of this server to a case. */
export interface RuleAnswer {
  /** Problems of the definition. */
  readonly definition: readonly StatusCause[] | null;
  /** Problems of the value. */
  readonly causes?: readonly StatusCause[] | null;
  /** The cost of the rules, or -1 if it is above the budget. */
  readonly cost?: number;
  readonly error?: string;
}

const BUDGET = 10_000_000;

/** The answer of this server. */
export function answerOf({ schema, object, old, root, ratchet }: RuleCase): RuleAnswer {
  const budget = { left: BUDGET };
  const causes = validateRules(compileRules(schema, { isResource: root }), object, old, {
    budget,
    ratcheting: ratchet,
  });
  const cost = budget.left < 0 ? -1 : BUDGET - budget.left;
  return { definition: root ? definitionCauses(schema) : [], causes, cost };
}

const PATH = 'spec.validation.openAPIV3Schema';
/** The checks that the reference does not make: it reports only rules. */
const OTHERS = { requiresValidTypes: false, requiresAtomicSets: false, requiresListKeys: false };

/** The problems of the rules in a definition with this schema. */
function definitionCauses(schema: JsonSchema): readonly StatusCause[] {
  const { causes, costs } = runSteps(schemaCauses(schema, PATH, OTHERS, compiledRules));
  return [...causes, ...costCauses(costs, PATH)];
}

/** Sorts the causes, because the reference walks maps in any order. */
export function comparable({ definition, causes, cost }: RuleAnswer): RuleAnswer {
  return { definition: sorted(definition), causes: sorted(causes), cost: cost ?? 0 };
}

function sorted(causes: readonly StatusCause[] | null | undefined): readonly StatusCause[] {
  const texts = (causes ?? []).map(({ reason = '', message, field = '' }) => ({
    reason,
    message: plain(message),
    field,
  }));
  return texts.sort((a, b) => (a.field + a.message < b.field + b.message ? -1 : 1));
}

/** Removes the random numbers in names of types, and the details of syntax errors. */
function plain(message: string): string {
  return message.replace(/selfType\d+/g, 'selfType').replace(/Syntax error: .*/g, 'Syntax error');
}

/** The name of a case: its rules. */
export function nameOf({ schema }: RuleCase): string {
  return rulesIn(schema).join(' ; ');
}

function rulesIn(schema: JsonSchema): readonly string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const items = schema.items as JsonSchema | undefined;
  const values = schema.additionalProperties as JsonSchema | undefined;
  const below = [items, values, ...Object.values(schema.properties ?? {}), ...(schema.allOf ?? [])];
  return [...own, ...below.flatMap((inner) => (inner === undefined ? [] : rulesIn(inner)))];
}
