import { setImmediate as turn } from 'node:timers/promises';
import type { Backend, Count, CountRange, IndexRange, Revision, Row } from '../backend.js';
import { type Entry, readEntry } from '../entry.js';
import { isStorageError, StorageError } from '../errors.js';
import { type Key, resourceOf } from '../key.js';
import { behind, upTo } from '../range.js';
import type { ResourceDefinition } from '../resource.js';
import type { Abortable, Cacher } from './cacher.js';
import { ChangedSince, type EntryRow } from './changed-since.js';
import type { Ring } from './ring.js';

export type { EntryRow } from './changed-since.js';

/** Adds what is new in the ring. Returns false if the ring has lost a change before. */
function followed(changed: ChangedSince | undefined, ring: Ring): boolean {
  try {
    changed?.follow(ring);
    return changed !== undefined;
  } catch (error) {
    if (isStorageError(error, 'compacted')) return false;
    throw error;
  }
}

/** The most rows that one read of the store returns. */
const CHUNK = 500;
/** The fewest rows that are read to replace rows that did not exist at the revision, and the first rows of a range without a limit. */
const SMALL_CHUNK = 100;

/** The size of the next chunk. A reader that needs more than a few rows may need many, and each chunk of a database takes several commands. */
function larger(size: number): number {
  return Math.min(Math.max(2 * size, SMALL_CHUNK), CHUNK);
}

interface ChunkOptions {
  readonly revision?: Revision | undefined;
  readonly request?: Abortable | undefined;
  /** The number of rows of the first chunk. */
  readonly first?: number;
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
    if (stored === undefined || stored.revision > revision) await this.#reachSeen(request);
    return stored && readEntry(this.#definition(resourceOf(key)), key, stored.revision, stored.value);
  }

  /**
   * The rows of a range exactly as they were at `revision`, by default the revision of the cache. `behind` gives the range of the next page.
   * Throws `compacted` or `future`.
   */
  async range(
    resource: string,
    range: IndexRange,
    revision?: Revision,
    request?: Abortable,
  ): Promise<readonly EntryRow[]> {
    const found: EntryRow[] = [];
    for await (const rows of this.chunks(resource, range, { revision, request, first: CHUNK })) found.push(...rows);
    return found;
  }

  /**
   * The same in chunks that grow, for callers that do not know how many rows they need. The limit may be infinite.
   *
   * The store only has the present rows. So this reads a chunk of them, and then waits until the cache has reached the end of the log as of
   * after that read. Now an object in the chunk, or missing from it, either did not change after `revision`, or its first event after `revision` has its
   * former state. Events that have left the ring are read from the log for each chunk, and only what belongs to the chunk is kept.
   */
  async *chunks(
    resource: string,
    range: IndexRange,
    { revision = this.#cacher.state.revision, request = {}, first = SMALL_CHUNK }: ChunkOptions = {},
  ): AsyncGenerator<readonly EntryRow[], void, undefined> {
    if (revision > this.#cacher.state.revision)
      throw new StorageError('future', `revision ${revision} has not happened yet`);
    await this.#cacher.recall(revision);
    const since = (): ChangedSince => new ChangedSince(this.#definition(resource), range.index, revision);
    let changed = this.#cacher.ring(resource).floor > revision ? undefined : since();
    changed?.follow(this.#cacher.ring(resource));
    let left = range.limit;
    let rest: IndexRange = { ...range, limit: Math.min(left, first) };
    let ahead: Promise<readonly Row[]> | undefined;
    for (let size = first; left > 0; size = larger(size)) {
      const rows = await (ahead ?? this.#backend.range(resource, rest));
      await this.#reachSeen(request);
      const last = rows.length < rest.limit ? undefined : rows.at(-1)?.rowKey;
      const within = last === undefined ? rest : upTo(rest, last);
      if (!followed(changed, this.#cacher.ring(resource))) changed = undefined;
      const known = changed ?? (await this.#logged(since(), resource, within));
      const merged = this.#merge(resource, rows, known, within).slice(0, left);
      left -= merged.length;
      if (last === undefined) return yield merged;
      rest = { ...behind(rest, last), limit: Math.min(larger(size), Math.max(SMALL_CHUNK, left)) };
      // A reader that asked for a second large chunk probably reads on.
      if (left > 0 && size > first && size > SMALL_CHUNK) ahead = this.#readAhead(resource, rest);
      yield merged;
      // An embedded store answers without a turn of the event loop.
      await turn();
    }
  }

  /** Reads the next chunk while the caller works on the last. Not in this process: there, it would only make the caller wait. */
  #readAhead(resource: string, range: IndexRange): Promise<readonly Row[]> | undefined {
    if (!this.#backend.shared) return undefined;
    const rows = this.#backend.range(resource, range);
    // The caller may not come back for it.
    rows.catch(() => undefined);
    return rows;
  }

  /** The counts of the newest state, not of a revision. */
  async counts(resource: string, range: CountRange, request: Abortable = {}): Promise<readonly Count[]> {
    const counts = await this.#backend.counts(resource, range);
    await this.#reachSeen(request);
    return counts;
  }

  /** `rows` are all present rows of `range`. Returns its rows at the revision of `changed`. */
  #merge(resource: string, rows: readonly Row[], changed: ChangedSince, range: IndexRange): readonly EntryRow[] {
    const definition = this.#definition(resource);
    const unchanged = rows
      .filter(({ stored }) => !changed.has(stored.key))
      .map(({ rowKey, stored: { key, revision, value } }): EntryRow => {
        return { rowKey, entry: readEntry(definition, key, revision, value) };
      });
    const merged = [...unchanged, ...changed.rows(range)].sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    return range.reverse === true ? merged.reverse() : merged;
  }

  /** The changes of a chunk, from the log and then from the ring. */
  async #logged(changed: ChangedSince, resource: string, within: IndexRange): Promise<ChangedSince> {
    while (!followed(changed, this.#cacher.ring(resource))) {
      for await (const commit of this.#cacher.commits(resource, changed.reached)) {
        changed.addCommit(commit, within);
        if (commit.end >= this.#cacher.ring(resource).floor) break;
        await turn();
      }
      if (this.#cacher.closed) throw new StorageError('closed', 'the server is shutting down');
    }
    return changed;
  }

  /** The cache reaches everything that was read. Others may have written more since then, which nobody here has seen. */
  async #reachSeen({ signal }: Abortable): Promise<void> {
    const seen = await (this.#backend.seen?.() ?? this.#backend.end());
    await this.#cacher.reach(seen, signal);
  }

  #definition(resource: string): ResourceDefinition {
    const definition = this.#cacher.definitions.get(resource);
    if (definition === undefined) throw new Error(`the resource ${resource} is not declared to the storage engine`);
    return definition;
  }
}
