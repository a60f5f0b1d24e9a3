import { isObject, type Members } from '../../system/object/is-object.js';
import { own } from '../../system/object/own.js';
import type { Steps } from '../../system/yielding/steps.js';
import { Work } from '../../system/yielding/work.js';
import { sameSteps } from '../json/same.js';
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

/** Compares two values of a type, in steps. Throws FieldsError if an item of a list cannot be identified. */
export function* compare(old: unknown, next: unknown, type: FieldType): Steps<Comparison> {
  const work = new Work();
  const walk = new Comparing(work);
  yield* walk.compare(old, next, type);
  const added = yield* walk.added.fields(work);
  const modified = yield* walk.modified.fields(work);
  return { added, modified, removed: yield* walk.removed.fields(work) };
}

class Comparing {
  readonly added = new FieldsCollector();
  readonly modified = new FieldsCollector();
  readonly removed = new FieldsCollector();
  readonly #work: Work;
  /** Of the values that are compared. */
  readonly #path: string[] = [];

  constructor(work: Work) {
    this.#work = work;
  }

  *compare(old: unknown, next: unknown, type: FieldType): Steps<void> {
    if (old === next) return;
    if (old === undefined) this.added.add(this.#path);
    else if (next === undefined) this.removed.add(this.#path);
    const [before, after] = [formOf(type, old), formOf(type, next)];
    yield* this.#as(before, old, next, type);
    if (after !== before) yield* this.#as(after, old, next, type);
  }

  *#as(form: ReturnType<typeof formOf>, old: unknown, next: unknown, type: FieldType): Steps<void> {
    if (form === 'map' && type.map !== undefined) yield* this.#maps(old, next, type.map);
    else if (form === 'list' && type.list !== undefined) yield* this.#lists(old, next, type.list);
    else yield* this.#leaf(old, next);
  }

  /** Compares two values as a whole. */
  *#leaf(old: unknown, next: unknown): Steps<void> {
    if (old === undefined || next === undefined) return;
    if (!(yield* sameSteps(old, next, this.#work))) this.modified.add(this.#path);
  }

  *#maps(old: unknown, next: unknown, map: MapType): Steps<void> {
    const [left, right] = [isObject(old) ? old : EMPTY, isObject(next) ? next : EMPTY];
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    if (map.isAtomic || names.size === 0) {
      yield* this.#leaf(old, next);
      return;
    }
    for (const name of names) {
      if (this.#work.count()) yield;
      const [before, after] = [own(left, name), own(right, name)];
      if (before === after) continue;
      this.#path.push(fieldElement(name));
      yield* this.compare(before, after, memberType(map, name));
      this.#path.pop();
    }
  }

  *#lists(old: unknown, next: unknown, list: ListType): Steps<void> {
    const [left, right] = [Array.isArray(old) ? old : [], Array.isArray(next) ? next : []];
    if (list.isAtomic || (left.length === 0 && right.length === 0)) {
      yield* this.#leaf(old, next);
      return;
    }
    const before = yield* itemsByElement(list, left, this.#work);
    const after = yield* itemsByElement(list, right, this.#work);
    for (const element of new Set([...before.keys(), ...after.keys()])) {
      if (this.#work.count()) yield;
      this.#path.push(element);
      yield* this.#items(before.get(element) ?? [], after.get(element) ?? [], list.element);
      this.#path.pop();
    }
  }

  /** As in Kubernetes, items that are twice in a list are compared as a whole. */
  *#items(old: readonly unknown[], next: readonly unknown[], type: FieldType): Steps<void> {
    const [wasTwice, isTwice] = [old.length > 1, next.length > 1];
    if (wasTwice && isTwice) {
      yield* this.#leaf(old, next);
      return;
    }
    yield* this.compare(wasTwice ? undefined : old[0], isTwice ? undefined : next[0], type);
    if (wasTwice) this.removed.add(this.#path);
    if (isTwice) this.added.add(this.#path);
  }
}

const EMPTY: Members = {};
