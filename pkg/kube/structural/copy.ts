import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import type { Work } from '../../system/yielding/work.js';

/**
 * Copies of JSON objects with other members. They are made only if something is different, and keep a member
 * `__proto__` a member.
 */

/**
 * A value, or what is still to do for it. Most values are there before the work has to pause, and steps cost more than
 * a copy.
 */
export type Changed<Value = unknown> = Value | Paused<Value>;

/** Work that has to pause. A JSON value is none. */
class Paused<Value> {
  readonly steps: Steps<Value>;

  constructor(steps: Steps<Value>) {
    this.steps = steps;
  }
}

/** The value, with all pauses. */
export function* result<Value>(changed: Changed<Value>): Steps<Value> {
  return changed instanceof Paused ? yield* changed.steps : changed;
}

/** The value, without a pause. */
export function atOnce<Value>(changed: Changed<Value>): Value {
  return changed instanceof Paused ? runSteps(changed.steps) : changed;
}

/** What `next` makes of the value: at once, if it is there. */
export function after<Value, Next>(changed: Changed<Value>, next: (value: Value) => Changed<Next>): Changed<Next> {
  return changed instanceof Paused ? new Paused(stepsAfter(changed.steps, next)) : next(changed);
}

function* stepsAfter<Value, Next>(steps: Steps<Value>, next: (value: Value) => Changed<Next>): Steps<Next> {
  return yield* result(next(yield* steps));
}

type MapValue<Key> = (value: unknown, key: Key) => Changed;

/**
 * The object with the members that `change` returns; undefined removes one. The same object if nothing is different.
 */
export function mapMembers(object: Members, work: Work, change: MapValue<string>): Changed<Members> {
  const names = Object.keys(object);
  let kept: Entries;
  for (let i = 0; i < names.length; i++) {
    if (work.count()) return new Paused(otherMembers(object, { names, kept, from: i }, work, change));
    const name = names[i] ?? '';
    const changed = change(object[name], name);
    if (changed instanceof Paused)
      return new Paused(otherMembers(object, { names, kept, from: i, changed }, work, change));
    if (kept !== undefined || changed !== object[name]) kept = withMember(object, names, kept, i, changed);
  }
  return kept === undefined ? object : Object.fromEntries(kept);
}

/** The members that a copy keeps. Undefined while nothing is different. */
type Entries = [string, unknown][] | undefined;

function withMember(object: Members, names: readonly string[], kept: Entries, at: number, changed: unknown): Entries {
  const entries = kept ?? names.slice(0, at).map((name): [string, unknown] => [name, object[name]]);
  if (changed !== undefined) entries.push([names[at] ?? '', changed]);
  return entries;
}

/** Where a copy pauses: before an item, or in one whose change has begun. */
interface Pause {
  readonly from: number;
  readonly changed?: Changed;
}

function* otherMembers(
  object: Members,
  { names, kept: before, from, changed: begun }: Pause & { readonly names: readonly string[]; readonly kept: Entries },
  work: Work,
  change: MapValue<string>,
): Steps<Members> {
  if (begun === undefined) yield;
  let kept = before;
  for (let i = from; i < names.length; i++) {
    if (i > from && work.count()) yield;
    const name = names[i] ?? '';
    const changed = yield* result(i === from && begun !== undefined ? begun : change(object[name], name));
    if (kept !== undefined || changed !== object[name]) kept = withMember(object, names, kept, i, changed);
  }
  return kept === undefined ? object : Object.fromEntries(kept);
}

/** The list with the items that `change` returns. The same list if nothing is different. */
export function mapItems(list: readonly unknown[], work: Work, change: MapValue<number>): Changed<readonly unknown[]> {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    if (work.count()) return new Paused(otherItems(list, { copy, from: i }, work, change));
    const changed = change(list[i], i);
    if (changed instanceof Paused) return new Paused(otherItems(list, { copy, from: i, changed }, work, change));
    if (changed === list[i]) continue;
    copy ??= [...list];
    copy[i] = changed;
  }
  return copy ?? list;
}

function* otherItems(
  list: readonly unknown[],
  { copy: before, from, changed: begun }: Pause & { readonly copy: unknown[] | undefined },
  work: Work,
  change: MapValue<number>,
): Steps<readonly unknown[]> {
  if (begun === undefined) yield;
  let copy = before;
  for (let i = from; i < list.length; i++) {
    if (i > from && work.count()) yield;
    const changed = yield* result(i === from && begun !== undefined ? begun : change(list[i], i));
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
