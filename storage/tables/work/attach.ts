import type { Backend, Revision } from '../../backend.js';
import { type Key, resourceOf } from '../../key.js';
import type { Entry } from '../../state/entry.js';
import { Memtable } from '../../state/memtable.js';
import type { ResourceState } from '../../state/resource-state.js';
import type { TableView } from '../format/table-view.js';

/** A resource as it is kept by the tables of a checkpoint. What was changed after the checkpoint is in memory. */
export class AttachedTables {
  readonly #parts: readonly TableView[];
  readonly #memtable = new Memtable();

  /** Nothing else may use the parts. */
  constructor(parts: readonly TableView[]) {
    this.#parts = parts;
  }

  /** Takes an object that was changed after the checkpoint, or may have been, from a state. */
  renew(key: Key, state: ResourceState): void {
    for (const part of this.#parts) {
      const ordinal = part.find(key);
      if (ordinal >= 0) part.deleted.add(ordinal);
    }
    const entry = state.get(key);
    if (entry === undefined) this.#memtable.delete(key);
    else this.#memtable.put(entry);
  }

  /**
   * The entry of a table for an object in memory that was not changed after the checkpoint. Throws if there is none.
   */
  instead({ key, revision }: Entry): Entry {
    for (const { table, deleted } of this.#parts) {
      const ordinal = table.find(key);
      if (ordinal < 0 || deleted.has(ordinal)) continue;
      const entry = table.passing(ordinal);
      if (entry.revision === revision) return entry;
    }
    throw new Error(`the tables do not have ${key} at revision ${revision}`);
  }

  /** The same content as a state, kept in this way. */
  as(state: ResourceState): ResourceState {
    const attached = state.keptAs(this.#memtable, this.#parts);
    if (attached.size !== state.size) throw new Error(`the tables have ${attached.size} objects of ${state.size}`);
    return attached;
  }
}

/** The keys of all changes after a revision up to another one, by resource. It does no harm that there may be more. */
export async function changedKeys(
  backend: Backend,
  after: Revision,
  through: Revision,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<Key>>> {
  const changed = new Map<string, Set<Key>>();
  if (after >= through) return changed;
  for await (const { end, changes } of backend.tail(after, signal)) {
    for (const { key } of changes) {
      const resource = resourceOf(key);
      const keys = changed.get(resource) ?? new Set();
      changed.set(resource, keys.add(key));
    }
    if (end >= through) return changed;
  }
  throw new Error('the log ended before it was read');
}
