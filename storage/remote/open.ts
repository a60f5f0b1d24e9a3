import { Caller, type Port } from '../../pkg/system/ipc/calls.js';
import { yieldingAsync, yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { Backend, Batch, Commit, Revision, Stored } from '../backend.js';
import { divergedError, StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { Signal } from '../signal.js';
import type { Space } from '../space.js';
import { untilEither } from '../until.js';
import { encodeBatch } from './batch.js';
import { storageErrors } from './errors.js';
import { appendedOf } from './notices.js';
import type { StoreReads } from './reads.js';

/**
 * The store of another process on the same machine, which shares it with `shareBackend`. Reads use `reads`; only what
 * changes the store is asked of its owner. Several processes may append, so each follows the log. The owner goes on
 * when this one is closed.
 */
export function openRemote(port: Port, reads: StoreReads): Backend {
  return new RemoteBackend(port, reads);
}

class RemoteBackend implements Backend {
  readonly shared = true;
  readonly #owner: Caller;
  readonly #reads: StoreReads;
  readonly #closing = new AbortController();
  readonly #appends = new Set<Promise<void>>();
  /** The log has grown. */
  readonly #grown = new Signal();
  /** The newest end of the log that is known here. */
  #known: Revision = 0;
  #asking: Promise<Revision> | undefined;
  /** Whether nobody else wanted to append when this process did so the last time. */
  #isAlone = false;

  constructor(port: Port, reads: StoreReads) {
    this.#owner = new Caller(port, storageErrors, disconnectedError);
    this.#reads = reads;
    port.listen((message) => {
      const end = appendedOf(message);
      if (end === undefined) return;
      this.#isAlone = false;
      this.#learn(end);
    });
  }

  /** One look at the store answers all who ask in the same turn of the event loop. */
  end(): Promise<Revision> {
    this.#asking ??= yieldToLoop().then(() => this.#look());
    return this.#asking;
  }

  async commitAt(revision: Revision): Promise<string | undefined> {
    return this.#use().commitAt(revision);
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    this.#use();
    const append = this.#owner.call<boolean>('append', after, encodeBatch(batch));
    const ended = append.then(
      (isAlone) => this.#appended(after + batch.changes.length, isAlone),
      () => this.#appended(after, false),
    );
    this.#appends.add(ended);
    void ended.finally(() => this.#appends.delete(ended));
    await append;
  }

  /**
   * A process that appends alone does not ask for turns. If two begin at the same time, one of them is refused, and
   * asks the next time.
   */
  async turn(): Promise<Revision> {
    if (this.#isAlone) return this.#known;
    const end = await this.#owner.call<Revision>('turn').catch(() => 0);
    this.#learn(end);
    return end;
  }

  pass(): void {
    if (!this.#closing.signal.aborted && !this.#isAlone) this.#owner.call('pass').catch(() => undefined);
  }

  tail(after: Revision, signal: AbortSignal, known = (): Revision => after, commitId?: string): AsyncIterable<Commit> {
    return untilEither([signal, this.#closing.signal], (stop) =>
      yieldingAsync(this.#tail(after, stop, known, commitId)),
    );
  }

  async *#tail(after: Revision, stop: AbortSignal, known: () => Revision, commitId?: string): AsyncIterable<Commit> {
    if (commitId !== undefined && after > this.#reads.compacted() && this.#reads.commitAt(after) !== commitId)
      throw divergedError(after);
    let position = after;
    while (!stop.aborted) {
      position = Math.max(position, known());
      const commits = this.#reads.commits(position);
      if (commits.length === 0) await this.#grown.waitOrAbort(stop);
      for (const commit of commits) {
        if (stop.aborted) return;
        position = commit.end;
        yield commit;
      }
    }
  }

  load(resource: string): AsyncIterable<readonly Stored[]> {
    return this.#reads.load(resource);
  }

  async counters(): Promise<ReadonlyMap<string, number>> {
    return this.#use().counters();
  }

  async get(keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>> {
    return this.#use().get(keys);
  }

  async revisionBefore(age: number): Promise<Revision> {
    return this.#use().revisionBefore(age);
  }

  async compacted(): Promise<Revision> {
    return this.#use().compacted();
  }

  async logBytes(): Promise<number> {
    return this.#use().logBytes();
  }

  async space(): Promise<Space> {
    return this.#use().space();
  }

  async materialize(): Promise<Revision> {
    this.#use();
    return this.#owner.call<Revision>('materialize');
  }

  async compact(through: Revision): Promise<void> {
    this.#use();
    return this.#owner.call('compact', through);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#appends);
    await this.#reads.close();
  }

  #look(): Revision {
    this.#asking = undefined;
    const end = this.#use().end();
    this.#learn(end);
    return end;
  }

  /** The writer publishes what it has appended before others follow the log to there. */
  async #appended(end: Revision, isAlone: boolean): Promise<void> {
    this.#isAlone = isAlone;
    await yieldToLoop();
    this.#learn(end);
  }

  /** Wakes those who follow the log. */
  #learn(end: Revision): void {
    if (end <= this.#known) return;
    this.#known = end;
    this.#grown.notify();
  }

  #use(): StoreReads {
    if (this.#closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
    return this.#reads;
  }
}

/** The owner may have done what it was asked last. */
function disconnectedError(): StorageError {
  return new StorageError('unknown', 'The process that has the store is gone.');
}
