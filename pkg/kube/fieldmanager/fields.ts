import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { firstElements } from './element.js';

/**
 * A set of fields in the form of FieldsV1. Each key is a path element (`f:spec`). A node without keys is a field of the
 * set. A node with keys has fields below it, and is itself a field of the set only if it has the key `.`. Nobody
 * changes a set after it is made.
 */
export interface Fields {
  readonly [element: string]: Fields;
}

export const NO_FIELDS: Fields = Object.freeze({});
const SELF = '.';

export function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

/** Whether a node is itself a field of the set. */
export function isMember(node: Fields | undefined): boolean {
  return node !== undefined && (SELF in node || isEmpty(node));
}

/** The path elements below a node. */
export function elementsOf(node: Fields): readonly string[] {
  return Object.keys(node).filter((element) => element !== SELF);
}

export function below(fields: Fields, element: string): Fields {
  const node = fields[element];
  if (node === undefined) return NO_FIELDS;
  return withoutSelf(node);
}

function withoutSelf(node: Fields): Fields {
  if (!(SELF in node)) return node;
  const rest: Record<string, Fields> = {};
  for (const element in node) if (element !== SELF) rest[element] = node[element] ?? NO_FIELDS;
  return rest;
}

export function union(a: Fields, b: Fields): Fields {
  return runSteps(unionSteps(a, b));
}

/** The same in steps, for sets that may have many thousands of fields. */
export function* unionSteps(a: Fields, b: Fields, work = new Work()): Steps<Fields> {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const result: Record<string, Fields> = { ...a };
  for (const element of elementsOf(b)) {
    if (work.count()) yield;
    const [left, right] = [a[element], b[element]];
    if (right === undefined || left === right) continue;
    if (left === undefined) result[element] = right;
    else if (isEmpty(left) && isEmpty(right)) result[element] = NO_FIELDS;
    else {
      const rest = yield* unionSteps(withoutSelf(left), withoutSelf(right), work);
      result[element] = node(isMember(left) || isMember(right), rest) ?? NO_FIELDS;
    }
  }
  return result;
}

/** The fields that are in both, in steps. */
export function intersectionSteps(a: Fields, b: Fields): Steps<Fields> {
  return combine(a, b, IN_BOTH, new Work());
}

/** The fields of `a` that are not in `b`. As in Kubernetes, a field does not stand for the fields below it. */
export function difference(a: Fields, b: Fields): Fields {
  return runSteps(differenceSteps(a, b));
}

/** The same in steps. */
export function* differenceSteps(a: Fields, b: Fields): Steps<Fields> {
  return isEmpty(b) ? a : yield* combine(a, b, IN_FIRST_ONLY, new Work());
}

/** Which fields of the first of two sets stay. */
interface Combination {
  /** Those that the second set has. */
  readonly keepsShared: boolean;
  /** Those that it does not have. */
  readonly keepsOthers: boolean;
}

const IN_BOTH: Combination = { keepsShared: true, keepsOthers: false };
const IN_FIRST_ONLY: Combination = { keepsShared: false, keepsOthers: true };

function* combine(a: Fields, b: Fields, which: Combination, work: Work): Steps<Fields> {
  const { keepsShared, keepsOthers } = which;
  const result: Record<string, Fields> = {};
  for (const element of elementsOf(a)) {
    if (work.count()) yield;
    const [left, right] = [a[element], b[element]];
    if (left === undefined) continue;
    if (right === undefined) {
      if (keepsOthers) result[element] = left;
      continue;
    }
    if (left === right) {
      if (keepsShared) result[element] = left;
      continue;
    }
    const rest = isEmpty(left) ? left : yield* combine(withoutSelf(left), withoutSelf(right), which, work);
    const next = node(isMember(left) && (isMember(right) ? keepsShared : keepsOthers), rest);
    if (next !== undefined) result[element] = next;
  }
  return result;
}

/**
 * A node that is a field of the set or not, with the fields below it. `undefined` if it would have no fields at all.
 */
export function node(member: boolean, children: Fields): Fields | undefined {
  if (isEmpty(children)) return member ? NO_FIELDS : undefined;
  return member ? { [SELF]: NO_FIELDS, ...children } : children;
}

/** How many fields a set has. Counted in steps. */
export function* countSteps(fields: Fields, work: Work): Steps<number> {
  let count = 0;
  for (const element of elementsOf(fields)) {
    if (work.count()) yield;
    const field = fields[element] ?? NO_FIELDS;
    if (isMember(field)) count++;
    if (!isEmpty(field)) count += yield* countSteps(withoutSelf(field), work);
  }
  return count;
}

/** The paths of the first fields of a set, in steps: first the fields of a node, then those below them. */
export function* firstPaths(
  fields: Fields,
  most: number,
  work: Work,
  prefix: readonly string[] = [],
): Steps<readonly (readonly string[])[]> {
  const elements = elementsOf(fields);
  const members = elements.filter((element) => isMember(fields[element]));
  const first = yield* firstElements(members, most, work);
  const paths: (readonly string[])[] = first.map((element) => [...prefix, element]);
  const nodes = elements.filter((element) => !isEmpty(below(fields, element)));
  for (const element of yield* firstElements(nodes, most, work)) {
    if (paths.length >= most) break;
    paths.push(...(yield* firstPaths(below(fields, element), most - paths.length, work, [...prefix, element])));
  }
  return paths;
}

/** Collects single paths into a set. */
export class FieldsCollector {
  readonly #root = new Collected();

  add(path: readonly string[]): void {
    let at = this.#root;
    for (const element of path) at = at.child(element);
    at.isMember = true;
  }

  fields(work: Work): Steps<Fields> {
    return this.#root.children(work);
  }
}

class Collected {
  isMember = false;
  readonly #children = new Map<string, Collected>();

  child(element: string): Collected {
    const child = this.#children.get(element);
    if (child !== undefined) return child;
    const added = new Collected();
    this.#children.set(element, added);
    return added;
  }

  *children(work: Work): Steps<Fields> {
    if (this.#children.size === 0) return NO_FIELDS;
    const result: Record<string, Fields> = {};
    for (const [element, child] of this.#children) {
      if (work.count()) yield;
      const below = child.#children.size === 0 ? NO_FIELDS : yield* child.children(work);
      const next = node(child.isMember, below);
      if (next !== undefined) result[element] = next;
    }
    return result;
  }
}
