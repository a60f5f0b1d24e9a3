import type { Revision } from '../backend.js';
import type { Key } from '../key.js';
import type { AppliedWrite } from '../state/applied-write.js';
import type { Text } from '../state/codec.js';
import type { Entry } from '../state/entry.js';
import type { ResourceReader } from '../state/resource-state.js';
import type { StateReader } from '../state/state.js';

/**
 * The state that a transaction runs on, with its own writes on top. What it reads still holds when it commits: the
 * batch is appended only on top of exactly this state.
 */
export interface TransactionState extends StateReader {
  resource(resource: string): ResourceReader;
  /** What the transaction has written so far, in order. */
  written(): readonly AppliedWrite[];
  /**
   * Stores an object, given without its resourceVersion. `text` is the text of the object, if the caller has it.
   * Returns the entry as it will be stored.
   */
  put(key: Key, object: unknown, text?: Text): Entry;
  /**
   * The same for a key that no object has. Throws if one has it. `text` is the text of the object, if the caller has
   * it.
   */
  create(key: Key, object: unknown, text?: Text): Entry;
  /** Removes an object that exists. Returns the revision of the removal. */
  delete(key: Key): Revision;
  /** The next internal id of a resource: 1, 2, 3 …. An id is not used up if the transaction throws or is a dry run. */
  nextId(resource: string): number;
  /** Uses an id that is chosen otherwise. The next ids are larger. */
  useId(resource: string, id: number): void;
}

/**
 * Work on many objects, one step after another. The event loop takes its turns between the steps, but no other
 * transaction runs meanwhile, so the steps see one state, with their own writes on top.
 */
export class TransactionSteps<Result> {
  readonly work: Generator<undefined, Result, undefined>;

  constructor(work: Generator<undefined, Result, undefined>) {
    this.work = work;
  }
}

/**
 * `run` is pure and synchronous, because it may run again on a newer state. Everything asynchronous or random happens
 * before. If it throws, its writes are taken back, and only this transaction fails. The same holds for the steps that
 * it may return.
 */
export interface Transaction<Result = unknown> {
  /** Takes back the writes after `run`, so that nothing is stored. */
  readonly isDryRun?: boolean;
  run(state: TransactionState): Result | TransactionSteps<Result>;
}

/** What a transaction returned and wrote, in the order of its writes, and the revision at which that is true. */
export interface Outcome<Result = unknown> {
  readonly revision: Revision;
  readonly applied: readonly AppliedWrite[];
  readonly result: Result;
}

/** Whether the caller of a write has given up. The engine only reads this, so it need not be an AbortSignal. */
export type Cancellation = Pick<AbortSignal, 'aborted' | 'reason'>;

/** Where writes go. */
export interface Writer {
  /**
   * Resolves when the writes are durable and visible to reads here. Rejects with what `run` threw, or with
   * StorageError.
   */
  transact<Result>(transaction: Transaction<Result>, signal?: Cancellation): Promise<Outcome<Result>>;
}
