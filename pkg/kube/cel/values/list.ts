import { List, type Value } from './value.js';

/** The list of the values, which it does not copy. */
export function listOf(values: readonly Value[]): List {
  return new List(values.length, (index) => values[index] as Value);
}

/** Both lists, without a copy: it takes no time. */
export function concatenated(a: List, b: List): List {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  return new List(a.size + b.size, (index) => (index < a.size ? a.get(index) : b.get(index - a.size)));
}

export function valuesOf(list: List): readonly Value[] {
  return Array.from({ length: list.size }, (_, i) => list.get(i));
}

/** A list that a loop fills. */
export class GrowingList extends List {
  readonly items: Value[];

  constructor() {
    const items: Value[] = [];
    super(0, (index) => items[index] as Value);
    this.items = items;
  }

  append(value: Value): void {
    (this as { size: number }).size = this.items.push(value);
  }
}
