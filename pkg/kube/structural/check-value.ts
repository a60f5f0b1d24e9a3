import { isObject, type Members } from '../../system/object/is-object.js';
import { isNumber } from '../json/exact.js';
import { invalid, required, tooMany } from './cause.js';
import { checkEnum } from './check-enum.js';
import { checkJunctors, type ResultOf } from './check-junctors.js';
import { checkNumber } from './check-number.js';
import { checkString, wrong } from './check-scalars.js';
import { checkNull, checkType } from './check-type.js';
import { type Correlated, correlatedItem, correlatedMember, isSame } from './correlate.js';
import { printedJson } from './go-text.js';
import type { Checks, ListChecks, Node, ObjectChecks, Structural } from './node.js';
import {
  addError,
  addProblem,
  branchResult,
  fieldOf,
  forget,
  type PathPart,
  pathOf,
  pathTo,
  type Result,
} from './result.js';
import { nodeOf } from './structural.js';

/** Checks a value and all in it. `past` is absent where there is no old value to compare with. */
export function check(structural: Structural, value: unknown, result: Result, past: Correlated | undefined): void {
  const node = nodeOf(structural);
  if (past === undefined) {
    checkValue(node, value, result, past);
    return;
  }
  const { failures } = result;
  const known = result.causes.mark();
  checkValue(node, value, result, past);
  if (result.failures > failures && isSame(past)) forget(result, known, failures);
}

/** Makes all checks that apply to the value as it is, even if its type is wrong. Each counts as a match. */
function checkValue(node: Node, value: unknown, result: Result, past: Correlated | undefined): void {
  if (value === null) {
    result.work.add(1);
    checkNull(node.checks, result);
    checkAllowed(node.checks, value, result);
    return;
  }
  const { junctors } = node.checks;
  checkBefore(node, value, result);
  if (junctors !== undefined) checkJunctors(junctors, result, branchesOf(value, result));
  if (Array.isArray(value)) {
    const { items } = node;
    if (items !== undefined) {
      for (let i = 0; i < value.length && !isOver(result); i++) {
        checkAt(i, items, value[i], result, past && correlatedItem(past, i));
      }
    }
    checkList(node.checks, value, result);
  }
  checkScalar(node.checks, value, result);
  if (isObject(value)) {
    const names = Object.keys(value);
    checkCount(node.checks.object, names.length, result);
    for (let i = 0; i < names.length && !isOver(result); i++) checkMember(node, names[i] ?? '', value, result, past);
    checkRequired(node.checks.object, value, result);
  }
  checkAfter(value, result);
}

function checkAt(
  part: PathPart,
  structural: Structural,
  value: unknown,
  result: Result,
  past: Correlated | undefined,
): void {
  result.path.push(part);
  check(structural, value, result, past);
  result.path.pop();
}

function checkMember(node: Node, name: string, value: Members, result: Result, past: Correlated | undefined): void {
  const schema = schemaOf(node, name, result);
  if (schema !== undefined)
    checkAt(partOf(node, name, result), schema, value[name], result, pastOf(past, result, name));
}

/**
 * What the branches of an anyOf and the like find. Parts of the value are not compared with old values, as in
 * Kubernetes.
 */
function branchesOf(value: unknown, result: Result): ResultOf {
  return (branch) => {
    const found = branchResult(result);
    if (!result.work.isStopped) checkValue(nodeOf(branch), value, found, undefined);
    return found;
  };
}

/**
 * Whether nothing more is to be found. The result of a branch counts on: the checks that pass decide which branch is
 * reported.
 */
export function isOver({ causes, isBranch, work }: Result): boolean {
  return (causes.isCut && !isBranch) || work.isStopped;
}

/** Of every value: its branches (2), its enum, and itself. */
const MATCHES = 4;

export function checkBefore({ checks }: Node, value: unknown, result: Result): void {
  result.work.add(1);
  checkType(checks, value, result);
  if (checks.types.length > 0 || checks.format !== '') result.matches++;
}

/** What is checked of a text or a number, and the enum of any value. */
export function checkScalar(checks: Checks, value: unknown, result: Result): void {
  if (typeof value === 'string') checkString(checks, value, result);
  else if (isNumber(value)) checkNumber(checks, value, result);
  checkAllowed(checks, value, result);
}

function checkAllowed({ enum: allowed }: Checks, value: unknown, result: Result): void {
  if (allowed !== undefined) checkEnum(allowed, value, result);
}

export function checkAfter(value: unknown, result: Result): void {
  result.matches += typeof value === 'boolean' ? MATCHES : MATCHES + 1;
}

/** What is checked of a list after its items. */
export function checkList({ list }: Checks, value: readonly unknown[], result: Result): void {
  if (list !== undefined) checkItemCount(list, value, result);
  result.matches++;
}

function checkItemCount(
  { minItems, maxItems, uniqueItems }: ListChecks,
  value: readonly unknown[],
  result: Result,
): void {
  const count = value.length;
  if (minItems !== undefined && count < minItems) wrong(result, count, () => `should have at least ${minItems} items`);
  if (maxItems !== undefined && count > maxItems) {
    addProblem(
      result,
      () => `should have at most ${maxItems} items`,
      (field) => tooMany(field, count, maxItems),
    );
  }
  if (uniqueItems && new Set(value.map(printedJson)).size < count) {
    wrong(result, '', () => "shouldn't contain duplicates");
  }
}

const NONE: readonly never[] = [];

export function checkRequired(checks: ObjectChecks | undefined, value: Members, result: Result): void {
  for (const name of checks?.required ?? NONE) {
    if (Object.hasOwn(value, name)) continue;
    addError(
      result,
      () => `${pathTo(result, name)} in body is required`,
      () => required(fieldOf(result, pathTo(result, name))),
    );
  }
}

/** The schema of a member. Undefined if there is none. Refuses a member that must not be there. */
export function schemaOf(
  { properties, additionalProperties: more }: Node,
  name: string,
  result: Result,
): Structural | undefined {
  const property = properties?.get(name);
  if (property !== undefined) return property;
  if (more === false) refuse(name, result);
  return typeof more === 'object' ? more : undefined;
}

/** At the root, the path of a member without a property begins with a dot. */
export function partOf({ properties }: Node, name: string, { path }: Result): string {
  return path.length > 0 || properties?.has(name) === true ? name : `.${name}`;
}

/**
 * The kind and the version of the root are always checked: both versions of an object were converted to the same one.
 */
export function pastOf(past: Correlated | undefined, { path }: Result, name: string): Correlated | undefined {
  if (past === undefined || (path.length === 0 && (name === 'kind' || name === 'apiVersion'))) return undefined;
  return correlatedMember(past, name);
}

export function checkCount(checks: ObjectChecks | undefined, count: number, result: Result): void {
  if (checks === undefined) return;
  const { minProperties, maxProperties } = checks;
  if (minProperties !== undefined && count < minProperties) {
    wrong(result, count, () => `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    addProblem(
      result,
      () => `should have at most ${maxProperties} properties`,
      (field) => tooMany(field, count, maxProperties),
    );
  }
}

function refuse(name: string, result: Result): void {
  addError(
    result,
    () => `${pathTo(result, name)} in body is a forbidden property`,
    (words) => invalid(fieldOf(result, pathOf(result)), name, words),
  );
}
