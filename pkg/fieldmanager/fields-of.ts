import { isObject, type Members } from '../object/is-object.js';
import { fieldElement } from './element.js';
import { type Fields, NO_FIELDS, node } from './fields.js';
import { itemsByElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/** The fields that a value has: its leaves, the items of its lists, and members that the schema does not name. */
export function fieldsOf(value: unknown, type: FieldType): Fields {
  return shapeOf(value, type).below;
}

/** Whether a value is a leaf by itself, and the fields below it. */
interface Shape {
  readonly isLeaf: boolean;
  readonly below: Fields;
}

const LEAF: Shape = { isLeaf: true, below: NO_FIELDS };
const NOTHING: Shape = { isLeaf: false, below: NO_FIELDS };

function shapeOf(value: unknown, type: FieldType): Shape {
  const form = formOf(type, value);
  if (form === 'scalar') return LEAF;
  if (form === 'map' && type.map !== undefined) return shapeOfMap(value, type.map);
  return type.list === undefined ? NOTHING : shapeOfList(value, type.list);
}

function shapeOfMap(value: unknown, map: MapType): Shape {
  if (map.isAtomic) return LEAF;
  return isObject(value) ? { isLeaf: false, below: membersOf(value, map) } : NOTHING;
}

function membersOf(value: Members, map: MapType): Fields {
  const result: Record<string, Fields> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const shape = shapeOf(member, memberType(map, name));
    const isBare = member === null || (isObject(member) && Object.keys(member).length === 0);
    const next = node(shape.isLeaf || isBare || !map.fields.has(name), shape.below);
    if (next !== undefined) result[fieldElement(name)] = next;
  }
  return result;
}

function shapeOfList(value: unknown, list: ListType): Shape {
  if (list.isAtomic) return LEAF;
  if (!Array.isArray(value)) return NOTHING;
  const result: Record<string, Fields> = {};
  for (const [element, [item, ...more]] of itemsByElement(list, value)) {
    const next = more.length > 0 ? NO_FIELDS : node(true, shapeOf(item, list.element).below);
    result[element] = next ?? NO_FIELDS;
  }
  return { isLeaf: false, below: result };
}
