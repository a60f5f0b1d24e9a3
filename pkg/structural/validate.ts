import { isObject, type Members } from '../object/is-object.js';
import type { StatusCause } from '../status/status.js';
import { invalid, required, tooMany } from './cause.js';
import { checkEnum } from './check-enum.js';
import { checkJunctors } from './check-junctors.js';
import { checkNumber } from './check-number.js';
import { checkString, wrong } from './check-scalars.js';
import { checkNull, checkType } from './check-type.js';
import { type Correlated, correlate, correlatedItem, correlatedMember, isSame } from './correlate.js';
import { printedJson } from './go-text.js';
import type { ListChecks, Node, ObjectChecks, Structural } from './node.js';
import {
  addError,
  addProblem,
  emptyResult,
  fieldOf,
  forget,
  isValid,
  type PathPart,
  pathOf,
  type Result,
} from './result.js';
import { nodeOf } from './structural.js';

export interface ValidateOptions {
  /** The path of `value`, if it is a part of an object: `status`. */
  readonly path?: string;
}

/**
 * The causes in the words and the order of Kubernetes (kube-openapi/pkg/validation/validate). Kubernetes has no order of members, so here they come
 * in the order of the object. Libraries such as ajv find the same errors, but with other words, fields and order, and they choose other branches of
 * an anyOf.
 *
 * With `old`, errors of unchanged parts are not reported (CRDValidationRatcheting).
 */
export function validate(
  structural: Structural,
  value: unknown,
  old?: unknown,
  { path = '' }: ValidateOptions = {},
): readonly StatusCause[] {
  const result = emptyResult(path);
  checkValue(structural, value, result, undefined);
  if (isValid(result) || old === undefined) return result.causes;
  const withOld = emptyResult(path);
  check(structural, value, withOld, correlate(structural, value, old));
  return withOld.causes;
}

/** `past` is absent where there is no old value to compare with. */
function check(structural: Structural, value: unknown, result: Result, past: Correlated | undefined): void {
  const { failures, causes } = result;
  const known = causes.length;
  checkValue(structural, value, result, past);
  if (past !== undefined && result.failures > failures && isSame(past)) forget(result, known, failures);
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

/** Makes all checks that apply to the value as it is, even if its type is wrong. Each counts as a match. */
function checkValue(structural: Structural, value: unknown, result: Result, past: Correlated | undefined): void {
  const node = nodeOf(structural);
  const { checks } = node;
  if (value === null) {
    checkNull(checks, result);
    if (checks.enum !== undefined) checkEnum(checks.enum, value, result);
    return;
  }
  checkType(checks, value, result);
  if (checks.types.length > 0 || checks.format !== '') result.matches++;
  if (checks.junctors !== undefined) checkJunctors(checks.junctors, value, result, checkBranch);
  if (typeof value === 'string') checkString(checks, value, result);
  else if (typeof value === 'number') checkNumber(checks, value, result);
  else if (Array.isArray(value)) checkItems(node, value, result, past);
  if (checks.enum !== undefined) checkEnum(checks.enum, value, result);
  if (isObject(value)) checkMembers(node, value, result, past);
  result.matches += typeof value === 'boolean' ? MATCHES : MATCHES + 1;
}

/** Of every value: its branches (2), its enum, and itself. */
const MATCHES = 4;

/** A branch of an anyOf and the like. Parts of it are not compared with old values, as in Kubernetes. */
function checkBranch(structural: Structural, value: unknown, result: Result): void {
  checkValue(structural, value, result, undefined);
}

function checkItems(
  { items, checks }: Node,
  value: readonly unknown[],
  result: Result,
  past: Correlated | undefined,
): void {
  if (items !== undefined) {
    for (let i = 0; i < value.length; i++) {
      checkAt(i, items, value[i], result, past === undefined ? undefined : correlatedItem(past, i));
    }
  }
  if (checks.list !== undefined) checkList(checks.list, value, result);
  result.matches++;
}

function checkList({ minItems, maxItems, uniqueItems }: ListChecks, value: readonly unknown[], result: Result): void {
  const count = value.length;
  if (minItems !== undefined && count < minItems) wrong(result, count, `should have at least ${minItems} items`);
  if (maxItems !== undefined && count > maxItems) {
    addProblem(result, `should have at most ${maxItems} items`, (field) => tooMany(field, count, maxItems));
  }
  if (uniqueItems && new Set(value.map(printedJson)).size < count) wrong(result, '', "shouldn't contain duplicates");
}

function checkMembers(node: Node, value: Members, result: Result, past: Correlated | undefined): void {
  const { checks } = node;
  const names = Object.keys(value);
  if (checks.object !== undefined) checkCount(checks.object, names.length, result);
  for (const name of names) checkMember(node, name, value[name], result, past);
  for (const name of checks.object?.required ?? NONE) {
    if (Object.hasOwn(value, name)) continue;
    const path = `${pathOf(result)}.${name}`;
    addError(result, `${path} in body is required`, () => required(fieldOf(result, path)));
  }
}

const NONE: readonly never[] = [];

/** At the root, the path of a member without a property begins with a dot. */
function checkMember(
  { properties, additionalProperties: more }: Node,
  name: string,
  value: unknown,
  result: Result,
  past: Correlated | undefined,
): void {
  const property = properties?.get(name);
  if (property !== undefined) checkAt(name, property, value, result, pastOf(past, result, name));
  else if (more === false) refuse(name, result);
  else if (typeof more === 'object') {
    const part = result.path.length === 0 ? `.${name}` : name;
    checkAt(part, more, value, result, pastOf(past, result, name));
  }
}

/** The kind and the version of the root are always checked: both versions of an object were converted to the same one. */
function pastOf(past: Correlated | undefined, { path }: Result, name: string): Correlated | undefined {
  if (past === undefined || (path.length === 0 && (name === 'kind' || name === 'apiVersion'))) return undefined;
  return correlatedMember(past, name);
}

function checkCount({ minProperties, maxProperties }: ObjectChecks, count: number, result: Result): void {
  if (minProperties !== undefined && count < minProperties) {
    wrong(result, count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const problem = `should have at most ${maxProperties} properties`;
    addProblem(result, problem, (field) => tooMany(field, count, maxProperties));
  }
}

function refuse(name: string, result: Result): void {
  const path = pathOf(result);
  const words = `${path}.${name} in body is a forbidden property`;
  addError(result, words, () => invalid(fieldOf(result, path), name, words));
}
