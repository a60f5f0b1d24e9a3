import { isObject, type Members } from '../../system/object/is-object.js';
import { runSteps, type Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { fieldElement } from './element.js';
import { type Fields, NO_FIELDS, node } from './fields.js';
import { itemsByElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/** The fields that a value has: its leaves, the items of its lists, and members that the schema does not name. */
export function fieldsOf(value: unknown, type: FieldType): Fields {
  return runSteps(fieldsSteps(value, type));
}

/** The same in steps. */
export function fieldsSteps(value: unknown, type: FieldType): Steps<Fields> {
  return fieldsIn(value, type, new Work());
}

/** The fields below a value. A leaf has none. */
function* fieldsIn(value: unknown, type: FieldType, work: Work): Steps<Fields> {
  if (isLeaf(value, type)) return NO_FIELDS;
  if (isObject(value)) return type.map === undefined ? NO_FIELDS : yield* membersOf(value, type.map, work);
  return Array.isArray(value) && type.list !== undefined ? yield* itemsOf(value, type.list, work) : NO_FIELDS;
}

/** Whether a value is a field as a whole. */
function isLeaf(value: unknown, type: FieldType): boolean {
  const form = formOf(type, value);
  if (form === 'scalar') return true;
  return (form === 'map' ? type.map : type.list)?.isAtomic === true;
}

function* membersOf(value: Members, map: MapType, work: Work): Steps<Fields> {
  const result: Record<string, Fields> = {};
  for (const name of Object.keys(value)) {
    if (work.count()) yield;
    const member = value[name];
    if (member === undefined) continue;
    const type = memberType(map, name);
    const isBare = member === null || (isObject(member) && Object.keys(member).length === 0);
    const isField = isBare || !map.fields.has(name) || isLeaf(member, type);
    const next = node(isField, typeof member === 'object' ? yield* fieldsIn(member, type, work) : NO_FIELDS);
    if (next !== undefined) result[fieldElement(name)] = next;
  }
  return result;
}

function* itemsOf(value: readonly unknown[], list: ListType, work: Work): Steps<Fields> {
  const result: Record<string, Fields> = {};
  for (const [element, [item, ...more]] of yield* itemsByElement(list, value, work)) {
    if (work.count()) yield;
    const isDeep = more.length === 0 && typeof item === 'object';
    result[element] = (isDeep ? node(true, yield* fieldsIn(item, list.element, work)) : undefined) ?? NO_FIELDS;
  }
  return result;
}
