import type { StatusCause } from '../../../../pkg/kube/status/status.js';
import { forbidden, required } from '../../../../pkg/kube/structural/cause.js';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { hasDefault, itemSchema, propertyOf } from '../../../../pkg/kube/structural/schema-parts.js';
import { asJson, invalid, notSupported } from './field-error.js';
import type { Causes } from './steps.js';
import type { Tolerance } from './tolerance.js';

const LIST = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';
const MAP = 'x-kubernetes-map-type';
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

/** Checks what the schema says about lists and maps, such as the keys that identify their items. */
export function checkLists(schema: JsonSchema, path: string, tolerance: Tolerance, causes: Causes): void {
  if (schema[PRESERVE] === false)
    causes.add(invalid(`${path}.${PRESERVE}`, asJson(false), 'must be true or undefined'));
  checkMapType(schema, path, causes);
  const listType = schema[LIST] ?? undefined;
  if (listType !== undefined && schema.type !== 'array') {
    causes.add(wrongType(schema, path, `must be array if ${LIST} is specified`));
  } else if (tolerance.requiresAtomicSets && listType === 'set') {
    causes.add(...setCauses(schema, path));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    causes.add(notSupported(`${path}.${LIST}`, listType, ['atomic', 'set', 'map']));
  }
  const hasKeys = (schema[KEYS]?.length ?? 0) > 0;
  if (hasKeys && listType !== 'map') {
    const why = `must be map if ${KEYS} is non-empty`;
    causes.add(listType === undefined ? required(`${path}.${LIST}`, why) : invalid(`${path}.${LIST}`, listType, why));
  }
  if (listType === 'map') checkMapList(schema, path, causes);
  if (tolerance.requiresListKeys) causes.add(...listKeyCauses(schema, path));
}

function wrongType({ type = '' }: JsonSchema, path: string, why: string): StatusCause {
  return type === '' ? required(`${path}.type`, why) : invalid(`${path}.type`, type, why);
}

function checkMapType(schema: JsonSchema, path: string, causes: Causes): void {
  const mapType = schema[MAP] ?? undefined;
  if (mapType === undefined) return;
  if (schema.type !== 'object') causes.add(wrongType(schema, path, `must be object if ${MAP} is specified`));
  if (mapType === 'atomic' || mapType === 'granular') return;
  causes.add(notSupported(`${path}.${MAP}`, mapType, ['atomic', 'granular']));
}

/** Items of sets must be values that are compared as a whole. */
export function setCauses(schema: JsonSchema, path: string): readonly StatusCause[] {
  const item = itemSchema(schema);
  if (schema[LIST] !== 'set' || item === undefined) return [];
  const why = `must be atomic as item of a list with ${LIST}=set`;
  const itemListType = item[LIST] ?? undefined;
  // As in Kubernetes, both errors print the type of the list.
  if (item.type === 'array' && itemListType !== undefined && itemListType !== 'atomic') {
    return [invalid(`${path}.items.${LIST}`, asJson(itemListType), why)];
  }
  if (item.type === 'object' && item[MAP] !== 'atomic') {
    return [invalid(`${path}.items.${MAP}`, asJson(itemListType), why)];
  }
  return [];
}

function checkMapList(schema: JsonSchema, path: string, causes: Causes): void {
  const keys = schema[KEYS] ?? [];
  const item = itemSchema(schema);
  if (keys.length === 0) causes.add(required(`${path}.${KEYS}`, `must not be empty if ${LIST} is map`));
  if (schema.items == null) {
    causes.add(required(`${path}.items`, `must have a schema if ${LIST} is map`));
  } else if (item === undefined) {
    causes.add(invalid(`${path}.items`, { printed: '[…]' }, `must only have a single schema if ${LIST} is map`));
  } else if (item.type !== 'object') {
    const why = `must be object if parent array's ${LIST} is map`;
    causes.add(invalid(`${path}.items.type`, item.type ?? '', why));
  } else {
    checkKeys(item, keys, path, causes);
  }
}

function checkKeys(item: JsonSchema, keys: readonly string[], path: string, causes: Causes): void {
  const seen = new Set<string>();
  // Printed once, because there can be many keys.
  const all = asJson(keys);
  for (const key of keys) {
    const property = propertyOf(item, key);
    if (property === undefined) {
      causes.add(invalid(`${path}.${KEYS}`, all, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const why = `must be a scalar type if parent array's ${LIST} is map`;
      causes.add(invalid(`${path}.items.properties[${key}].type`, item.type ?? '', why));
    }
    if (seen.has(key)) causes.add(invalid(`${path}.${KEYS}`, all, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

/** Checks that items of maps and sets cannot be null, and that items of maps have their keys. */
export function listKeyCauses(schema: JsonSchema, path: string): readonly StatusCause[] {
  const item = itemSchema(schema);
  const listType = schema[LIST];
  if (item === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const causes: StatusCause[] = [];
  if (item.nullable === true) {
    causes.push(forbidden(`${path}.items.nullable`, `cannot be nullable when ${LIST} is ${listType}`));
  }
  if (listType === 'set') return causes;
  const needed = new Set(item.required ?? []);
  for (const key of schema[KEYS] ?? []) {
    const property = propertyOf(item, key);
    if (property === undefined) continue;
    const keyPath = `${path}.items.properties[${key}]`;
    const why = `this property is in ${KEYS}, so it`;
    if (!needed.has(key) && !hasDefault(property)) {
      causes.push(required(`${keyPath}.default`, `${why} must have a default or be a required property`));
    }
    if (property.nullable === true) causes.push(forbidden(`${keyPath}.nullable`, `${why} cannot be nullable`));
  }
  return causes;
}
