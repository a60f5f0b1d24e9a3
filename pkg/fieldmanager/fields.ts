/**
 * A set of fields in the form of FieldsV1. Each key is a path element (`f:spec`). A node without keys is a field of the set. A node with keys
 * has fields below it, and is itself a field of the set only if it has the key `.`. Nobody changes a set after it is made.
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
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const result: Record<string, Fields> = { ...a };
  for (const element of elementsOf(b)) {
    const [left, right] = [a[element], b[element]];
    if (right === undefined) continue;
    result[element] = left === undefined ? right : unionOfNodes(left, right);
  }
  return result;
}

function unionOfNodes(a: Fields, b: Fields): Fields {
  return node(isMember(a) || isMember(b), union(withoutSelf(a), withoutSelf(b))) ?? NO_FIELDS;
}

export function intersection(a: Fields, b: Fields): Fields {
  return combine(a, b, (inA, inB) => inA && inB, false);
}

/** The fields of `a` that are not in `b`. As in Kubernetes, a field does not stand for the fields below it. */
export function difference(a: Fields, b: Fields): Fields {
  return isEmpty(b) ? a : combine(a, b, (inA, inB) => inA && !inB, true);
}

function combine(a: Fields, b: Fields, keeps: (inA: boolean, inB: boolean) => boolean, keepsOthers: boolean): Fields {
  const result: Record<string, Fields> = {};
  for (const element of elementsOf(a)) {
    const [left, right] = [a[element], b[element]];
    if (left === undefined) continue;
    if (right === undefined) {
      if (keepsOthers) result[element] = left;
      continue;
    }
    if (left === right) {
      if (!keepsOthers) result[element] = left;
      continue;
    }
    const rest = combine(withoutSelf(left), withoutSelf(right), keeps, keepsOthers);
    const next = node(keeps(isMember(left), isMember(right)), rest);
    if (next !== undefined) result[element] = next;
  }
  return result;
}

/** A node that is a field of the set or not, with the fields below it. `undefined` if it would have no fields at all. */
export function node(member: boolean, children: Fields): Fields | undefined {
  if (isEmpty(children)) return member ? NO_FIELDS : undefined;
  return member ? { [SELF]: NO_FIELDS, ...children } : children;
}

/** Whether all fields of `a` are in `b`. */
export function isWithin(a: Fields, b: Fields): boolean {
  return isEmpty(difference(a, b));
}

/** The paths of all fields of a set: first the fields of a node, then those below them. `order` compares path elements. */
export function* pathsOf(
  fields: Fields,
  order: (a: string, b: string) => number,
  prefix: readonly string[] = [],
): Generator<readonly string[], void, undefined> {
  const elements = elementsOf(fields).toSorted(order);
  for (const element of elements) if (isMember(fields[element])) yield [...prefix, element];
  for (const element of elements) yield* pathsOf(below(fields, element), order, [...prefix, element]);
}

/** Collects single paths into a set. */
export class FieldsCollector {
  readonly #root = new Collected();

  add(path: readonly string[]): void {
    let at = this.#root;
    for (const element of path) at = at.child(element);
    at.isMember = true;
  }

  get fields(): Fields {
    return this.#root.children();
  }
}

class Collected {
  isMember = false;
  readonly #children = new Map<string, Collected>();

  child(element: string): Collected {
    const found = this.#children.get(element);
    if (found !== undefined) return found;
    const added = new Collected();
    this.#children.set(element, added);
    return added;
  }

  children(): Fields {
    const result: Record<string, Fields> = {};
    for (const [element, child] of this.#children) {
      const next = node(child.isMember, child.children());
      if (next !== undefined) result[element] = next;
    }
    return result;
  }
}
