import { isObject } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import type { Work } from '../../system/yielding/work.js';
import { FieldsError, keyElement, soleKeyElement, valueElement } from './element.js';
import type { ListType } from './type.js';

/** The path element of an item of a list that is not atomic. Throws FieldsError. */
export function itemElement(list: ListType, item: unknown): string {
  return list.keys.length === 0 ? setElement(item) : keyedElement(list, item);
}

function setElement(item: unknown): string {
  if (item !== null && typeof item !== 'object') return valueElement(item);
  throw new FieldsError('the items of a set must be texts, numbers or booleans');
}

function keyedElement({ keys, element }: ListType, item: unknown): string {
  if (!isObject(item)) throw new FieldsError(`the items of a list with the keys ${keys.join(', ')} must be objects`);
  const found: Record<string, unknown> = {};
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : element.map?.fields.get(key)?.default;
    if (value === undefined) continue;
    if (keys.length === 1) return soleKeyElement(key, value);
    found[key] = value;
  }
  if (Object.keys(found).length > 0) return keyElement(found);
  throw new FieldsError(`an item has none of the keys ${keys.join(', ')}`);
}

/**
 * The items of a list by path element, in the order in which they first appear. Several items may have the same path
 * element.
 */
export function* itemsByElement(list: ListType, items: readonly unknown[], work: Work): Steps<ItemsByElement> {
  return yield* itemsBy(yield* elementsOfItems(list, items, work), items, work);
}

export type ItemsByElement = ReadonlyMap<string, readonly unknown[]>;

export function* elementsOfItems(list: ListType, items: readonly unknown[], work: Work): Steps<readonly string[]> {
  const elements: string[] = [];
  for (const item of items) {
    if (work.count()) yield;
    elements.push(itemElement(list, item));
  }
  return elements;
}

/** The items of a list by path element. The elements are those of the items. */
export function* itemsBy(elements: readonly string[], items: readonly unknown[], work: Work): Steps<ItemsByElement> {
  const results = new Map<string, unknown[]>();
  for (const [i, element] of elements.entries()) {
    if (work.count()) yield;
    const item = items[i];
    const same = results.get(element);
    if (same === undefined) results.set(element, [item]);
    else same.push(item);
  }
  return results;
}
