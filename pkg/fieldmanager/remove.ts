import { isObject, type Members } from '../object/is-object.js';
import { FieldsError, fieldElement, isKeyed, memberName, pathText } from './element.js';
import { below, elementsOf, type Fields, isEmpty, isMember, node } from './fields.js';
import { itemElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/** The value without some of its members and items. An object or list of which nothing is left is null, as in Kubernetes. */
export function remove(value: unknown, fields: Fields, type: FieldType): unknown {
  const form = formOf(type, value);
  if (form === 'map' && type.map !== undefined) return fromMap(value, fields, type.map);
  if (form === 'list' && type.list !== undefined) return fromList(value, fields, type.list);
  return value;
}

function fromMap(value: unknown, fields: Fields, map: MapType): unknown {
  if (!isObject(value) || map.isAtomic) return null;
  const kept = Object.entries(value).filter(([name]) => !isMember(fields[fieldElement(name)]));
  if (kept.length === 0) return null;
  return Object.fromEntries(
    kept.map(([name, member]) => [name, without(member, below(fields, fieldElement(name)), memberType(map, name))]),
  );
}

function fromList(value: unknown, fields: Fields, list: ListType): unknown {
  if (!Array.isArray(value) || list.isAtomic) return null;
  const kept = value
    .map((item) => [item, itemElement(list, item)] as const)
    .filter(([, element]) => !isMember(fields[element]))
    .map(([item, element]) => without(item, below(fields, element), list.element));
  return kept.length === 0 ? null : kept;
}

function without(value: unknown, fields: Fields, type: FieldType): unknown {
  return isEmpty(fields) ? value : remove(value, fields, type);
}

/** The set with every declared member that has fields below it. Otherwise removing all of them would leave an empty object behind. */
export function withNamedMembers(fields: Fields, type: FieldType): Fields {
  const result: Record<string, Fields> = {};
  for (const element of elementsOf(fields)) {
    const name = memberName(element);
    const isNamed = name !== undefined && type.map?.fields.has(name) === true;
    const inside = withNamedMembers(below(fields, element), typeBelow(type, element, name));
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
 * The value without members that no schema declares, and the paths of those members. Throws FieldsError if an item of a list cannot be
 * identified, or is there twice, and for a value that is no object or list where the schema has one. Otherwise a merge would ignore the value.
 */
export function withoutUndeclared(value: unknown, type: FieldType): Declared {
  const undeclared: Path[] = [];
  const declared = declaredOf(value, type, [], undeclared);
  return { value: declared, undeclared: undeclared.map(pathText) };
}

export interface Declared {
  readonly value: unknown;
  readonly undeclared: readonly string[];
}

type Path = readonly string[];

function declaredOf(value: unknown, type: FieldType, path: Path, undeclared: Path[]): unknown {
  const { map, list } = type;
  if (map !== undefined && isObject(value)) return ofMap(value, map, path, undeclared);
  if (list === undefined || !Array.isArray(value)) {
    checkForm(value, type, path);
    return value;
  }
  const seen = new Set<string>();
  return value.map((item, i) => {
    const element = list.isAtomic ? `i:${i}` : itemElement(list, item);
    const at = [...path, element];
    if (seen.has(element)) throw new FieldsError(`duplicate entries for key ${pathText(at)}`);
    seen.add(element);
    return declaredOf(item, list.element, at, undeclared);
  });
}

/** A scalar of the wrong type is left to the schema of the kind. It stays in the object, so the schema sees it. As in Kubernetes, null has any form. */
function checkForm(value: unknown, { isScalar, map, list }: FieldType, path: Path): void {
  if (isScalar === true || value === null || value === undefined) return;
  const expected = map !== undefined ? 'map' : list !== undefined ? 'list' : undefined;
  if (expected === undefined) return;
  const found = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value;
  throw new FieldsError(`${pathText(path).slice(0, 300)}: expected ${expected}, got ${found}`);
}

function ofMap(value: Members, map: MapType, path: Path, undeclared: Path[]): Members {
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const type = map.fields.get(name)?.type ?? map.element;
    const at = [...path, fieldElement(name)];
    if (type !== undefined) return [[name, declaredOf(member, type, at, undeclared)]];
    undeclared.push(at);
    return [];
  });
  return Object.fromEntries(entries);
}
