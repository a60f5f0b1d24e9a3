import type { Key } from './key.js';

/** A position in the one log: 0 is the empty store; each change takes the next number. Fits 2^53. */
export type Revision = number;

/** An object's bytes: canonical JSON in UTF-8. Kept buffers own their memory (never a slice of a pool). */
export type Bytes = Uint8Array;

export interface Stored {
  readonly key: Key;
  /** The revision of the change that wrote these bytes. */
  readonly revision: Revision;
  readonly value: Bytes;
}

/** One row of a declared index. Rows of one index are ordered by their row keys (`rowKey` in tuple.ts). */
export interface IndexRow {
  readonly index: string;
  /** From `encodeTuple`: order-preserving, at most 512 bytes. */
  readonly tuple: string;
}

/** One change of the log. `value` is absent for a deletion, `previous` for a creation. */
export interface Change {
  readonly key: Key;
  readonly revision: Revision;
  readonly value?: Bytes;
  readonly previous?: Stored;
}

/** A change on its way in: with the index rows that replace the object's earlier ones. */
export interface Put extends Change {
  readonly rows?: readonly IndexRow[];
}

/** The n changes of a batch have the revisions after+1 … after+n, in this order; a key appears at most once per revision. */
export interface Batch {
  /** Unique for ever: settles whether an append whose answer was lost took place. */
  readonly commit: string;
  readonly changes: readonly Put[];
  /** New values of the internal id counters, by resource. They take no revision. */
  readonly counters: ReadonlyMap<string, number>;
}

/** One atomic append as the log tells it. `end` is the revision of its last change. */
export interface Commit {
  readonly end: Revision;
  readonly changes: readonly Change[];
  readonly counters: ReadonlyMap<string, number>;
}

/** A range of row keys. `behind` in range.ts gives the rest of a range behind a row. */
export interface IndexRange {
  /**
   * A declared index. Without it, the rows are the objects themselves in key order, and their row keys are their keys. Every backend keeps
   * its objects in this order anyway, so lists by namespace and name need no rows of their own, and have the same order as lists of cached
   * resources. (An index by namespace and name would sort the namespace `a-b` behind `a`, but keys sort it before.)
   */
  readonly index?: string;
  /** Inclusive lower bound: a row key or a prefix of one, for example a tuple. */
  readonly from: string;
  /** Exclusive upper bound. */
  readonly to: string;
  readonly limit: number;
  /** Descending order; the bounds keep their meaning. */
  readonly reverse?: boolean;
}

/** A row of a range, with its object. */
export interface Row {
  readonly rowKey: string;
  readonly stored: Stored;
}

/**
 * An ordered log with the current state beside it. Bytes only: it knows no kind. Implemented by `memory`, `lmdb` and
 * `mongodb`; each passes `storage/testing/backend-suite.ts`. Every method throws StorageError only.
 */
export interface Backend {
  /** Other servers may append to this log: caches must follow `tail`, and ask `end` before a consistent read. */
  readonly shared: boolean;

  /**
   * The end of the log. Linearizable: at or after everything that any server acknowledged, and everything that a read of this backend
   * returned, before the call.
   */
  end(signal?: AbortSignal): Promise<Revision>;

  /**
   * Appends the batch atomically and durably, if the log still ends at `after`; else throws `behind` and writes nothing.
   * `unavailable`: nothing was written. `unknown`: cannot be told. `rejected`: one object cannot be stored, nothing was written.
   */
  append(after: Revision, batch: Batch): Promise<void>;

  /**
   * Every commit after `after`, in order, gap-free, then waits for more until `signal` aborts (then it ends).
   * Throws `compacted` when a change after `after` is gone, also in mid-course when compaction overtakes a slow reader.
   * A lost connection is retried inside; it never skips.
   */
  tail(after: Revision, signal: AbortSignal): AsyncIterable<Commit>;

  /**
   * The current objects of a resource in chunks, in key order. Not a snapshot: each object is at least as new as `end()` before
   * the call, and a caller makes it exact by applying `tail` from that revision, skipping what it already has.
   */
  load(resource: string): AsyncIterable<readonly Stored[]>;

  /** The internal id counters, at least as new as `end()` before the call. */
  counters(): Promise<ReadonlyMap<string, number>>;

  /** The current objects. At least as new as everything that `end`, `tail` or `append` of this backend returned before the call. */
  get(keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>>;

  /**
   * The current rows in the order of their row keys. Fewer than `limit` only if the range has no more. As new as with `get`, but not a
   * snapshot: a row that is added or removed during the call may be returned or not, and one object may be newer than another.
   */
  range(resource: string, range: IndexRange): Promise<readonly Row[]>;

  /** The last revision committed more than `age` milliseconds ago by the store's clock; 0 when there is none. */
  revisionBefore(age: number): Promise<Revision>;

  /** The revision up to which changes are gone; `tail` works from here on. 0 when nothing was compacted. */
  compacted(): Promise<Revision>;

  /** Forgets the changes up to and including `through` (never beyond the end). Announces the point first, then deletes. Idempotent. */
  compact(through: Revision): Promise<void>;

  /** Ends every tail, lets the append under way finish, releases the store. Idempotent. */
  close(): Promise<void>;
}
