import type { Steps } from '../../../system/yielding/steps.js';
import { cutText, type StatusCause } from '../../status/causes.js';
import { child, duplicate, forbidden, invalid, required } from '../../structural/cause.js';
import type { ValidationRule } from '../../structural/json-schema.js';
import { shownText } from '../../structural/shown.js';
import { trimmed } from '../library/strings.js';
import type { CostMeter, Program } from '../run/program.js';
import { CostExceeded } from '../values/meter.js';
import { isError, NONE, Optional, type Value } from '../values/value.js';
import type { RuleNode } from './compile.js';
import type { CompiledRule } from './compile-rule.js';
import { isUnchanged } from './correlation.js';
import type { Ratchet, Validation } from './validation.js';

/** What one run of a rule may cost. */
const RULE_LIMIT = 1_000_000;
/** Units of cost in one unit of work. */
const COST_SPEED = 10;
/** The most characters of a rule, or its message, in a cause. */
const LONGEST_NAME = 4096;
const MAX_MESSAGE_BYTES = 5 * 1024;
const NO_BUDGET = 'running out of cost budget, no further validation rules will be run';

export function* checkRules(
  v: Validation,
  node: RuleNode,
  path: string,
  value: unknown,
  old: unknown,
  ratchet: Ratchet,
): Steps<void> {
  if (node.rules.length === 0) return;
  const type = node.schema.type ?? '';
  if (v.budget.left <= 0) {
    v.causes.add(invalid(path, type, `validation failed due to ${NO_BUDGET}`));
    v.budget.left = -1;
    return;
  }
  const self = node.convert(value);
  const oldSelf = old === undefined || !node.usesOldSelf ? undefined : node.convert(old);
  const context: Context = { v, path, type, value, self, old: oldSelf, hasOld: old !== undefined, ratchet };
  for (const rule of node.rules) {
    const { left } = v.budget;
    yield* checkRule(context, rule);
    if (v.budget.left < 0 || v.causes.isCut) return;
    v.work.add(1 + (left - v.budget.left) / COST_SPEED);
    if (v.work.isDue()) yield;
  }
}

interface Context {
  readonly v: Validation;
  readonly path: string;
  readonly type: string;
  readonly value: unknown;
  readonly self: Value;
  readonly old: Value | undefined;
  readonly hasOld: boolean;
  readonly ratchet: Ratchet;
}

function* checkRule(c: Context, compiled: CompiledRule): Steps<void> {
  const { v, path, type } = c;
  const { rule, program, error } = compiled;
  if (error !== undefined) v.causes.add(invalid(path, type, `rule compile error: ${error}`));
  if (program === undefined) return;
  const isOptional = rule.optionalOldSelf === true;
  if (compiled.usesOldSelf && !c.hasOld && !isOptional) return;
  const variables = [c.self, isOptional ? optionalOld(c.old) : c.old];
  const result = runAtOnce(program, variables) ?? (yield* runSteps(program, variables));
  if (result.cost > v.budget.left) {
    v.causes.add(invalid(path, type, `validation failed due to ${NO_BUDGET}`));
    v.budget.left = -1;
    return;
  }
  v.budget.left -= result.cost;
  if (result.value === true) return;
  if (result.error !== undefined) refuseError(c, rule, result.error, result.isExceeded);
  else yield* refuse(c, compiled, variables);
}

function optionalOld(old: Value | undefined): Value {
  return old === undefined ? NONE : new Optional(old);
}

interface Result {
  readonly value: Value | undefined;
  readonly cost: number;
  readonly error: string | undefined;
  readonly isExceeded: boolean;
}

/** Undefined if it has to be done in steps. */
function runAtOnce(program: Program, variables: readonly (Value | undefined)[]): Result | undefined {
  const meter: CostMeter = { cost: 0, limit: RULE_LIMIT };
  try {
    const value = program.run(variables, meter);
    return value === undefined ? undefined : resultOf(value, meter);
  } catch (error) {
    return exceeded(error, meter);
  }
}

function* runSteps(program: Program, variables: readonly (Value | undefined)[]): Steps<Result> {
  const meter: CostMeter = { cost: 0, limit: RULE_LIMIT };
  try {
    return resultOf(yield* program.steps(variables, meter), meter);
  } catch (error) {
    return exceeded(error, meter);
  }
}

function resultOf(value: Value, { cost }: CostMeter): Result {
  return { value, cost, error: isError(value) ? value.message : undefined, isExceeded: false };
}

function exceeded(error: unknown, { cost }: CostMeter): Result {
  if (!(error instanceof CostExceeded)) throw error;
  return { value: undefined, cost, error: error.message, isExceeded: true };
}

/** The name of a rule in errors. */
function nameOf({ rule, message = '' }: ValidationRule): string {
  return cutText(trimmed(message === '' ? rule : message), LONGEST_NAME);
}

function refuseError({ v, path, type }: Context, rule: ValidationRule, error: string, isExceeded: boolean): void {
  const name = nameOf(rule);
  if (isExceeded) {
    const detail = `'${error}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
    v.causes.add(invalid(path, type, detail));
    v.budget.left = -1;
  } else if (error.startsWith('no such overload')) {
    const text = 'call arguments did not match a supported operator, function or macro signature for rule';
    v.causes.add(invalid(path, type, `'${error}': ${text}: ${name}`));
  } else {
    v.causes.add(invalid(path, type, `${error} evaluating rule: ${name}`));
  }
}

/** Reports that the value breaks the rule. */
function* refuse(c: Context, compiled: CompiledRule, variables: readonly (Value | undefined)[]): Steps<void> {
  const { rule, fieldPath = '', message } = compiled;
  const path = fieldPath === '' ? c.path : child(c.path, fieldPath);
  const text = message === undefined ? undefined : yield* messageOf(c, rule, message, variables);
  if (text !== undefined && 'stop' in text) {
    report(c, compiled, invalid(path, c.type, text.stop));
    c.v.budget.left = -1;
    return;
  }
  const detail = text?.message ?? ((rule.message ?? '') === '' ? `failed rule: ${nameOf(rule)}` : nameOf(rule));
  const value = c.type === 'object' || c.type === 'array' ? undefined : c.value;
  report(c, compiled, causeOf(path, value, detail, rule.reason));
}

function report({ v, ratchet }: Context, { usesOldSelf }: CompiledRule, cause: StatusCause): void {
  const isSame = isUnchanged(ratchet.current ?? ratchet.nearest);
  if (!usesOldSelf && isSame) v.warn(cause);
  else v.causes.add(cause);
}

function causeOf(path: string, value: unknown, detail: string, reason: string | undefined): StatusCause {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

/** The message that an expression makes. Undefined if it cannot be used; `stop` if no more rules may run. */
function* messageOf(
  { v }: Context,
  rule: ValidationRule,
  program: Program,
  variables: readonly (Value | undefined)[],
): Steps<{ readonly message: string } | { readonly stop: string } | undefined> {
  const result = runAtOnce(program, variables) ?? (yield* runSteps(program, variables));
  if (result.cost > v.budget.left) return { stop: `messageExpression evaluation failed due to ${NO_BUDGET}` };
  if (result.isExceeded) {
    const source = shownText(rule.messageExpression ?? '');
    return {
      stop: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
    };
  }
  v.budget.left -= result.cost;
  if (typeof result.value !== 'string') return undefined;
  const message = trimmed(result.value);
  const isFine = message !== '' && !message.includes('\n') && Buffer.byteLength(message) <= MAX_MESSAGE_BYTES;
  return isFine ? { message } : undefined;
}
