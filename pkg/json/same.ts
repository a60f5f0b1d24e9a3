/** Whether two JSON values are equal, members in any order; a member that is `undefined` counts as absent, as in JSON text. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => isSameJson(one, b[i]));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return hasAllOf(left, right) && hasNoMore(right, left);
}

function hasAllOf(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  for (const key of Object.keys(left)) {
    const own = Object.hasOwn(right, key) ? right[key] : undefined;
    if (!isSameJson(left[key], own)) return false;
  }
  return true;
}

function hasNoMore(right: Record<string, unknown>, left: Record<string, unknown>): boolean {
  for (const key of Object.keys(right)) if (right[key] !== undefined && !Object.hasOwn(left, key)) return false;
  return true;
}
