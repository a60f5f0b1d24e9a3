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
import { addError, emptyResult, fieldOf, forget, type Result } from './result.js';
import { nodeOf } from './structural.js';

export interface ValidateOptions {
  /** The path of `value`, if it is a part of an object: `status`. */
  readonly path?: string;
}

/**
 * The causes in the words and the order of Kubernetes (kube-openapi/pkg/validation/validate), which has no order of members: they come in the order of the schema
 * here. Libraries such as ajv find the same errors, but tell them in other words, fields and order, and choose other branches of an anyOf to blame.
 *
 * With `old`, parts that were not changed are not told (CRDValidationRatcheting).
 */
export function validate(
  structural: Structural,
  value: unknown,
  old?: unknown,
  { path = '' }: ValidateOptions = {},
): readonly StatusCause[] {
  const result = emptyResult(path);
  check(structural, value, '', result, old === undefined ? undefined : correlate(structural, value, old));
  return result.causes;
}

/** `past` is absent where there is no old value to compare with. */
function check(
  structural: Structural,
  value: unknown,
  path: string,
  result: Result,
  past: Correlated | undefined,
): void {
  if (past === undefined) {
    checkValue(structural, value, path, result, undefined);
    return;
  }
  const { failures, causes } = result;
  const known = causes.length;
  checkValue(structural, value, path, result, past);
  if (result.failures > failures && isSame(past)) forget(result, known, failures);
}

/** All checks are made that apply to the value as it is, also if its type is wrong. Each that was made counts as a match. */
function checkValue(
  structural: Structural,
  value: unknown,
  path: string,
  result: Result,
  past: Correlated | undefined,
): void {
  const node = nodeOf(structural);
  const { checks } = node;
  if (value === null) {
    checkNull(checks, path, result);
    if (checks.enum !== undefined) checkEnum(checks.enum, value, path, result);
    return;
  }
  checkType(checks, value, path, result);
  if (checks.types.length > 0 || checks.format !== '') result.matches++;
  if (checks.junctors !== undefined) checkJunctors(checks.junctors, value, path, result, checkBranch);
  if (typeof value === 'string') checkString(checks, value, path, result);
  else if (typeof value === 'number') checkNumber(checks, value, path, result);
  else if (Array.isArray(value)) checkItems(node, value, path, result, past);
  if (checks.enum !== undefined) checkEnum(checks.enum, value, path, result);
  if (isObject(value)) checkMembers(node, value, path, result, past);
  result.matches += typeof value === 'boolean' ? MATCHES : MATCHES + 1;
}

/** Of every value: its branches (2), its enum, and itself. */
const MATCHES = 4;

/** A branch of an anyOf and the like. Parts of it are not compared with old values, as in Kubernetes. */
function checkBranch(structural: Structural, value: unknown, path: string, result: Result): void {
  checkValue(structural, value, path, result, undefined);
}

function checkItems(
  { items, checks }: Node,
  value: readonly unknown[],
  path: string,
  result: Result,
  past: Correlated | undefined,
): void {
  if (items !== undefined) {
    for (let i = 0; i < value.length; i++) {
      const old = past === undefined ? undefined : correlatedItem(past, i);
      check(items, value[i], `${path}[${i}]`, result, old);
    }
  }
  if (checks.list !== undefined) checkList(checks.list, value, path, result);
  result.matches++;
}

function checkList(
  { minItems, maxItems, uniqueItems }: ListChecks,
  value: readonly unknown[],
  path: string,
  result: Result,
): void {
  const count = value.length;
  if (minItems !== undefined && count < minItems) {
    wrong(result, path, count, `should have at least ${minItems} items`);
  }
  if (maxItems !== undefined && count > maxItems) {
    const words = `${path} in body should have at most ${maxItems} items`;
    addError(result, words, () => tooMany(fieldOf(result, path), count, maxItems));
  }
  if (uniqueItems && new Set(value.map(printedJson)).size < count) {
    wrong(result, path, '', "shouldn't contain duplicates");
  }
}

function checkMembers(node: Node, value: Members, path: string, result: Result, past: Correlated | undefined): void {
  const { properties, additionalProperties: more, checks } = node;
  if (checks.object !== undefined) checkCount(checks.object, value, path, result);
  if (more === false) refuseOthers(node, value, path, result);
  else if (typeof more === 'object') {
    for (const name of Object.keys(value)) {
      if (properties?.has(name) === true) continue;
      check(more, value[name], `${path}.${name}`, result, pastOf(past, path, name));
    }
  }
  if (properties !== undefined) checkProperties(properties, value, path, result, past);
  for (const name of checks.object?.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    addError(result, `${path}.${name} in body is required`, () => required(fieldOf(result, `${path}.${name}`)));
  }
}

function checkProperties(
  properties: ReadonlyMap<string, Structural>,
  value: Members,
  path: string,
  result: Result,
  past: Correlated | undefined,
): void {
  for (const [name, schema] of properties) {
    if (!Object.hasOwn(value, name)) continue;
    check(schema, value[name], path === '' ? name : `${path}.${name}`, result, pastOf(past, path, name));
  }
}

/** The kind and the version of the root are always checked: both versions of an object were converted to the same one. */
function pastOf(past: Correlated | undefined, path: string, name: string): Correlated | undefined {
  if (past === undefined || (path === '' && (name === 'kind' || name === 'apiVersion'))) return undefined;
  return correlatedMember(past, name);
}

function checkCount(
  { minProperties, maxProperties }: ObjectChecks,
  value: Members,
  path: string,
  result: Result,
): void {
  if (minProperties === undefined && maxProperties === undefined) return;
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties) {
    wrong(result, path, count, `should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const words = `${path} in body should have at most ${maxProperties} properties`;
    addError(result, words, () => tooMany(fieldOf(result, path), count, maxProperties));
  }
}

function refuseOthers({ properties }: Node, value: Members, path: string, result: Result): void {
  for (const name of Object.keys(value)) {
    if (properties?.has(name) === true) continue;
    const words = `${path}.${name} in body is a forbidden property`;
    addError(result, words, () => invalid(fieldOf(result, path), name, words));
  }
}
