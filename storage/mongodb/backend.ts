import pLimit from 'p-limit';
import { yieldingAsync } from '../../pkg/system/yielding/yielding.js';
import type { Backend, Batch, Commit, Revision } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { LogEnd } from '../log/log-end.js';
import { Turns } from '../log/turns.js';
import { untilEither } from '../until.js';
import { Appender } from './append/append.js';
import { RecentCommits } from './append/recent.js';
import { watchClock } from './connection/clock.js';
import type { Database } from './connection/database.js';
import { isOutage, storageError } from './connection/errors.js';
import { LogFollower } from './follow/log-follower.js';
import { tail } from './follow/tail.js';
import { commitAt } from './log/chain.js';
import { compact, compacted, revisionBefore } from './log/compact.js';
import { logBytes, spaceOf } from './log/size.js';
import { hasSizes, whenComplete } from './objects/complete.js';
import { type Materialization, materialize } from './objects/materialize.js';
import { counters, get, load } from './objects/read.js';
import { UnstoredChanges } from './objects/unstored.js';
import { askForTurn } from './peers/ask.js';
import { Heartbeat } from './peers/heartbeat.js';
import { ReadIndex } from './peers/read-index.js';

/** The contract is in storage/backend.ts; `openMongodb` opens it. */
export class MongodbBackend implements Backend {
  readonly shared = true;
  readonly #database: Database;
  readonly #heartbeat: Heartbeat;
  readonly #readIndex: ReadIndex;
  readonly #appender: Appender;
  readonly #turns: Turns;
  readonly #follower: LogFollower;
  readonly #recent = new RecentCommits();
  readonly #unstored: UnstoredChanges;
  readonly #oneBulkAtATime = pLimit(1);
  readonly #known = new LogEnd(() => {
    this.#recent.clear();
    this.#unstored.forget();
    this.#stored = 0;
    this.#turns.diverged();
  });
  readonly #closing = new AbortController();
  readonly #stopClock: () => void;
  #closed: Promise<void> | undefined;
  /** The revision of the objects, as far as known. */
  #stored: Revision = 0;
  /**
   * How many callers wait until the database is complete. Objects that come back must not meet changes of a later time.
   */
  #incomplete = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#heartbeat = new Heartbeat(database);
    this.#unstored = new UnstoredChanges(database);
    this.#readIndex = new ReadIndex(database, this.#heartbeat, this.#known);
    this.#appender = new Appender(database, this.#heartbeat.id, this.#readIndex, this.#known);
    this.#turns = new Turns(this.#heartbeat.id);
    this.#follower = new LogFollower(database, this.#heartbeat, this.#turns, this.#known);
    this.#stopClock = watchClock(database);
    database.monitor.end = () => this.#known.revision;
  }

  get logId(): number {
    return this.#known.logId;
  }

  end(signal?: AbortSignal): Promise<Revision> {
    return this.#use(() => abortable(this.#readIndex.ask(), signal));
  }

  async whenComplete(signal: AbortSignal): Promise<void> {
    this.#incomplete++;
    await whenComplete(this.#database, AbortSignal.any([signal, this.#closing.signal])).finally(() => {
      this.#incomplete--;
    });
  }

  async isComplete(revision: Revision, sizes: ReadonlyMap<string, number>): Promise<boolean> {
    return this.#use(() => hasSizes(this.#database, this.#unstored, revision, sizes));
  }

  commitAt(revision: Revision): Promise<string | undefined> {
    return this.#use(() => commitAt(this.#database, revision));
  }

  append(after: Revision, batch: Batch): Promise<void> {
    return this.#use(async () => {
      await this.#appender.append(after, batch).catch((error: unknown) => {
        if (isStorageError(error, 'behind') && this.#turns.lost()) void askForTurn(this.#database, this.#heartbeat.id);
        throw error;
      });
      const end = after + batch.changes.length;
      this.#recent.add(after, batch);
      this.#turns.committed(this.#heartbeat.id, end);
      if (batch.changes.length > 0) this.#known.advance({ revision: end, commitId: batch.commitId });
    });
  }

  turn(): Promise<Revision> {
    return this.#turns.wait(this.#closing.signal);
  }

  tail(after: Revision, signal: AbortSignal, known?: () => Revision, commitId?: string): AsyncIterable<Commit> {
    const source = { database: this.#database, follower: this.#follower, recent: this.#recent };
    return untilEither([signal, this.#closing.signal], (stop) =>
      yieldingAsync(tail(source, { after, commitId, known }, stop)),
    );
  }

  async *load(resource: string) {
    this.#refuseClosed();
    try {
      yield* load(this.#database, this.#unstored, resource);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  counters() {
    return this.#use(() => counters(this.#database));
  }

  get(keys: readonly Key[]) {
    return this.#use(() => get(this.#database, this.#unstored, keys));
  }

  revisionBefore(age: number) {
    return this.#use(() => revisionBefore(this.#database, age));
  }

  compacted() {
    return this.#use(() => compacted(this.#database));
  }

  logBytes() {
    return this.#use(() => logBytes(this.#database));
  }

  space() {
    return this.#use(() => spaceOf(this.#database));
  }

  materialize(): Promise<Revision> {
    return this.#use(() => this.#oneBulkAtATime(() => this.#materialize()));
  }

  get #materialization(): Materialization {
    return { database: this.#database, known: this.#known, recent: this.#recent, signal: this.#closing.signal };
  }

  /**
   * A database that is being restored is left alone. Before a compaction, what this server knows of the objects does
   * not count: they may have been set back.
   */
  async #materialize(through?: Revision): Promise<Revision> {
    const { logId, revision } = this.#known;
    if (this.#incomplete > 0) return 0;
    if (through === undefined && this.#stored > 0 && this.#stored === revision) return this.#stored;
    const stored = await materialize(this.#materialization, through);
    if (logId !== this.#known.logId) return 0;
    this.#stored = stored;
    this.#unstored.forget();
    return stored;
  }

  compact(through: Revision): Promise<void> {
    return this.#use(async () => {
      await this.#readIndex.ask();
      await compact(this.#database, through, await this.#oneBulkAtATime(() => this.#materialize(through)));
      this.#recent.clear();
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#stopClock();
    await this.#oneBulkAtATime(() => undefined);
    await this.#appender.close();
    await this.#follower.stop();
    await this.#readIndex.close();
    await this.#heartbeat.leave();
    await this.#database.client.close();
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    try {
      return await work();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
  }

  #translate(error: unknown): StorageError {
    const found = storageError(error);
    if (!this.#closing.signal.aborted && isOutage(found)) this.#database.monitor.failed(found);
    if (isStorageError(error) || !this.#closing.signal.aborted) return found;
    return new StorageError('closed', 'The store was closed in the meantime.', { cause: error });
  }
}

/** Rejects when the signal aborts. The answer, which other callers share, is not cancelled. */
async function abortable<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return answer;
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new StorageError('unavailable', 'The caller gave up waiting.', { cause: signal.reason }));
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
