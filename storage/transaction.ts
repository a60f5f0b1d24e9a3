import type { Revision } from './backend.js';
import type { Key } from './key.js';
import type { Entry } from './state.js';

/** One object to put (without its resourceVersion) or, without `object`, to delete. */
export interface Write {
  readonly key: Key;
  readonly object?: unknown;
  /** The canonical text of `object` if the caller has it already (`textOf`). */
  readonly text?: string;
}

/** The state a transaction is evaluated on. It holds at commit: the batch goes in only on top of exactly this. */
export interface View {
  readonly revision: Revision;
  /** Objects of cached resources, and those that the transaction named in `needs`. */
  get(key: Key): Entry | undefined;
  /** Entries of a cached resource whose tuple begins with `prefix` (encoded), at most `limit`. */
  range(resource: string, index: string, prefix: string, limit: number): readonly Entry[];
  /** The same object as long as the resource's content is the same: what was made of it may be kept under it. */
  version(resource: string): object;
  /** How many objects of a cached resource a namespace has. */
  count(resource: string, namespace: string): number;
  /** The next internal id of a resource: 1, 2, 3 …; not used up if the transaction throws. */
  nextId(resource: string): number;
}

/**
 * `run` is pure and synchronous, and may be run again on a newer view: whatever is asynchronous or random happens before. It sees
 * the writes of transactions before it in the batch, not its own. If it throws, it alone is refused. No writes: nothing happens.
 */
export interface Transaction {
  /** Keys of resources that are not cached. */
  readonly needs?: readonly Key[];
  run(view: View): readonly Write[];
}

/** What a transaction did: one a write, in order. `entry` is absent for a deletion. */
export interface Applied {
  readonly key: Key;
  readonly revision: Revision;
  readonly entry: Entry | undefined;
  readonly previous: Entry | undefined;
}

/** The state that the outcome holds at, and what was written. */
export interface Outcome {
  readonly revision: Revision;
  readonly applied: readonly Applied[];
}

/** Where writes go. The soft leader of several servers is a decorator of this. */
export interface Writer {
  /** Resolves when durable and visible to reads here; rejects with what `run` threw, or with StorageError. */
  transact(transaction: Transaction, signal?: AbortSignal): Promise<Outcome>;
}
