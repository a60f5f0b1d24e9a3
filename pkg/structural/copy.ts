import { isObject, type Members } from '../object/is-object.js';
import type { Steps, Work } from './work.js';

/** Copies of JSON objects with other members. They are made only if something is different, and keep a member `__proto__` a member. */

/** What becomes of a value: another value, or the steps to it. A JSON value has no functions, so the two differ. */
export type Changed = unknown;

function isSteps(changed: Changed): changed is Steps<unknown> {
  return typeof changed === 'object' && changed !== null && 'next' in changed && typeof changed.next === 'function';
}

export function* result(changed: Changed): Steps<unknown> {
  return isSteps(changed) ? yield* changed : changed;
}

/** The object with the members that `change` returns, in steps; undefined removes one. The same object if nothing is different. */
export function* mapMembers(
  object: Members,
  work: Work,
  change: (value: unknown, name: string) => Changed,
): Steps<Members> {
  let kept: [string, unknown][] | undefined;
  const names = Object.keys(object);
  for (let i = 0; i < names.length; i++) {
    if (work.count()) yield;
    const name = names[i] ?? '';
    const value = object[name];
    const next = change(value, name);
    const changed = isSteps(next) ? yield* next : next;
    if (changed !== value) kept ??= names.slice(0, i).map((before) => [before, object[before]]);
    if (kept !== undefined && changed !== undefined) kept.push([name, changed]);
  }
  return kept === undefined ? object : Object.fromEntries(kept);
}

/** The list with the items that `change` returns, in steps. The same list if nothing is different. */
export function* mapItems(
  list: readonly unknown[],
  work: Work,
  change: (value: unknown, index: number) => Changed,
): Steps<readonly unknown[]> {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    if (work.count()) yield;
    const next = change(list[i], i);
    const changed = isSteps(next) ? yield* next : next;
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
