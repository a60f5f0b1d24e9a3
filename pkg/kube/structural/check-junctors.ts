import { invalid } from './cause.js';
import type { Junctors, Structural } from './node.js';
import { addError, isValid, merge, pathOf, type Result } from './result.js';
import { shownText } from './shown.js';

/** What a branch finds in the value. */
export type ResultOf = (branch: Structural) => Result;

/**
 * anyOf, oneOf, allOf and not, in this order. If no branch fits, the errors of the branch with the most passed checks
 * are reported, too.
 */
export function checkJunctors({ anyOf, oneOf, allOf, not }: Junctors, result: Result, resultOf: ResultOf): void {
  if (anyOf.length > 0) checkAny(anyOf, resultOf, result);
  if (oneOf.length > 0) checkOne(oneOf, resultOf, result);
  if (allOf.length > 0) checkAll(allOf, resultOf, result);
  if (not !== undefined && isValid(resultOf(not))) fail(result, `must not validate the schema (not)`);
}

function checkAny(branches: readonly Structural[], resultOf: ResultOf, result: Result): void {
  let best: Result | undefined;
  for (const branch of branches) {
    const found = resultOf(branch);
    if (isValid(found)) {
      merge(result, found);
      return;
    }
    if (best === undefined || found.matches > best.matches) best = found;
  }
  fail(result, `must validate at least one schema (anyOf)`);
  if (best !== undefined) merge(result, best);
}

/** If several branches fit, no error of a branch is reported. */
function checkOne(branches: readonly Structural[], resultOf: ResultOf, result: Result): void {
  let [valid, count]: [Result | undefined, number] = [undefined, 0];
  let best: Result | undefined;
  for (const branch of branches) {
    const result = resultOf(branch);
    if (isValid(result)) {
      count++;
      valid ??= result;
    } else if (best === undefined || result.matches > best.matches) best = result;
  }
  if (valid !== undefined && count === 1) {
    merge(result, valid);
    return;
  }
  const why = count === 0 ? 'Found none valid' : `Found ${count} valid alternatives`;
  fail(result, `must validate one and only one schema (oneOf). ${why}`);
  if (count === 0 && best !== undefined) merge(result, best);
}

function checkAll(branches: readonly Structural[], resultOf: ResultOf, result: Result): void {
  let count = 0;
  for (const branch of branches) {
    const found = resultOf(branch);
    if (isValid(found)) count++;
    merge(result, found);
  }
  if (count === branches.length) return;
  fail(result, `must validate all the schemas (allOf)${count === 0 ? '. None validated' : ''}`);
}

/** Kubernetes has the name of the value in the message, and the root as the field. */
function fail(result: Result, problem: string): void {
  addError(
    result,
    () => `${shownText(pathOf(result))} ${problem}`,
    (words) => invalid(result.base, '', words),
  );
}
