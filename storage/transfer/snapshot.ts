import type { Bytes, Commit, Revision, Stored } from '../backend.js';
import type { Key } from '../key.js';

/** A commit with its time in milliseconds. */
export interface LoggedCommit extends Commit {
  readonly at: number;
}

/** The data of a store besides objects and log. */
export interface Head {
  /** The API domain that the data belongs to. */
  readonly domain: string;
  /** The end of the log. */
  readonly end: Revision;
  /** The revision up to which changes are removed from the log. */
  readonly compacted: Revision;
  /** The time of the last commit in milliseconds. */
  readonly at: number;
  readonly counters: ReadonlyMap<string, number>;
}

/**
 * The content of a store at one revision. Others may write to the store while it is read. Every method throws only
 * StorageError.
 */
export interface Snapshot {
  readonly head: Head;
  /** About how many objects there are. */
  readonly size: number;
  /** In the order of the bytes of their keys, and in chunks. */
  objects(): AsyncIterable<readonly Stored[]>;
  /** The commits after `after`, in order. `after` is at or after `head.compacted`. */
  commits(after: Revision): AsyncIterable<readonly LoggedCommit[]>;
  close(): Promise<void>;
}

/** The description of an object that a receiver has. */
export interface ObjectVersion {
  readonly key: Key;
  readonly revision: Revision;
}

/**
 * A store that is filled from a snapshot. No server can open it until it is finished, and nobody else writes to it. If
 * it is interrupted, another receiver of the same store continues with what is there.
 */
export interface Receiver {
  /**
   * What is there, in the order of the bytes of the keys. Reading it while objects are put or removed behind the
   * position is allowed.
   */
  present(): AsyncIterable<readonly ObjectVersion[]>;
  /**
   * The last revision of the log that is there, or `compacted` if there is none after it. Removes what is not after
   * `compacted`.
   */
  logged(compacted: Revision): Promise<Revision>;
  /** Writes objects. `existing` are those of them that are there. */
  put(objects: readonly Stored[], existing: ReadonlySet<Key>): Promise<void>;
  remove(keys: readonly Key[]): Promise<void>;
  /** Appends to the log. */
  log(commits: readonly LoggedCommit[]): Promise<void>;
  /** What was written, in the order of the bytes of the keys. */
  objects(): AsyncIterable<readonly Stored[]>;
  /** The bytes of an object that was written. */
  get(key: Key): Promise<Bytes | undefined>;
  /** Makes a store of it, which servers can open. */
  finish(head: Head): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** The API domain of the data. */
  readonly domain: string;
  /** Where the data comes from. The work of an earlier receiver of the same origin is continued. */
  readonly origin: string;
  /** Removes what is there. Otherwise, a store that is of another origin, or was written to since, is refused. */
  readonly replaces: boolean;
}

/** What a receiver notes in its store. */
export interface Origin {
  readonly origin: string;
  /** The end of the log when it was finished. */
  readonly end: Revision;
}
