import type { IndexRange, Revision } from '../backend.js';
import { decodeObject } from '../codec.js';
import type { Entry } from '../entry.js';
import type { Key } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import { rowKey } from '../tuple.js';
import type { Event } from './event.js';
import type { CommitEvents } from './logged.js';
import type { Ring } from './ring.js';

/** A row of an index as it was at one revision, with its object. */
export interface EntryRow {
  readonly rowKey: string;
  readonly entry: Entry;
}

type Bounds = Pick<IndexRange, 'from' | 'to'>;

/** The objects of a resource that changed after a revision, with their state at that revision, for reads of one index. */
export class ChangedSince {
  readonly #definition: ResourceDefinition;
  readonly #index: string | undefined;
  /** The revision up to which the changes were read. */
  #reached: Revision;
  readonly #former = new Map<Key, Entry | undefined>();
  /** The row keys that an object had. They are made once. */
  readonly #rowKeys = new Map<Entry, readonly string[]>();
  #ring: Ring | undefined;
  #position = 0;

  constructor(definition: ResourceDefinition, index: string | undefined, revision: Revision) {
    this.#definition = definition;
    this.#index = index;
    this.#reached = revision;
  }

  has(key: Key): boolean {
    return this.#former.has(key);
  }

  /** The rows that these objects had in a range. */
  *rows({ from, to }: Bounds): Generator<EntryRow, void, undefined> {
    for (const entry of this.#former.values()) {
      if (entry === undefined) continue;
      for (const rowKey of this.#rowKeysOf(entry)) if (rowKey >= from && rowKey < to) yield { rowKey, entry };
    }
  }

  /** Adds the events that are new in the ring. It is a new ring if the cache was loaded again. Throws `compacted`. */
  follow(ring: Ring): void {
    if (ring !== this.#ring) this.#position = ring.position(this.#reached);
    this.#ring = ring;
    for (; this.#position < ring.end; this.#position++) this.#add(ring.at(this.#position));
  }

  /**
   * Adds the events of a commit that is not in the ring any more. Objects that had no row within these bounds are only noted, because the log may have far
   * more changes than fit in memory.
   */
  addCommit({ end, events }: CommitEvents, { from, to }: Bounds): void {
    this.#ring = undefined;
    for (const event of events) {
      const isWithin = event.previous && this.#rowKeysOf(event.previous).some((key) => key >= from && key < to);
      this.#add(isWithin ? event : { ...event, previous: undefined });
    }
    this.#reached = end;
  }

  /** The revision after which the log has what the ring has lost. */
  get reached(): Revision {
    return this.#reached;
  }

  /** Only the first event of an object has its state at the revision. */
  #add(event: Event | undefined): void {
    if (event === undefined) return;
    this.#reached = event.revision;
    if (!this.#former.has(event.key)) this.#former.set(event.key, event.previous);
  }

  #rowKeysOf(entry: Entry): readonly string[] {
    const { key, value } = entry;
    if (this.#index === undefined) return [key];
    let keys = this.#rowKeys.get(entry);
    if (keys === undefined) {
      const rows = this.#definition.rows?.(decodeObject(value), key) ?? [];
      keys = rows.filter(({ index }) => index === this.#index).map(({ tuple }) => rowKey(tuple, key));
      this.#rowKeys.set(entry, keys);
    }
    return keys;
  }
}
