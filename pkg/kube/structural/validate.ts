import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import type { StatusCause } from '../status/causes.js';
import { invalid } from './cause.js';
import { checkJunctors } from './check-junctors.js';
import {
  check,
  checkAfter,
  checkBefore,
  checkCount,
  checkList,
  checkRequired,
  checkScalar,
  isOver,
  partOf,
  pastOf,
  schemaOf,
} from './check-value.js';
import { type Correlated, correlate, correlatedItem, isSame } from './correlate.js';
import type { Junctors, Node, Structural } from './node.js';
import { branchResult, emptyResult, forget, isValid, type PathPart, type Result } from './result.js';
import { nodeOf } from './structural.js';
import { isHeavy } from './weight.js';

export interface ValidateOptions {
  /** The path of `value`, if it is a part of an object: `status`. */
  readonly path?: string;
}

/**
 * The causes in the words and the order of Kubernetes (kube-openapi/pkg/validation/validate). Kubernetes has no order
 * of members, so here they come in the order of the object. Libraries such as ajv find the same errors, but with other
 * words, fields and order, and they choose other branches of an anyOf.
 *
 * With `old`, errors of unchanged parts are not reported (CRDValidationRatcheting).
 */
export function validate(
  structural: Structural,
  value: unknown,
  old?: unknown,
  options: ValidateOptions = {},
): readonly StatusCause[] {
  return runSteps(validateSteps(structural, value, old, options));
}

/** The same in steps. At most as many causes as an answer has: then the walk stops. */
export function* validateSteps(
  structural: Structural,
  value: unknown,
  old?: unknown,
  { path = '' }: ValidateOptions = {},
): Steps<readonly StatusCause[]> {
  const result = emptyResult(path);
  yield* checkSteps(structural, value, result, undefined);
  if (isValid(result) || old === undefined || result.work.isSpent) return causesOf(result);
  yield;
  const withOld = emptyResult(path);
  yield* checkSteps(structural, value, withOld, correlate(structural, value, old));
  return causesOf(withOld);
}

function causesOf({ causes, work, base }: Result): readonly StatusCause[] {
  if (!work.isSpent) return causes.list;
  const why = 'it takes too long to compare it with its schema; make it smaller, or the schema simpler';
  return [invalid(base, undefined, why), ...causes.list];
}

/**
 * Large values are checked part by part, with a pause when it is due. Others are checked at once: generators would take
 * longer than their checks.
 */
function* checkSteps(
  structural: Structural,
  value: unknown,
  result: Result,
  past: Correlated | undefined,
): Steps<void> {
  const { failures, matches, work } = result;
  const known = result.causes.mark();
  if (!isHeavy(structural, value)) {
    if (work.isDoneAtOnce(() => check(structural, value, result, past)) || isScalar(value)) return;
    forget(result, known, failures);
    result.matches = matches;
    yield;
  }
  yield* checkHeavy(nodeOf(structural), value, result, past);
  if (past !== undefined && result.failures > failures && isSame(past)) forget(result, known, failures);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** As `check`, in the same order. */
function* checkHeavy(node: Node, value: unknown, result: Result, past: Correlated | undefined): Steps<void> {
  checkBefore(node, value, result);
  if (node.checks.junctors !== undefined) yield* checkBranches(node.checks.junctors, value, result);
  if (Array.isArray(value)) {
    for (let i = 0; node.items !== undefined && i < value.length && !isOver(result); i++) {
      yield* checkAt(i, node.items, value[i], result, past && correlatedItem(past, i));
    }
    checkList(node.checks, value, result);
  }
  checkScalar(node.checks, value, result);
  if (isObject(value)) yield* checkMembers(node, value, result, past);
  checkAfter(value, result);
}

function* checkMembers(node: Node, value: Members, result: Result, past: Correlated | undefined): Steps<void> {
  const names = Object.keys(value);
  checkCount(node.checks.object, names.length, result);
  for (const name of names) {
    if (isOver(result)) break;
    const schema = schemaOf(node, name, result);
    if (schema === undefined) continue;
    yield* checkAt(partOf(node, name, result), schema, value[name], result, pastOf(past, result, name));
  }
  checkRequired(node.checks.object, value, result);
}

function* checkAt(
  part: PathPart,
  structural: Structural,
  value: unknown,
  result: Result,
  past: Correlated | undefined,
): Steps<void> {
  result.path.push(part);
  yield* checkSteps(structural, value, result, past);
  result.path.pop();
  if (result.work.isDue()) yield;
}

function* checkBranches(junctors: Junctors, value: unknown, result: Result): Steps<void> {
  const { anyOf, oneOf, allOf, not } = junctors;
  const results = new Map<Structural, Result>();
  for (const branch of [...anyOf, ...oneOf, ...allOf, ...(not === undefined ? [] : [not])]) {
    const one = branchResult(result);
    if (!result.work.isSpent) yield* checkSteps(branch, value, one, undefined);
    results.set(branch, one);
    if (result.work.isDue()) yield;
  }
  checkJunctors(junctors, result, (branch) => results.get(branch) ?? branchResult(result));
}
