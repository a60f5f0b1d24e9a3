import { isObject, type Members } from '../../system/object/is-object.js';
import { own } from '../../system/object/own.js';
import { isSameJson } from './same.js';

/**
 * A value that differs between two documents. `from` is absent for a value that is new, and `to` for one that is gone.
 */
export interface Difference {
  readonly path: readonly string[];
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * The values in which two documents differ: objects are compared member by member, everything else as a whole. `most`
 * differences at most are returned, in the order of the documents.
 */
export function differences(from: unknown, to: unknown, most = Number.POSITIVE_INFINITY): readonly Difference[] {
  const found: Difference[] = [];
  collect([], from, to, found, most);
  return found;
}

function collect(path: readonly string[], from: unknown, to: unknown, found: Difference[], most: number): void {
  if (found.length >= most || from === to) return;
  const [before, after] = [membersOf(from), membersOf(to)];
  if (before === undefined && after === undefined) {
    if (!isSameJson(from, to)) found.push(differenceAt(path, from, to));
    return;
  }
  if ((before === undefined && from !== undefined) || (after === undefined && to !== undefined)) {
    found.push(differenceAt(path, from, to));
    return;
  }
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    collect([...path, name], own(before, name), own(after, name), found, most);
  }
}

/** The members of an object that has some. An empty object is a value of its own. */
function membersOf(value: unknown): Members | undefined {
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

function differenceAt(path: readonly string[], from: unknown, to: unknown): Difference {
  return { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
