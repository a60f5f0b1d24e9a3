import type { IndexRow } from './backend.js';

/** The tuples that an object with these rows is counted under, as `<index> <tuple>`, each once. */
export function countedOf(rows: readonly IndexRow[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { index, counted } of rows) if (counted !== undefined) found.add(`${index} ${counted}`);
  return found;
}

/** How much the counts of one resource change, by counted tuple. */
export class CountChanges {
  readonly #changes = new Map<string, number>();

  /** An object with the counted tuples `before` has the tuples `after` now. */
  add(before: Iterable<string>, after: Iterable<string>): void {
    for (const counted of before) this.#count(counted, -1);
    for (const counted of after) this.#count(counted, 1);
  }

  /** Without the counts that stay the same. */
  *[Symbol.iterator](): Generator<readonly [counted: string, by: number], void, undefined> {
    for (const change of this.#changes) if (change[1] !== 0) yield change;
  }

  #count(counted: string, by: number): void {
    this.#changes.set(counted, (this.#changes.get(counted) ?? 0) + by);
  }
}
