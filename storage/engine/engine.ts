import { randomUUID } from 'node:crypto';
import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Backend } from '../backend.js';
import type { Cacher } from '../cacher/cacher.js';
import { closedError, isStorageError, StorageError } from '../errors.js';
import { GroupCommitDelay } from '../log/group-commit.js';
import { Evaluation } from './batch.js';
import {
  BATCH_WRITES,
  type ColdTransaction,
  type EvaluatedTransaction,
  evaluateAll,
  type QueuedTransaction,
} from './evaluate.js';
import type { Cancellation, Outcome, Transaction, Writer } from './transaction.js';

/**
 * More queued transactions than this are refused. The HTTP layer admits far fewer (`limits.max_mutating_in_flight`).
 */
const QUEUE_LIMIT = 10_000;
/**
 * Milliseconds that writes wait for what other servers wrote: far more than it takes, and far less than a request
 * lasts.
 */
const CATCH_UP_WITHIN = 10_000;

/** Is told what the engine does. All durations are milliseconds. */
export interface EngineObserver {
  /** A batch is taken from the queue; its oldest transaction waited this long. */
  dequeued(waited: number): void;
  /** A batch was appended, or was not, with this error. */
  appended(changes: number, took: number, error?: unknown): void;
}

interface EngineOptions {
  readonly catchUpWithin?: number;
  readonly observer?: EngineObserver | undefined;
}

/**
 * Gathers concurrent transactions, evaluates them one after another on a private view and appends what they wrote as
 * one batch, on top of exactly the state they were evaluated on. If another server wrote in between, it catches up and
 * evaluates them again.
 */
export class Engine implements Writer {
  readonly #backend: Backend;
  readonly #cacher: Cacher;
  readonly #queue: QueuedTransaction[] = [];
  /** What transactions wait for that begin again. */
  readonly #loading = new Set<Promise<void>>();
  #running: Promise<void> | undefined;
  #closed = false;
  readonly #delay = new GroupCommitDelay();
  readonly #catchUpWithin: number;
  readonly #observer: EngineObserver | undefined;

  constructor(backend: Backend, cacher: Cacher, { catchUpWithin = CATCH_UP_WITHIN, observer }: EngineOptions = {}) {
    this.#backend = backend;
    this.#cacher = cacher;
    this.#catchUpWithin = catchUpWithin;
    this.#observer = observer;
  }

  /** How many transactions wait. */
  get queued(): number {
    return this.#queue.length;
  }

  transact<Result>(transaction: Transaction<Result>, signal?: Cancellation): Promise<Outcome<Result>> {
    if (this.#closed) return Promise.reject(closedError());
    if (this.#queue.length >= QUEUE_LIMIT) {
      return Promise.reject(new StorageError('overloaded', `more than ${QUEUE_LIMIT} writes are waiting`));
    }
    return new Promise((resolve, reject) => {
      const queuedAt = performance.now();
      const answer = { resolve: resolve as QueuedTransaction['resolve'], reject };
      this.#enqueue({ transaction, queuedAt, signal, rounds: 0, ...answer });
    });
  }

  #enqueue(queued: QueuedTransaction): void {
    this.#queue.push(queued);
    this.#delay.grownTo(this.#queue.length);
    this.#running ??= this.#run();
  }

  /** Others are written while a transaction waits for the disk. */
  #enqueueLoaded({ queued, read }: ColdTransaction): void {
    queued.rounds++;
    const loading = read
      .load()
      .then(
        () => this.#enqueue(queued),
        (error: unknown) => queued.reject(error),
      )
      .finally(() => this.#loading.delete(loading));
    this.#loading.add(loading);
  }

  /** Refuses new transactions and waits for those that were accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running !== undefined || this.#loading.size > 0) await Promise.all([this.#running, ...this.#loading]);
  }

  async #run(): Promise<void> {
    // One turn of the event loop, so that requests that arrived together go in one batch.
    await yieldToLoop();
    while (this.#queue.length > 0) {
      if (!this.#closed) await this.#delay.wait(this.#queue.length);
      await this.#turn();
      const transactions = this.#queue.splice(0, BATCH_WRITES);
      const began = performance.now();
      this.#observer?.dequeued(began - (transactions[0]?.queuedAt ?? began));
      let completed = transactions.length;
      const release = this.#cacher.hold();
      try {
        const remaining = await this.#commit(transactions);
        this.#queue.unshift(...remaining);
        completed -= remaining.length;
      } catch (error) {
        for (const queued of transactions) queued.reject(error);
      } finally {
        release();
      }
      this.#delay.committed(this.#queue.length, completed, performance.now() - began);
    }
    this.#running = undefined;
  }

  /** Servers that share the log append in turns. If the wait for what others wrote fails, the append finds out. */
  async #turn(): Promise<void> {
    const end = await this.#backend.turn?.();
    if (end !== undefined) await this.#catchUp(end).catch(() => undefined);
  }

  /** Commits as many as fit, from the front; returns those that are to be tried again. */
  async #commit(transactions: readonly QueuedTransaction[]): Promise<readonly QueuedTransaction[]> {
    const live = refuseAborted(transactions);
    const { state, definitions, logId } = this.#cacher;
    const evaluation = new Evaluation(state.draft(), definitions);
    const { evaluated, cold } = await evaluateAll(evaluation, live);
    for (const one of cold) this.#enqueueLoaded(one);
    // The batch takes them in order, from the front.
    const rest = live.slice(evaluated.length + cold.length);
    if (evaluated.length === 0) {
      this.#backend.pass?.();
      return rest;
    }
    if (await this.#append(evaluation, evaluated, logId)) return rest;
    return [...evaluated.map(({ queued }) => queued), ...rest];
  }

  /** True if every evaluated transaction has its answer; false if all must be evaluated again on a newer state. */
  async #append(evaluation: Evaluation, evaluated: readonly EvaluatedTransaction[], logId: number): Promise<boolean> {
    const base = evaluation.baseRevision;
    if (evaluation.changes.length === 0) return this.#confirm(base, evaluated, logId);
    // While the state is loaded again, nothing can be written on top of it. To ask the store would only tell it the
    // same once more.
    if (logId !== this.#cacher.logId || this.#cacher.isDiverged)
      return this.#failed(setBack(base, 'diverged'), evaluated);
    const { parent, changes, counters } = evaluation;
    const batch = { commitId: randomUUID(), parent, changes, counters };
    const began = performance.now();
    try {
      await this.#backend.append(base, batch);
    } catch (error) {
      this.#observer?.appended(batch.changes.length, performance.now() - began, error);
      return this.#failed(error, evaluated);
    }
    this.#observer?.appended(batch.changes.length, performance.now() - began);
    if (logId !== this.#cacher.logId) return this.#failed(setBack(base, 'unknown'), evaluated);
    this.#cacher.publish(evaluation.finish(batch.commitId), evaluation.applied);
    answer(evaluated, evaluation.revision);
    return true;
  }

  /**
   * There is nothing to write. But the state that the transactions read must still be the newest one. Otherwise a
   * refusal could be outdated.
   */
  async #confirm(base: number, evaluated: readonly EvaluatedTransaction[], logId: number): Promise<boolean> {
    this.#backend.pass?.();
    const end = await this.#backend.end();
    if (end > base) {
      await this.#catchUp(end);
      return false;
    }
    if (end < base || logId !== this.#cacher.logId || this.#cacher.isDiverged) throw setBack(base, 'diverged');
    answer(evaluated, base);
    return true;
  }

  async #failed(error: unknown, evaluated: readonly EvaluatedTransaction[]): Promise<boolean> {
    if (isStorageError(error, 'behind')) {
      await this.#catchUp(await this.#backend.end());
      return false;
    }
    if (isStorageError(error, 'rejected') && (await this.#rejectOne(error, evaluated))) return true;
    if (mayFitInParts(error) && (await this.#eachAlone(evaluated))) return true;
    for (const { queued, applied } of evaluated) queued.reject(applied.length > 0 ? error : undecided(error));
    if (isStorageError(error, 'unknown')) await this.#catchUpWithLog();
    return true;
  }

  /** If this server cannot read a change, or the change does not arrive, writes must not wait for it without end. */
  async #catchUp(end: number): Promise<void> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(notCaughtUp()), this.#catchUpWithin);
    try {
      await this.#cacher.catchUp(end, controller.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Only the log tells whether the lost write happened. If it did, reads here must show it as soon as they can. */
  async #catchUpWithLog(): Promise<void> {
    try {
      await this.#catchUp(await this.#backend.end());
    } catch {
      // The store is still away. The next append finds out.
    }
  }

  /** One object that the store cannot take fails its own transaction alone; the others are tried again without it. */
  async #rejectOne(error: StorageError, evaluated: readonly EvaluatedTransaction[]): Promise<boolean> {
    const suspects = evaluated.filter(({ applied }) => applied.some(({ key }) => key === error.key));
    const [guilty] = suspects;
    if (guilty === undefined) return false;
    if (suspects.length === 1) guilty.queued.reject(error);
    const retried = evaluated.filter((other) => suspects.length > 1 || other !== guilty).map(({ queued }) => queued);
    // Several transactions wrote that object. Each is tried alone, so that only those are refused that the store cannot
    // take.
    const batches = suspects.length > 1 ? retried.map((queued) => [queued]) : [retried];
    for (const batch of batches) await this.#commitAll(batch);
    return true;
  }

  /** Only the transactions that are too large by themselves fail. False if there is only one. */
  async #eachAlone(evaluated: readonly EvaluatedTransaction[]): Promise<boolean> {
    if (evaluated.length < 2) return false;
    for (const { queued } of evaluated) await this.#commitAll([queued]);
    return true;
  }

  async #commitAll(batch: readonly QueuedTransaction[]): Promise<void> {
    let remaining = batch;
    while (remaining.length > 0) remaining = await this.#commit(remaining);
  }
}

function mayFitInParts(error: unknown): boolean {
  return isStorageError(error, 'too-large') || (isStorageError(error) && error.isFull);
}

/** Rejects the transactions that nobody waits for any more, and returns the others. */
function refuseAborted(transactions: readonly QueuedTransaction[]): readonly QueuedTransaction[] {
  const live: QueuedTransaction[] = [];
  for (const queued of transactions) {
    if (queued.signal?.aborted === true) queued.reject(queued.signal.reason);
    else live.push(queued);
  }
  return live;
}

/** What was evaluated, or appended, is not on top of what the store has now. */
function setBack(base: number, code: 'unknown' | 'diverged'): StorageError {
  return new StorageError(code, `the store was set back while a write was made on top of revision ${base}`);
}

function notCaughtUp(): StorageError {
  return new StorageError('unavailable', 'this server does not keep up with what others wrote; nothing was written');
}

/**
 * For a transaction that wrote nothing. It read the writes of others in the batch, which may not be stored, so its
 * answer may be wrong, too.
 */
function undecided(error: unknown): unknown {
  if (!isStorageError(error, 'unknown')) return error;
  return new StorageError('unavailable', 'the store failed before this could be decided; nothing of it was written', {
    cause: error,
  });
}

function answer(evaluated: readonly EvaluatedTransaction[], revision: number): void {
  for (const { queued, applied, result, error } of evaluated) {
    if (error === undefined) queued.resolve({ revision, applied, result });
    else queued.reject(error);
  }
}
