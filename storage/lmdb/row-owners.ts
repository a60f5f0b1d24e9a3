import type { Put } from '../backend.js';
import { type Key, resourceOf } from '../key.js';
import type { Tables } from './tables.js';

/** A change of an object, and whether the store may have rows of the object. */
export type RowOwner = readonly [change: Put, mayHaveRows: boolean];

/**
 * Knows which objects cannot have index rows in the store, so that an append need not look for them. The first look after each commit begins a read
 * transaction, which takes as long as a third of a small commit. Only the one writer of a store may use it.
 */
export class RowOwners {
  readonly #tables: Tables;
  /** Whether some object of the resource has, or had, rows. */
  readonly #resources = new Map<string, boolean>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** The last change of each key of a batch. */
  changesOf(changes: readonly Put[]): readonly RowOwner[] {
    const last = new Map<Key, Put>();
    const replaced = new Set<Key>();
    for (const change of changes) {
      last.set(change.key, change);
      if (change.previous !== undefined) replaced.add(change.key);
    }
    return Array.from(last.values(), (change) => {
      const hasRows = this.#hasRows(resourceOf(change.key));
      if ((change.rows?.length ?? 0) > 0) this.#resources.set(resourceOf(change.key), true);
      return [change, hasRows && replaced.has(change.key)] as const;
    });
  }

  #hasRows(resource: string): boolean {
    const known = this.#resources.get(resource);
    if (known !== undefined) return known;
    // '0' is the byte after '/'.
    const range = { start: Buffer.from(`${resource}/`), end: Buffer.from(`${resource}0`), limit: 1 };
    const found = [...this.#tables.rows.getKeys(range)].length > 0;
    this.#resources.set(resource, found);
    return found;
  }
}
