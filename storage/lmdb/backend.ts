import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { runStepsYielding, yieldingAsync, yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Backend, Batch, Commit, Revision, Stored } from '../backend.js';
import { compactedError, divergedError, isStorageError, StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { Signal } from '../signal.js';
import type { Space } from '../space.js';
import { untilEither } from '../until.js';
import { BULK, type Bulk, bulkAfter, bulkOf, pendingBytesAfter, smallerLimit } from './bulk.js';
import { commitInParts, failureOf, refuseIfFull } from './commit.js';
import { WriteGate } from './gate.js';
import { commitAt, keysThrough, lastBeforeSteps, readCommits } from './log.js';
import { PendingChanges } from './pending.js';
import { planAppend, type WriteOperation } from './plan.js';
import { type DiskSpace, RESERVES, roomForObjects } from './room.js';
import { logBytes, spaceOf, usableOf } from './size.js';
import { type End, type LmdbTables, META } from './tables.js';
import { countersNow, forgetUnstored, getNewest, loadNewest, storedThrough } from './unstored.js';

interface LmdbContext {
  /** The data folder, for messages and to find the free space on its disk. */
  readonly path: string;
  readonly now: () => number;
  release(): Promise<void>;
}

/**
 * The embedded store. Reads are synchronous look-ups in mapped memory, in limited chunks. Writes go to the thread of
 * lmdb-js, one transaction at a time. This process is the only writer, so it keeps the ends of the log in memory.
 */
export class LmdbBackend implements Backend {
  readonly shared = false;
  readonly #tables: LmdbTables;
  readonly #context: LmdbContext;
  readonly #closing = new AbortController();
  readonly #appended = new Signal();
  readonly #oneAtATime = pLimit(1);
  readonly #oneBulkAtATime = pLimit(1);
  readonly #gate: WriteGate;
  readonly #pending = new PendingChanges();
  #last: End;
  #compacted: Revision;
  #stored: Revision;
  /** The room that the changes after `#stored` may need among the objects, in bytes. */
  #pendingBytes: number;
  #broken: StorageError | undefined;
  #closed: Promise<void> | undefined;
  /** When a compaction last removed something. */
  #deletedAt = Number.NEGATIVE_INFINITY;

  constructor(tables: LmdbTables, context: LmdbContext) {
    this.#tables = tables;
    this.#context = context;
    this.#gate = new WriteGate(context.path);
    this.#last = tables.meta.get(META.end) as End;
    this.#compacted = tables.meta.get(META.compacted) as Revision;
    this.#stored = storedThrough(tables);
    this.#pendingBytes = pendingBytesAfter(tables, this.#stored);
  }

  /**
   * Reads return a commit shortly before its append resolves, so this reads the table, too. A commit that is not of
   * this process ends the writes.
   */
  async end(): Promise<Revision> {
    const { end } = this.#use().meta.get(META.end) as End;
    if (this.#broken !== undefined || end <= this.#last.end) return this.#last.end;
    if (this.#oneAtATime.activeCount === 0) this.#break(brokenError(this.#context.path));
    return Math.max(end, this.#last.end);
  }

  async commitAt(revision: Revision): Promise<string | undefined> {
    return commitAt(this.#use(), revision);
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    this.#use();
    // A batch without changes writes its counters at once. No bulk may write older ones after it.
    if (batch.changes.length === 0) await this.#oneBulkAtATime(() => this.#append(after, batch));
    else await this.#appendOrMakeRoom(after, batch);
    this.#appended.notify();
  }

  /**
   * A bulk frees the pages of replaced and removed objects, and no bytes are pending after it. So a disk that is short
   * of space may have room for the batch then. Removals also wait for a compaction that is under way: many of them come
   * faster than it can follow.
   */
  async #appendOrMakeRoom(after: Revision, batch: Batch): Promise<void> {
    const until = performance.now() + (reserveOf(batch) === RESERVES.removals ? PATIENCE : 0);
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#append(after, batch);
      } catch (error) {
        const mayHelp = isFirst && this.#stored < this.#last.end;
        if (!isStorageError(error, 'unavailable') || !(mayHelp || this.#isCompactingUntil(until))) throw error;
      }
      await this.materialize();
      if (!isFirst) await sleep(PAUSE);
    }
  }

  #isCompactingUntil(until: number): boolean {
    const now = performance.now();
    return now < until && now - this.#deletedAt < COMPACTING && !this.#closing.signal.aborted;
  }

  async #append(after: Revision, batch: Batch): Promise<void> {
    await this.#oneAtATime(async () => {
      if (this.#broken !== undefined) throw this.#broken;
      const { end } = this.#last;
      if (after > end && batch.parent !== undefined) throw divergedError(after);
      if (after !== end) throw new StorageError('behind', `The log ends at ${end}, not at ${after}.`);
      if (batch.parent !== undefined && batch.parent !== this.#last.commit) throw divergedError(after);
      const last = this.#after(batch);
      const isLarge = isLargeBatch(batch);
      // The work on a large batch before and after this takes time, too. The event loop takes its turns in between.
      if (isLarge) await yieldToLoop();
      const [operations, pendingBytes] = [await planAppend(after, batch, last), roomForObjects(batch.changes)];
      await this.#commit(operations, { ...reserveOf(batch), pendingBytes: this.#pendingBytes + pendingBytes });
      this.#last = last;
      this.#pendingBytes += pendingBytes;
      this.#pending.add(after, batch);
      if (isLarge) await yieldToLoop();
    });
  }

  /** The end of the log after a batch. A commit without changes has no place in the log. */
  #after({ commitId, changes }: Batch): End {
    const last = { end: this.#last.end + changes.length, at: Math.max(this.#context.now(), this.#last.at) };
    const id = changes.length > 0 ? commitId : this.#last.commit;
    return id === undefined ? last : { ...last, commit: id };
  }

  tail(after: Revision, signal: AbortSignal, _known?: () => Revision, commitId?: string): AsyncIterable<Commit> {
    return untilEither([signal, this.#closing.signal], (stop) => yieldingAsync(this.#tail(after, stop, commitId)));
  }

  async *#tail(after: Revision, stop: AbortSignal, commitId?: string): AsyncIterable<Commit> {
    if (commitId !== undefined && after > this.#compacted && commitAt(this.#tables, after) !== commitId)
      throw divergedError(after);
    let position = after;
    while (!stop.aborted) {
      if (position < this.#compacted) throw compactedError(position, this.#compacted);
      if (position >= this.#last.end) {
        await this.#appended.waitOrAbort(stop);
        continue;
      }
      for (const commit of readCommits(this.#tables, position, this.#last.end)) {
        if (stop.aborted) return;
        position = commit.end;
        yield commit;
      }
    }
  }

  load(resource: string): AsyncIterable<readonly Stored[]> {
    return loadNewest(() => this.#use(), resource);
  }

  async counters(): Promise<ReadonlyMap<string, number>> {
    return countersNow(this.#use());
  }

  async get(keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>> {
    return getNewest(this.#use(), keys);
  }

  async revisionBefore(age: number): Promise<Revision> {
    const moment = this.#context.now() - age;
    return runStepsYielding(lastBeforeSteps(() => this.#use(), moment, this.#compacted, this.#last.end));
  }

  async compacted(): Promise<Revision> {
    this.#use();
    return this.#compacted;
  }

  async logBytes(): Promise<number> {
    return logBytes(this.#use());
  }

  async space(): Promise<Space> {
    return spaceOf(this.#use(), this.#context.path);
  }

  async materialize(): Promise<Revision> {
    this.#use();
    await this.#oneBulkAtATime(() => this.#materialize());
    return this.#stored;
  }

  async compact(through: Revision): Promise<void> {
    this.#use();
    const failure = through > this.#stored ? await failureIn(this.materialize()) : undefined;
    // On a full disk, what is in the objects already can still be removed. That makes room.
    await this.#oneAtATime(() => this.#announce(through));
    // In chunks, each in a short transaction, so that appends can run in between.
    while (!this.#closing.signal.aborted && (await this.#oneAtATime(() => this.#deleteSome())));
    if (failure !== undefined) throw failure;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    // If nothing is left, the next server starts faster. On a full disk this fails, and the next server does it.
    await this.#oneBulkAtATime(() => this.#materialize()).catch(() => undefined);
    await this.#oneAtATime(async () => {
      await this.#gate.close();
      await this.#context.release();
    });
  }

  /** Carries the log up to its end at the call. To follow a log that grows would take a transaction for each commit. */
  async #materialize(): Promise<void> {
    const { end } = this.#last;
    let limit = BULK;
    while (this.#stored < end) {
      const bulk = await this.#nextBulk(end, limit);
      const failure = await failureIn(this.#store(bulk));
      if (failure !== undefined) limit = this.#smallerLimit(limit, failure);
    }
  }

  async #nextBulk(end: Revision, limit: number): Promise<Bulk> {
    const part = limit < BULK ? undefined : this.#pending.take(this.#stored);
    return part === undefined ? bulkAfter(this.#tables, this.#stored, end, limit) : bulkOf(this.#tables, part);
  }

  /** On a disk that is almost full, less may still fit, down to one commit. */
  #smallerLimit(limit: number, failure: unknown): number {
    if (this.#broken !== undefined || limit === 0 || !isStorageError(failure, 'unavailable')) throw failure;
    return smallerLimit(limit);
  }

  async #store({ through, operations, pendingBytes }: Bulk): Promise<void> {
    await this.#oneAtATime(async () => {
      await this.#commit(operations, { ...RESERVES.bulks, pendingBytes: 0 });
      this.#stored = through;
      this.#pendingBytes -= pendingBytes;
      forgetUnstored(this.#tables);
    });
  }

  async #announce(through: Revision): Promise<void> {
    const point = Math.min(through, this.#stored);
    if (point <= this.#compacted) return;
    await this.#commit([{ table: 'meta', key: META.compacted, value: point, version: 1 }], COMPACTION);
    this.#compacted = point;
  }

  /**
   * Deletes some keys, also those that an earlier compaction left when the process crashed. Returns whether there may
   * be more.
   */
  async #deleteSome(): Promise<boolean> {
    if (this.#closing.signal.aborted) return false;
    const keys = keysThrough(this.#tables, this.#compacted);
    if (keys.length === 0) return false;
    const failure = await failureIn(this.#remove(keys));
    if (failure !== undefined && !isStorageError(failure, 'unavailable')) throw failure;
    if (failure !== undefined) await this.#remove(keys.slice(0, FEW));
    this.#deletedAt = performance.now();
    return true;
  }

  #remove(keys: readonly Uint8Array[]): Promise<void> {
    const operations = keys.map((key): WriteOperation => ({ table: 'log', key }));
    return this.#commit(operations, COMPACTION);
  }

  async #commit(operations: readonly WriteOperation[], reserved: DiskSpace): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken;
    const { path } = this.#context;
    const space = { ...reserved, usable: () => usableOf(this.#tables, path) };
    refuseIfFull(path, operations, space);
    let done: boolean;
    try {
      done = await commitInParts(this.#gate, this.#tables, this.#last.end, operations);
    } catch (error) {
      const failure = await failureOf(error, path, operations, space);
      if (failure.code === 'unknown') this.#break(brokenError(path, failure));
      throw failure;
    }
    if (!done) throw this.#break(brokenError(path));
  }

  /**
   * Nothing more is written. What the table has is the end of the log from now on: a commit that failed may be visible,
   * and so may one of another process. Tails must give what `end` promises. Otherwise whoever waits for it waits
   * without end.
   */
  #break(broken: StorageError): StorageError {
    this.#broken = broken;
    this.#tables.root.resetReadTxn();
    this.#last = this.#tables.meta.get(META.end) as End;
    this.#appended.notify();
    return broken;
  }

  #use(): LmdbTables {
    if (this.#closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
    return this.#tables;
  }
}

const COMPACTION: DiskSpace = { ...RESERVES.compactions, pendingBytes: 0 };
/** So many records of the log can be removed from a disk that is almost full. */
const FEW = 16;

/** The error of some work, if it fails. */
async function failureIn(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/**
 * Milliseconds that removals wait for room at most, between two tries, and after a compaction until it counts as over.
 */
const PATIENCE = 10_000;
const PAUSE = 50;
const COMPACTING = 2000;

/** To delete an object, a server also writes what the trash keeps of it. So half of the changes are removals. */
function reserveOf({ changes }: Batch): Pick<DiskSpace, 'reserve' | 'least'> {
  const removals = changes.filter(({ value }) => value === undefined).length;
  return 2 * removals >= changes.length ? RESERVES.removals : RESERVES.writes;
}

/** A batch of this many changes or bytes takes some milliseconds to make, to store and to publish. */
const LARGE_CHANGES = 1000;
const LARGE_BYTES = 256 * 1024;

function isLargeBatch({ changes }: Batch): boolean {
  if (changes.length >= LARGE_CHANGES) return true;
  let bytes = 0;
  for (const { value } of changes) bytes += value?.byteLength ?? 0;
  return bytes >= LARGE_BYTES;
}

function brokenError(path: string, cause?: StorageError): StorageError {
  const reason = cause === undefined ? 'another process has written to it' : 'its disk failed';
  return new StorageError(
    'unavailable',
    `The store in ${path} no longer accepts writes: ${reason}. Restart the server after this is fixed.`,
    { cause },
  );
}
