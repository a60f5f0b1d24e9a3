import { compiledRules } from '../../apis/apiextensions/customresourcedefinition/compiled-rules.js';
import { costCauses } from '../../apis/apiextensions/customresourcedefinition/validation/costs.js';
import { schemaCauses } from '../../apis/apiextensions/customresourcedefinition/validation/openapi.js';
import { finished } from '../../apis/apiextensions/customresourcedefinition/validation/steps.js';
import { compileRules } from '../../pkg/cel/rules/compile.js';
import { validateRules } from '../../pkg/cel/rules/validate.js';
import type { StatusCause } from '../../pkg/status/status.js';
import type { JsonSchema } from '../../pkg/structural/json-schema.js';

/** A schema with rules, and a value before and after a change. */
export interface RuleCase {
  readonly schema: JsonSchema;
  readonly object: unknown;
  readonly old?: unknown;
  /** The schema is that of a whole resource. */
  readonly root: boolean;
  /** What did not change is not refused. */
  readonly ratchet: boolean;
}

/** What Kubernetes says of a case, or this server. */
export interface RuleAnswer {
  /** About the definition. */
  readonly definition: readonly StatusCause[] | null;
  /** About the value. */
  readonly causes?: readonly StatusCause[] | null;
  /** What the rules used of the budget, or -1 if they used too much. */
  readonly cost?: number;
  readonly error?: string;
}

const BUDGET = 10_000_000;

/** What this server says. */
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
/** The reference tells only of rules. */
const OTHERS = { requiresValidTypes: false, requiresAtomicSets: false, requiresListKeys: false };

/** What a definition with this schema is told about its rules. */
function definitionCauses(schema: JsonSchema): readonly StatusCause[] {
  const { causes, costs } = finished(schemaCauses(schema, PATH, OTHERS, compiledRules));
  return [...causes, ...costCauses(costs, PATH)];
}

/** The reference walks maps in any order. */
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

/** Without the random number in the names of types, and without what the parser of the reference expects after a syntax error. */
function plain(message: string): string {
  return message.replace(/selfType\d+/g, 'selfType').replace(/Syntax error: .*/g, 'Syntax error');
}

/** What tests call a case: its rules. */
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
