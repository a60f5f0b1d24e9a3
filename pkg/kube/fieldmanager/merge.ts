import { isObject, type Members } from '../../system/object/is-object.js';
import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { elementsOfItems, type ItemsByElement, itemsBy, itemsByElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/**
 * Lays one value over another, in steps. Where both have a value, that of `over` wins; nothing is removed. Throws
 * FieldsError.
 */
export function* merge(under: unknown, over: unknown, type: FieldType, work = new Work()): Steps<unknown> {
  if (over === undefined) return under;
  const form = formOf(type, over);
  if (form === 'map' && type.map !== undefined) return yield* mergeMaps(under, over, type.map, work);
  if (form === 'list' && type.list !== undefined) return yield* mergeLists(under, over, type.list, work);
  return over;
}

const EMPTY: Members = {};

function* mergeMaps(under: unknown, over: unknown, map: MapType, work: Work): Steps<unknown> {
  const [left, right] = [isObject(under) ? under : EMPTY, isObject(over) ? over : EMPTY];
  const names = Object.keys(right);
  if (map.isAtomic || (names.length === 0 && Object.keys(left).length === 0)) return over;
  const result = new Map(Object.entries(left));
  for (const name of names) {
    if (work.count()) yield;
    result.set(name, yield* merge(result.get(name), right[name], memberType(map, name), work));
  }
  return Object.fromEntries(result);
}

function* mergeLists(under: unknown, over: unknown, list: ListType, work: Work): Steps<unknown> {
  const [left, right] = [Array.isArray(under) ? under : [], Array.isArray(over) ? over : []];
  if (list.isAtomic || (left.length === 0 && right.length === 0)) return over;
  const elements = yield* elementsOfItems(list, left, work);
  const inLeft = yield* itemsBy(elements, left, work);
  const inRight = yield* itemsByElement(list, right, work);
  return yield* new ListMerge({ list, left, elements, inLeft, inRight, work }).merged();
}

interface Lists {
  readonly list: ListType;
  readonly left: readonly unknown[];
  /** Those of the items on the left. */
  readonly elements: readonly string[];
  readonly inLeft: ItemsByElement;
  readonly inRight: ItemsByElement;
  readonly work: Work;
}

/**
 * Merges two lists whose items have an identity. The items of the list on the right keep their order. The others stay
 * at their places between them.
 */
class ListMerge {
  readonly #lists: Lists;
  readonly #rightElements: readonly string[];
  readonly #shared: readonly string[];
  readonly #merged = new Set<string>();
  readonly #out: unknown[] = [];
  #nextShared = 0;

  constructor(lists: Lists) {
    this.#lists = lists;
    this.#rightElements = [...lists.inRight.keys()];
    this.#shared = this.#rightElements.filter((element) => lists.inLeft.has(element));
  }

  *merged(): Steps<readonly unknown[]> {
    const { elements, work } = this.#lists;
    let [l, r] = [0, 0];
    while (l < elements.length || r < this.#rightElements.length) {
      if (work.count()) yield;
      [l, r] = yield* this.#step(l, r);
    }
    return this.#out;
  }

  *#step(l: number, r: number): Steps<[number, number]> {
    const { elements, left: items, inRight } = this.#lists;
    const [left, right] = [elements[l], this.#rightElements[r]];
    if (left !== undefined && left === right) {
      yield* this.#takeRight(left);
      this.#nextShared++;
      return [l + 1, r + 1];
    }
    const shared = this.#shared[this.#nextShared];
    if (left !== undefined && right !== undefined && inRight.has(left) && shared !== undefined && shared !== left)
      return [l + 1, r];
    let at = l;
    if (left !== undefined) {
      if (!inRight.has(left)) {
        this.#out.push(items[l]);
        return [l + 1, r];
      }
      if (this.#merged.has(left)) at = l + 1;
    }
    if (right === undefined) return [at, r];
    yield* this.#takeRight(right);
    return [at, r + 1];
  }

  /**
   * Adds an item of the right, laid over the item of the left. If there are several on the left, none of them is used.
   */
  *#takeRight(element: string): Steps<void> {
    const { list, inLeft, inRight, work } = this.#lists;
    this.#merged.add(element);
    const under = inLeft.get(element) ?? [];
    const over = inRight.get(element)?.[0];
    this.#out.push(yield* merge(under.length === 1 ? under[0] : undefined, over, list.element, work));
  }
}
