import { setImmediate as turn } from 'node:timers/promises';
import type { Backend, Count, CountRange, IndexRange, Revision, Row } from '../backend.js';
import { StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { behind, upTo } from '../range.js';
import type { ResourceDefinition } from '../resource.js';
import { type Entry, entryOf } from '../state.js';
import { rowKey } from '../tuple.js';
import type { Abortable, Cacher } from './cacher.js';
import type { Event } from './event.js';
import type { Ring } from './ring.js';

/** The most rows that one read of the store returns. */
const CHUNK = 500;
/** The fewest rows that are read to replace rows that did not exist at the revision. */
const SMALL_CHUNK = 100;

/** A row of an index as it was at one revision, with its object. */
export interface EntryRow {
  readonly rowKey: string;
  readonly entry: Entry;
}

/**
 * Reads uncached resources from the store. A read is at least as recent as the cache: await `Cacher.fresh` before a consistent read. When
 * a read resolves, the cache has reached everything that it returned, so a later read here is never older.
 */
export class UncachedReader {
  readonly #backend: Backend;
  readonly #cacher: Cacher;

  constructor(backend: Backend, cacher: Cacher) {
    this.#backend = backend;
    this.#cacher = cacher;
  }

  async get(key: Key, request: Abortable = {}): Promise<Entry | undefined> {
    const { revision } = this.#cacher.state;
    const stored = (await this.#backend.get([key])).get(key);
    // The store may be ahead of the cache: another server wrote, or this one has not published its commit yet.
    if (stored === undefined || stored.revision > revision) await this.#reachEnd(request);
    return stored && entryOf(this.#definition(resourceOf(key)), key, stored.revision, stored.value);
  }

  /**
   * The rows of a range exactly as they were at `revision`, by default the revision of the cache. `behind` gives the range of the next page.
   * Throws `compacted` or `future`.
   *
   * The store only has the present rows. So this reads a chunk of them, and then waits until the cache has reached the end of the log as of
   * after that read. Now an object in the chunk, or missing from it, either did not change after `revision`, or its first event in the ring
   * after `revision` has its former state.
   */
  async range(
    resource: string,
    range: IndexRange,
    revision: Revision = this.#cacher.state.revision,
    request: Abortable = {},
  ): Promise<readonly EntryRow[]> {
    if (revision > this.#cacher.state.revision)
      throw new StorageError('future', `revision ${revision} has not happened yet`);
    const changed = new ChangedSince(revision);
    changed.follow(this.#cacher.ring(resource));
    const found: EntryRow[] = [];
    let rest: IndexRange = { ...range, limit: Math.min(range.limit, CHUNK) };
    while (found.length < range.limit) {
      const rows = await this.#backend.range(resource, rest);
      await this.#reachEnd(request);
      changed.follow(this.#cacher.ring(resource));
      const last = rows.length < rest.limit ? undefined : rows.at(-1)?.rowKey;
      found.push(...this.#merge(resource, rows, changed, last === undefined ? rest : upTo(rest, last)));
      if (last === undefined || found.length >= range.limit) break;
      const limit = Math.min(CHUNK, Math.max(SMALL_CHUNK, range.limit - found.length));
      rest = { ...behind(rest, last), limit };
      // An embedded store answers without a turn of the event loop.
      await turn();
    }
    return found.slice(0, range.limit);
  }

  /** The counts of the newest state, not of a revision. */
  async counts(resource: string, range: CountRange, request: Abortable = {}): Promise<readonly Count[]> {
    const counts = await this.#backend.counts(resource, range);
    await this.#reachEnd(request);
    return counts;
  }

  /** `rows` are all present rows of `range`. Returns its rows at the revision of `changed`. */
  #merge(resource: string, rows: readonly Row[], changed: ChangedSince, range: IndexRange): readonly EntryRow[] {
    const definition = this.#definition(resource);
    const unchanged = rows
      .filter(({ stored }) => !changed.has(stored.key))
      .map(({ rowKey, stored: { key, revision, value } }): EntryRow => {
        return { rowKey, entry: entryOf(definition, key, revision, value) };
      });
    const merged = [...unchanged, ...changed.rows(range)].sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    return range.reverse === true ? merged.reverse() : merged;
  }

  async #reachEnd({ signal }: Abortable): Promise<void> {
    await this.#cacher.reach(await this.#backend.end(), signal);
  }

  #definition(resource: string): ResourceDefinition {
    const definition = this.#cacher.definitions.get(resource);
    if (definition === undefined) throw new Error(`the resource ${resource} is not declared to the storage engine`);
    return definition;
  }
}

/** The objects of a resource that changed after a revision, with their state at that revision. */
class ChangedSince {
  readonly #revision: Revision;
  readonly #former = new Map<Key, Entry | undefined>();
  #ring: Ring | undefined;
  #position = 0;

  constructor(revision: Revision) {
    this.#revision = revision;
  }

  has(key: Key): boolean {
    return this.#former.has(key);
  }

  /** The rows that these objects had in a range. */
  *rows({ index, from, to }: IndexRange): Generator<EntryRow, void, undefined> {
    for (const entry of this.#former.values()) {
      if (entry === undefined) continue;
      for (const rowKey of rowKeysOf(entry, index)) if (rowKey >= from && rowKey < to) yield { rowKey, entry };
    }
  }

  /** Adds the events that are new in the ring. It is a new ring if the cache was loaded again. Throws `compacted`. */
  follow(ring: Ring): void {
    if (ring !== this.#ring) this.#position = ring.position(this.#revision);
    this.#ring = ring;
    for (; this.#position < ring.end; this.#position++) this.#add(ring.at(this.#position));
  }

  /** Only the first event of an object has its state at the revision. */
  #add(event: Event | undefined): void {
    if (event !== undefined && !this.#former.has(event.key)) this.#former.set(event.key, event.previous);
  }
}

function rowKeysOf({ key, attributes }: Entry, index: string | undefined): readonly string[] {
  if (index === undefined) return [key];
  return attributes.rows.filter((row) => row.index === index).map(({ tuple }) => rowKey(tuple, key));
}
