import type { Commit, Revision, Stored } from '../backend.js';
import type { Key } from '../key.js';
import type { Space } from '../space.js';

/**
 * Reads a store that another process writes, without asking that process. Each read is of one moment, and shows
 * everything that was durable when it was called. The comments of `Backend` hold for it.
 */
export interface StoreReads {
  end(): Revision;
  commitAt(revision: Revision): string | undefined;
  /** Some commits after `after`: at least one, if there is one. Throws `compacted`. */
  commits(after: Revision): readonly Commit[];
  load(resource: string): AsyncIterable<readonly Stored[]>;
  counters(): ReadonlyMap<string, number>;
  get(keys: readonly Key[]): ReadonlyMap<Key, Stored>;
  revisionBefore(age: number): Revision;
  compacted(): Revision;
  logBytes(): number;
  space(): Space;
  /** Releases the store for this process. Idempotent. */
  close(): Promise<void>;
}
