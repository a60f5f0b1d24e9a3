import type { Key } from './key.js';
import type { Space } from './space.js';

/** A position in the log. The empty store is at 0, and each change takes the next number. It is below 2^53. */
export type Revision = number;

/**
 * The bytes of an object: canonical JSON in UTF-8. Buffers that are kept own their memory and are never slices of a
 * pool.
 */
export type Bytes = Uint8Array;

export interface Stored {
  readonly key: Key;
  /** The revision of the change that wrote these bytes. */
  readonly revision: Revision;
  readonly value: Bytes;
  /** The value as a text, if it is small, all its bytes are ASCII, and it was read so. `value` then makes the bytes. */
  readonly text?: string;
}

/** One row of a declared index. Rows of one index are ordered by tuple, then by key. */
export interface IndexRow {
  readonly index: string;
  /** The result of `encodeTuple`: it keeps the order and has at most 1024 bytes. */
  readonly tuple: string;
}

/** One change of the log. A deletion has no `value`, and a creation no `previous`. */
export interface Change {
  readonly key: Key;
  readonly revision: Revision;
  readonly value?: Bytes;
  readonly previous?: Stored;
}

/** A change to append. */
export interface Put extends Change {
  /**
   * The object whose JSON is `value`, for backends that store parts of it. It must not be changed. Absent: they parse
   * `value`.
   */
  readonly object?: unknown;
}

/** The n changes of a batch have the revisions after+1 … after+n, in this order. */
export interface Batch {
  /** Unique for ever. If the answer to an append is lost, it tells whether the append took place. */
  readonly commitId: string;
  /**
   * The commit that this one continues: the last one of the state that it was made on. If it is absent, only the
   * revision is compared.
   */
  readonly parent?: string | undefined;
  readonly changes: readonly Put[];
  /** New values of the internal id counters, by resource. They have no revision, and only grow. */
  readonly counters: ReadonlyMap<string, number>;
}

/** One atomic append in the log. `end` is the revision of its last change. */
export interface Commit {
  readonly end: Revision;
  /** `Batch.commitId`. A log has it after its own past only. Absent if an earlier version wrote it. */
  readonly id?: string | undefined;
  readonly changes: readonly Change[];
  readonly counters: ReadonlyMap<string, number>;
}

/**
 * An ordered log with the current state. It stores bytes and knows no kinds. `memory`, `lmdb` and `mongodb` implement
 * it, and each passes `storage/testing/backend-suite.ts`. Every method throws only StorageError.
 */
export interface Backend {
  /**
   * True if other servers may append to this log. Caches must then follow `tail`, and call `end` before a consistent
   * read.
   */
  readonly shared: boolean;

  /**
   * Changes when the log turns out to be another one than was read: the database was set back or replaced. What was
   * read before is void then. Absent if that cannot happen while the store is open.
   */
  readonly logId?: number;

  /**
   * Call this before objects are loaded because `logId` has changed. Resolves when a restore of the database seems to
   * have ended, or the signal aborts: a state that is loaded meanwhile lacks objects. Absent if `logId` is.
   */
  whenComplete?(signal: AbortSignal): Promise<void>;

  /**
   * Call this after a load, with the number of objects of each resource at a revision. False if the log still ends
   * there, but the store has another number: it is being restored, and the state that was loaded lacks objects. True if
   * the log has moved, because then nothing can be compared. Absent if `logId` is.
   */
  isComplete?(revision: Revision, sizes: ReadonlyMap<string, number>): Promise<boolean>;

  /**
   * The end of the log. Linearizable: at or after everything that any server acknowledged, and everything that a read
   * of this backend returned, before the call. Throws `diverged` if the log is not the one that was read before.
   */
  end(signal?: AbortSignal): Promise<Revision>;

  /**
   * The id of the commit that ends at a revision. If two logs have the same there, they have the same commits up to
   * there. `undefined` if no commit ends there, or the log does not have it any more.
   */
  commitAt(revision: Revision): Promise<string | undefined>;

  /**
   * Appends the batch atomically and durably if the log still ends at `after`, with the commit `batch.parent`.
   * Otherwise throws `behind`, or `diverged` if the batch has a parent and the log ends there with another commit or
   * before, and writes nothing. Also throws `unavailable` (nothing was written), `rejected` (one object cannot be
   * stored, and nothing was written) and `unknown` (the batch may have been written).
   */
  append(after: Revision, batch: Batch): Promise<void>;

  /**
   * Resolves when this server should evaluate and append its next batch, so that servers that share the log take turns
   * and do not compete. A hint: it never rejects, and waits only for a short time. The result is a revision that the
   * log has reached. A log of one server needs no turns.
   */
  turn?(): Promise<Revision>;

  /** Ends the turn of this server, which has nothing to append after all. A hint, as `turn` is. */
  pass?(): void;

  /**
   * Yields every commit after `after`, in order and without gaps, and then waits for more. Ends when `signal` aborts.
   * Throws `compacted` if a change after `after` was removed, also later, if a compaction overtakes a slow reader.
   * Reconnects by itself after a lost connection. Commits before `known()` may be left out: the caller has them,
   * because it has appended them itself. Lets the event loop take its turns between commits. Throws `diverged` if the
   * log does not have the commit `commitId` at `after`, or, also later, what was yielded.
   */
  tail(after: Revision, signal: AbortSignal, known?: () => Revision, commitId?: string): AsyncIterable<Commit>;

  /**
   * Yields the current objects of a resource in chunks, in key order. This is not a snapshot: each object is at least
   * as new as `end()` before the call. A caller gets the exact state by applying `tail` from that revision, without
   * changes that an object already has.
   */
  load(resource: string): AsyncIterable<readonly Stored[]>;

  /** The internal id counters, at least as new as `end()` before the call. */
  counters(): Promise<ReadonlyMap<string, number>>;

  /**
   * The current objects. At least as new as everything that `end`, `tail` or `append` of this backend returned before
   * the call.
   */
  get(keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>>;

  /** The last revision that was committed more than `age` milliseconds ago by the store's clock; 0 if there is none. */
  revisionBefore(age: number): Promise<Revision>;

  /**
   * Carries the changes of the log into the objects. A commit writes the log alone. `load`, `get` and `counters` read
   * from the log what the objects do not have yet, so nobody waits for this. Idempotent, and safe beside appends and
   * other servers. Resolves with the revision of the objects. Absent if a commit writes both.
   */
  materialize?(): Promise<Revision>;

  /** The revision up to which changes are removed; `tail` works from here on. 0 if nothing was compacted. */
  compacted(): Promise<Revision>;

  /**
   * Removes the changes up to and including `through`, but not beyond the end. Before that, it carries them into the
   * objects. Publishes the revision first, then deletes. Idempotent.
   */
  compact(through: Revision): Promise<void>;

  /** About how many bytes the changes of the log take. The store knows this without reading them. */
  logBytes(): Promise<number>;

  /** The disk of the store. Absent, or without an answer: it is not known. */
  space?(): Promise<Space | undefined>;

  /** Ends every tail, lets a running append finish, and releases the store. Idempotent. */
  close(): Promise<void>;
}
