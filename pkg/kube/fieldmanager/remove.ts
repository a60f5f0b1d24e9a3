import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { FieldsError, fieldElement, isKeyed, memberName, pathText } from './element.js';
import { below, elementsOf, type Fields, isEmpty, isMember, node } from './fields.js';
import { itemElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/**
 * The value without some of its members and items, in steps. An object or list of which nothing is left is null, as in
 * Kubernetes.
 */
export function* remove(value: unknown, fields: Fields, type: FieldType, work = new Work()): Steps<unknown> {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined) return yield* fromMap(value, fields, type.map, work);
  if (form === 'list' && type.list !== undefined) return yield* fromList(value, fields, type.list, work);
  return value;
}

function* fromMap(value: unknown, fields: Fields, map: MapType, work: Work): Steps<unknown> {
  if (!isObject(value) || map.isAtomic) return null;
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (work.count()) yield;
    const member = value[name];
    const element = fieldElement(name);
    if (isMember(fields[element])) continue;
    kept.push([name, yield* without(member, below(fields, element), memberType(map, name), work)]);
  }
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function* fromList(value: unknown, fields: Fields, list: ListType, work: Work): Steps<unknown> {
  if (!Array.isArray(value) || list.isAtomic) return null;
  const kept: unknown[] = [];
  for (const item of value) {
    if (work.count()) yield;
    const element = itemElement(list, item);
    if (!isMember(fields[element])) kept.push(yield* without(item, below(fields, element), list.element, work));
  }
  return kept.length === 0 ? null : kept;
}

function* without(value: unknown, fields: Fields, type: FieldType, work: Work): Steps<unknown> {
  return isEmpty(fields) ? value : yield* remove(value, fields, type, work);
}

/**
 * The set with every declared member that has fields below it, in steps. Otherwise removing all of them would leave an
 * empty object behind.
 */
export function* withNamedMembers(fields: Fields, type: FieldType, work = new Work()): Steps<Fields> {
  const result: Record<string, Fields> = {};
  for (const element of elementsOf(fields)) {
    if (work.count()) yield;
    const name = memberName(element);
    const isNamed = name !== undefined && type.map?.fields.has(name) === true;
    const rest = below(fields, element);
    const inside = isEmpty(rest) ? rest : yield* withNamedMembers(rest, typeBelow(type, element, name), work);
    const next = node(isNamed || isMember(fields[element]), inside);
    if (next !== undefined) result[element] = next;
  }
  return result;
}

const UNKNOWN: FieldType = {};

function typeBelow({ map, list }: FieldType, element: string, name: string | undefined): FieldType {
  if (name !== undefined && map !== undefined) return map.fields.get(name)?.type ?? map.element ?? UNKNOWN;
  return isKeyed(element) && list !== undefined ? list.element : UNKNOWN;
}

/**
 * The value without members that no schema declares, and the paths of those members. Throws FieldsError if an item of a
 * list cannot be identified, or is there twice, and for a value that is no object or list where the schema has one.
 * Otherwise a merge would ignore the value.
 */
export function withoutUndeclared(value: unknown, type: FieldType): Declared {
  return runSteps(declaredSteps(value, type));
}

/** The same in steps. */
export function* declaredSteps(value: unknown, type: FieldType): Steps<Declared> {
  const walk: Walk = { path: [], undeclared: [], work: new Work() };
  const declared = yield* declaredOf(value, type, walk);
  return { value: declared, undeclared: walk.undeclared.map(pathText) };
}

export interface Declared {
  readonly value: unknown;
  readonly undeclared: readonly string[];
}

type Path = readonly string[];

interface Walk {
  /** Of the value that is visited. */
  readonly path: string[];
  readonly undeclared: Path[];
  readonly work: Work;
}

function* declaredOf(value: unknown, type: FieldType, walk: Walk): Steps<unknown> {
  const { map, list } = type;
  if (map !== undefined && isObject(value)) return yield* ofMap(value, map, walk);
  if (list !== undefined && Array.isArray(value)) return yield* ofList(value, list, walk);
  checkForm(value, type, walk.path);
  return value;
}

function* ofList(value: readonly unknown[], list: ListType, walk: Walk): Steps<readonly unknown[]> {
  const { path } = walk;
  const seen = new Set<string>();
  const items: unknown[] = [];
  for (const [i, item] of value.entries()) {
    if (walk.work.count()) yield;
    const element = list.isAtomic ? `i:${i}` : itemElement(list, item);
    path.push(element);
    if (seen.has(element)) throw new FieldsError(`duplicate entries for key ${pathText(path)}`);
    seen.add(element);
    items.push(yield* declaredOf(item, list.element, walk));
    path.pop();
  }
  return items;
}

/**
 * A scalar of the wrong type is left to the schema of the kind. It stays in the object, so the schema sees it. As in
 * Kubernetes, null has any form.
 */
function checkForm(value: unknown, { isScalar, map, list }: FieldType, path: Path): void {
  if (isScalar === true || value === null || value === undefined) return;
  const expected = map !== undefined ? 'map' : list !== undefined ? 'list' : undefined;
  if (expected === undefined) return;
  const found = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value;
  throw new FieldsError(`${pathText(path).slice(0, 300)}: expected ${expected}, got ${found}`);
}

function* ofMap(value: Members, map: MapType, walk: Walk): Steps<Members> {
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (walk.work.count()) yield;
    const member = value[name];
    const type = map.fields.get(name)?.type ?? map.element;
    walk.path.push(fieldElement(name));
    if (type === undefined) walk.undeclared.push([...walk.path]);
    else entries.push([name, yield* declaredOf(member, type, walk)]);
    walk.path.pop();
  }
  return Object.fromEntries(entries);
}
