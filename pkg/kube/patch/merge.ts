import { isObject } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';

/**
 * Applies a JSON Merge Patch (RFC 7386). Changes neither argument; the result shares unchanged parts with the target.
 * `__proto__` is an ordinary key: it becomes an own member and sets no prototype. By hand because the packages change
 * the target and assign `__proto__`.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return runSteps(mergeSteps(target, patch));
}

/** The same in steps, because a patch may have a million members. */
export function* mergeSteps(target: unknown, patch: unknown, work = new Work()): Steps<unknown> {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (work.count()) yield;
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? yield* mergeSteps(merged.get(key), value, work) : value);
  }
  // Object.fromEntries defines members; an assignment would call the setter of __proto__.
  return Object.fromEntries(merged);
}
