import { isObject, type Members } from '../object/is-object.js';

/** Copies of JSON objects with other members. They are made only if something is different, and keep a member `__proto__` a member. */

/** The object with the members that `change` returns; undefined removes one. The same object if nothing is different. */
export function mapMembers(object: Members, change: (value: unknown, name: string) => unknown): Members {
  let kept: [string, unknown][] | undefined;
  const names = Object.keys(object);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    const value = object[name];
    const changed = change(value, name);
    if (changed !== value) kept ??= names.slice(0, i).map((before) => [before, object[before]]);
    if (kept !== undefined && changed !== undefined) kept.push([name, changed]);
  }
  return kept === undefined ? object : Object.fromEntries(kept);
}

/** The list with the items that `change` returns. The same list if nothing is different. */
export function mapItems(
  list: readonly unknown[],
  change: (value: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const changed = change(list[i], i);
    if (changed === list[i]) continue;
    copy ??= [...list];
    copy[i] = changed;
  }
  return copy ?? list;
}

export function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deepCopy(member)]));
}
