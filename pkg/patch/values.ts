/** Equality of JSON values, members in any order. `spend` is told what every comparison costs, and may throw. */
export function equalJson(a: unknown, b: unknown, spend: (work: number) => void): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    spend(a.length);
    return a.every((element, i) => equalJson(element, b[i], spend));
  }
  const keys = Object.keys(a);
  spend(keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key], spend));
}

/** Looks no deeper than it has to, so that it may be asked about any value. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels <= 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}
