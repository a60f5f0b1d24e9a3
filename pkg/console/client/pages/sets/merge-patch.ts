import { isObject } from '../../../../system/object/is-object.js';

type Path = readonly (string | number)[];

/** A field as it shall be, and as it is now. `undefined` if it is absent. */
export interface Replacement {
  readonly path: Path;
  readonly applied: unknown;
  readonly now: unknown;
}

/** The merge patch that leaves exactly `wanted` in place of `now`. It removes the members that are only in `now`. */
export function replacing(wanted: unknown, now: unknown): unknown {
  if (!isObject(wanted) || !isObject(now)) return wanted ?? null;
  const added = Object.keys(now).filter((name) => !Object.hasOwn(wanted, name));
  return Object.fromEntries([
    ...added.map((name) => [name, null]),
    ...Object.entries(wanted).map(([name, value]) => [name, replacing(value, now[name])]),
  ]);
}

/** The merge patch that replaces fields of an object, if it still has this version. */
export function patchOf(fields: readonly Replacement[], resourceVersion: string | undefined): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const { path, applied, now } of fields) setAt(patch, path, replacing(applied, now));
  if (resourceVersion !== undefined) setAt(patch, ['metadata', 'resourceVersion'], resourceVersion);
  return patch;
}

function setAt(object: Record<string, unknown>, path: Path, value: unknown): void {
  const [name, ...rest] = path.map(String);
  if (name === undefined) return;
  if (rest.length === 0) object[name] = value;
  else {
    const inside = (object[name] ?? {}) as Record<string, unknown>;
    object[name] = inside;
    setAt(inside, rest, value);
  }
}
