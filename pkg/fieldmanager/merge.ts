import { isObject, type Members } from '../object/is-object.js';
import { elementsOfItems, itemsBy, itemsByElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/** Lays one value over another. Where both have a value, that of `over` wins; nothing is removed. Throws FieldsError. */
export function merge(under: unknown, over: unknown, type: FieldType): unknown {
  if (over === undefined) return under;
  const form = formOf(type, over);
  if (form === 'map' && type.map !== undefined) return mergeMaps(under, over, type.map);
  if (form === 'list' && type.list !== undefined) return mergeLists(under, over, type.list);
  return over;
}

const EMPTY: Members = {};

function mergeMaps(under: unknown, over: unknown, map: MapType): unknown {
  const [left, right] = [isObject(under) ? under : EMPTY, isObject(over) ? over : EMPTY];
  const names = Object.keys(right);
  if (map.isAtomic || (names.length === 0 && Object.keys(left).length === 0)) return over;
  const result = new Map(Object.entries(left));
  for (const name of names) result.set(name, merge(result.get(name), right[name], memberType(map, name)));
  return Object.fromEntries(result);
}

function mergeLists(under: unknown, over: unknown, list: ListType): unknown {
  const [left, right] = [Array.isArray(under) ? under : [], Array.isArray(over) ? over : []];
  if (list.isAtomic || (left.length === 0 && right.length === 0)) return over;
  return new ListMerge(list, left, right).merged();
}

/**
 * Merges two lists whose items have an identity. The items of the list on the right keep their order. The others stay at their places between them.
 */
class ListMerge {
  readonly #list: ListType;
  readonly #left: readonly unknown[];
  readonly #leftElements: readonly string[];
  readonly #rightElements: readonly string[];
  readonly #inLeft: ReadonlyMap<string, readonly unknown[]>;
  readonly #inRight: ReadonlyMap<string, readonly unknown[]>;
  readonly #shared: readonly string[];
  readonly #merged = new Set<string>();
  readonly #out: unknown[] = [];
  #nextShared = 0;

  constructor(list: ListType, left: readonly unknown[], right: readonly unknown[]) {
    this.#list = list;
    this.#left = left;
    this.#leftElements = elementsOfItems(list, left);
    this.#inLeft = itemsBy(this.#leftElements, left);
    this.#inRight = itemsByElement(list, right);
    this.#rightElements = [...this.#inRight.keys()];
    this.#shared = this.#rightElements.filter((element) => this.#inLeft.has(element));
  }

  merged(): readonly unknown[] {
    let [l, r] = [0, 0];
    while (l < this.#leftElements.length || r < this.#rightElements.length) {
      [l, r] = this.#step(l, r);
    }
    return this.#out;
  }

  #step(l: number, r: number): [number, number] {
    const [left, right] = [this.#leftElements[l], this.#rightElements[r]];
    if (left !== undefined && left === right) {
      this.#takeRight(left);
      this.#nextShared++;
      return [l + 1, r + 1];
    }
    const shared = this.#shared[this.#nextShared];
    if (left !== undefined && right !== undefined && this.#inRight.has(left) && shared !== undefined && shared !== left)
      return [l + 1, r];
    let at = l;
    if (left !== undefined) {
      if (!this.#inRight.has(left)) {
        this.#out.push(this.#left[l]);
        return [l + 1, r];
      }
      if (this.#merged.has(left)) at = l + 1;
    }
    if (right === undefined) return [at, r];
    this.#takeRight(right);
    return [at, r + 1];
  }

  /** Adds an item of the right, laid over the item of the left. If there are several on the left, none of them is used. */
  #takeRight(element: string): void {
    this.#merged.add(element);
    const under = this.#inLeft.get(element) ?? [];
    const over = this.#inRight.get(element)?.[0];
    this.#out.push(merge(under.length === 1 ? under[0] : undefined, over, this.#list.element));
  }
}
