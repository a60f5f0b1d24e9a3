import { isObject } from '../object/is-object.js';

/**
 * Applies a JSON Merge Patch (RFC 7386). Changes neither argument; the result shares unchanged parts with the target. `__proto__` is an
 * ordinary key: it becomes an own member and sets no prototype. By hand because the packages change the target and assign `__proto__`.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // Object.fromEntries defines members; an assignment would call the setter of __proto__.
  return Object.fromEntries(merged);
}
