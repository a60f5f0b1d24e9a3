import { isSameJson } from '../json/same.js';
import { isObject, type Members } from '../object/is-object.js';
import { own } from '../object/own.js';
import { fieldElement } from './element.js';
import { type Fields, FieldsCollector } from './fields.js';
import { itemsByElement } from './items.js';
import { type FieldType, formOf, type ListType, type MapType, memberType } from './type.js';

/** The fields in which two values differ. */
export interface Comparison {
  readonly added: Fields;
  readonly modified: Fields;
  readonly removed: Fields;
}

/** Compares two values of a type. Throws FieldsError if an item of a list cannot be identified. */
export function compare(old: unknown, next: unknown, type: FieldType): Comparison {
  const walk = new Comparing();
  walk.compare([], old, next, type);
  return { added: walk.added.fields, modified: walk.modified.fields, removed: walk.removed.fields };
}

type Path = readonly string[];

class Comparing {
  readonly added = new FieldsCollector();
  readonly modified = new FieldsCollector();
  readonly removed = new FieldsCollector();

  compare(path: Path, old: unknown, next: unknown, type: FieldType): void {
    if (old === next) return;
    if (old === undefined) this.added.add(path);
    else if (next === undefined) this.removed.add(path);
    const [before, after] = [formOf(type, old), formOf(type, next)];
    this.#as(before, path, old, next, type);
    if (after !== before) this.#as(after, path, old, next, type);
  }

  #as(form: ReturnType<typeof formOf>, path: Path, old: unknown, next: unknown, type: FieldType): void {
    if (form === 'map' && type.map !== undefined) this.#maps(path, old, next, type.map);
    else if (form === 'list' && type.list !== undefined) this.#lists(path, old, next, type.list);
    else this.#leaf(path, old, next);
  }

  /** Compares two values as a whole. */
  #leaf(path: Path, old: unknown, next: unknown): void {
    if (old !== undefined && next !== undefined && !isSameJson(old, next)) this.modified.add(path);
  }

  #maps(path: Path, old: unknown, next: unknown, map: MapType): void {
    const [left, right] = [isObject(old) ? old : EMPTY, isObject(next) ? next : EMPTY];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    if (map.isAtomic || names.size === 0) {
      this.#leaf(path, old, next);
      return;
    }
    for (const name of names) {
      this.compare([...path, fieldElement(name)], own(left, name), own(right, name), memberType(map, name));
    }
  }

  #lists(path: Path, old: unknown, next: unknown, list: ListType): void {
    const [left, right] = [Array.isArray(old) ? old : [], Array.isArray(next) ? next : []];
    if (list.isAtomic || (left.length === 0 && right.length === 0)) {
      this.#leaf(path, old, next);
      return;
    }
    const [before, after] = [itemsByElement(list, left), itemsByElement(list, right)];
    for (const element of new Set([...before.keys(), ...after.keys()])) {
      this.#items([...path, element], before.get(element) ?? [], after.get(element) ?? [], list.element);
    }
  }

  /** As in Kubernetes, items that are twice in a list are compared as a whole. */
  #items(path: Path, old: readonly unknown[], next: readonly unknown[], type: FieldType): void {
    const [wasTwice, isTwice] = [old.length > 1, next.length > 1];
    if (wasTwice && isTwice) {
      this.#leaf(path, old, next);
      return;
    }
    this.compare(path, wasTwice ? undefined : old[0], isTwice ? undefined : next[0], type);
    if (wasTwice) this.removed.add(path);
    if (isTwice) this.added.add(path);
  }
}

const EMPTY: Members = {};
