import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';

/**
 * Whether two JSON values are equal, with members in any order. A member that is `undefined` counts as absent, as in
 * JSON text: that is why `util.isDeepStrictEqual` does not fit. `spend` is told the work of each comparison, and may
 * throw to end it.
 */
export function isSameJson(a: unknown, b: unknown, spend?: (work: number) => void): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    spend?.(a.length);
    return a.every((element, i) => isSameJson(element, b[i], spend));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return hasAllOf(left, right, spend) && hasNoMore(right, left);
}

/** The same in steps, for values that may have many thousands of parts. */
export function* sameSteps(a: unknown, b: unknown, work: Pick<Work, 'count'> = new Work()): Steps<boolean> {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (Array.isArray(a) ? a.length !== right['length'] : !hasNoMore(right, left)) return false;
  for (const key of Object.keys(left)) {
    if (work.count()) yield;
    const [one, other] = [left[key], Object.hasOwn(right, key) ? right[key] : undefined];
    if (one !== other && !(yield* sameSteps(one, other, work))) return false;
  }
  return true;
}

function hasAllOf(
  left: Record<string, unknown>,
  right: Record<string, unknown>,
  spend?: (work: number) => void,
): boolean {
  const keys = Object.keys(left);
  spend?.(keys.length);
  for (const key of keys) {
    const own = Object.hasOwn(right, key) ? right[key] : undefined;
    if (!isSameJson(left[key], own, spend)) return false;
  }
  return true;
}

function hasNoMore(right: Record<string, unknown>, left: Record<string, unknown>): boolean {
  for (const key of Object.keys(right)) if (right[key] !== undefined && !Object.hasOwn(left, key)) return false;
  return true;
}
