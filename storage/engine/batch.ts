import type { Mutable } from '../../pkg/system/object/mutable.js';
import type { Put, Revision, Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import { type Key, partsOf, resourceOf } from '../key.js';
import type { AppliedWrite } from '../state/applied-write.js';
import { encodeText, type Text, textOfObject } from '../state/codec.js';
import { endColdReads } from '../state/cold-reads.js';
import type { Definitions } from '../state/definitions.js';
import { cacheEntry, type Entry } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { ResourceReader } from '../state/resource-state.js';
import type { Draft, State } from '../state/state.js';
import { type Transaction, type TransactionState, TransactionSteps } from './transaction.js';

/** The result of one transaction of a batch. */
interface TransactionResult<Result> {
  readonly result: Result;
  readonly applied: readonly AppliedWrite[];
}

/** A batch under evaluation: transactions run one after another on a private draft of the next state. */
export class Evaluation implements TransactionState {
  readonly changes: Put[] = [];
  readonly counters = new Map<string, number>();
  bytes = 0;
  readonly baseRevision: Revision;
  /** The commit that the batch continues. */
  readonly parent: string | undefined;
  /** The revision of the last write. */
  revision: Revision;
  /** The writes of all transactions so far. */
  readonly applied: AppliedWrite[] = [];
  readonly #draft: Draft;
  readonly #definitions: Definitions;
  #pendingIds = new Map<string, number>();
  /** How many writes came before those of the transaction that runs. */
  #first = 0;

  constructor(draft: Draft, definitions: Definitions) {
    this.baseRevision = draft.base.revision;
    this.parent = draft.base.commitId;
    this.revision = this.baseRevision;
    this.#draft = draft;
    this.#definitions = definitions;
  }

  resource(resource: string): ResourceReader {
    this.#definitions.assertPossible(resource);
    return this.#draft.resource(resource);
  }

  written(): readonly AppliedWrite[] {
    return this.applied.slice(this.#first);
  }

  create(key: Key, object: unknown, text?: Text): Entry {
    const known = this.resource(resourceOf(key)).get(key);
    if (known !== undefined) throw new Error(`a transaction created ${key}, which exists`);
    return this.put(key, object, text);
  }

  put(key: Key, object: unknown, text: Text = textOfObject(object)): Entry {
    const definition = this.#definition(resourceOf(key));
    const revision = this.revision + 1;
    const value = encodeText(text, revision);
    const entry = cacheEntry(definition, key, revision, { value, object });
    if (entry.size > (definition.maxBytes ?? Number.POSITIVE_INFINITY)) this.#refuseGrowth(definition, entry);
    const stored = this.#stored(key);
    const previous = this.#set(definition, key, entry);
    this.#record({ key, revision, entry, previous }, { key, revision, value, object }, stored);
    return entry;
  }

  delete(key: Key): Revision {
    const definition = this.#definition(resourceOf(key));
    const stored = this.#stored(key);
    const previous = this.#set(definition, key, undefined);
    if (previous === undefined) throw new Error(`a transaction deleted ${key}, which does not exist`);
    const revision = this.revision + 1;
    this.#record({ key, revision, entry: undefined, previous }, { key, revision }, stored);
    return revision;
  }

  nextId(resource: string): number {
    const id = this.#lastId(resource) + 1;
    this.#pendingIds.set(resource, id);
    return id;
  }

  useId(resource: string, id: number): void {
    if (id > this.#lastId(resource)) this.#pendingIds.set(resource, id);
  }

  #lastId(resource: string): number {
    const { counters } = this.#draft.base;
    return this.#pendingIds.get(resource) ?? this.counters.get(resource) ?? counters.get(resource) ?? 0;
  }

  /**
   * Yields between the steps of the transaction. Throws what the transaction throws, and what is thrown into it; then
   * none of its writes remains. From its first write on, it is not begun again for what only the disk has.
   */
  *evaluate<Result>(transaction: Transaction<Result>): Generator<undefined, TransactionResult<Result>, undefined> {
    this.#pendingIds = new Map();
    const first = this.applied.length;
    this.#first = first;
    let isKept = false;
    let undo: (() => void) | undefined;
    try {
      const begun = transaction.run(this);
      if (begun instanceof TransactionSteps && (first === 0 || transaction.isDryRun === true))
        undo = this.#draft.mark();
      const result = begun instanceof TransactionSteps ? yield* begun.work : begun;
      endColdReads();
      isKept = transaction.isDryRun !== true;
      const applied = isKept ? this.applied.slice(first) : [];
      if (applied.length > 0) for (const [resource, id] of this.#pendingIds) this.counters.set(resource, id);
      return { result, applied };
    } finally {
      if (!isKept) this.#takeBack(first, undo);
    }
  }

  /** The state after the batch, which was appended as this commit. The evaluation must not be used afterwards. */
  finish(commit?: string): State {
    return this.#draft.finish(this.revision, this.counters, commit);
  }

  /** Members are set one by one, because V8 adds those of a spread by its slow path. */
  #record(applied: AppliedWrite, change: Mutable<Put>, stored: Stored | undefined): void {
    const { revision } = applied;
    if (stored !== undefined) change.previous = stored;
    this.bytes += sizeOf(applied);
    this.applied.push(applied);
    this.revision = revision;
    this.changes.push(change);
  }

  /** What a write replaces. It is read before anything is changed, because its file may be damaged. */
  #stored(key: Key): Stored | undefined {
    const entry = this.#draft.resource(resourceOf(key)).get(key);
    return entry && { key, revision: entry.revision, value: entry.value };
  }

  /** `undo` takes the writes back all at once. */
  #takeBack(first: number, undo: (() => void) | undefined): void {
    undo?.();
    for (const applied of this.applied.splice(first).reverse()) {
      if (undo === undefined) this.#set(this.#definition(resourceOf(applied.key)), applied.key, applied.previous);
      this.bytes -= sizeOf(applied);
      this.changes.pop();
      this.revision--;
    }
  }

  /** Throws `rejected` for an object above the bound of its resource, unless it was as large before. */
  #refuseGrowth({ resource, maxBytes }: ResourceDefinition, { key, size }: Entry): void {
    if (size <= (this.#draft.resource(resource).get(key)?.size ?? 0)) return;
    const { name } = partsOf(key);
    const message = `${resource} ${JSON.stringify(name)} takes ${size} bytes with its metadata, and at most ${maxBytes} are stored of such an object`;
    throw new StorageError('rejected', message, { key });
  }

  /** Returns the entry that it replaces. */
  #set({ resource }: ResourceDefinition, key: Key, entry: Entry | undefined): Entry | undefined {
    endColdReads();
    return entry === undefined ? this.#draft.delete(resource, key) : this.#draft.put(resource, entry);
  }

  #definition(resource: string): ResourceDefinition {
    return this.#definitions.get(resource, this.#draft);
  }
}

function sizeOf({ entry, previous }: AppliedWrite): number {
  return (entry?.size ?? 0) + (previous?.size ?? 0);
}
