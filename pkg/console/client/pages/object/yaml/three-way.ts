import type { Change, Path } from '../../../editor/yaml.js';

/** A field that two people have changed to different values. Undefined means that it was removed. */
export interface Conflict {
  readonly path: Path;
  readonly theirs: unknown;
  readonly mine: unknown;
}

export interface Merged {
  /** Fields that they have changed and I have not. */
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
}

/** Merges two changes of one object. A list whose length has changed counts as one value. */
export function threeWay(base: unknown, theirs: unknown, mine: unknown): Merged {
  const merged = { changes: [] as Change[], conflicts: [] as Conflict[] };
  compare(merged, [], base, theirs, mine);
  return merged;
}

function compare(
  merged: { readonly changes: Change[]; readonly conflicts: Conflict[] },
  path: Path,
  base: unknown,
  theirs: unknown,
  mine: unknown,
): void {
  if (isEqual(theirs, mine) || isEqual(base, theirs)) return;
  if (isObject(theirs) && isObject(mine)) {
    const before = isObject(base) ? base : {};
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)]))
      compare(merged, [...path, name], before[name], theirs[name], mine[name]);
  } else if (Array.isArray(base) && areAsLong(base, theirs) && areAsLong(base, mine))
    for (const [index, item] of base.entries()) compare(merged, [...path, index], item, theirs[index], mine[index]);
  else if (isEqual(base, mine)) merged.changes.push({ path, value: theirs });
  else merged.conflicts.push({ path, theirs, mine });
}

function areAsLong(list: readonly unknown[], other: unknown): other is readonly unknown[] {
  return Array.isArray(other) && other.length === list.length;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) return areAsLong(one, other) && one.every((item, index) => isEqual(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

/** The name of a field for people: `spec.rules[0].name`, `metadata.labels["a/b"]`. */
export function fieldOf(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\w-]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The value of a field. Undefined if there is none. */
export function valueAt(object: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);
}
