import { setImmediate as turn } from 'node:timers/promises';
import { Caller, type Port } from '../../pkg/ipc/calls.js';
import type { Backend, Batch, Commit, Count, CountRange, IndexRange, Revision, Row, Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { Signal } from '../signal.js';
import { encodeBatch } from './batch.js';
import { storageErrors } from './errors.js';
import { appendedOf } from './news.js';
import type { StoreReads } from './reads.js';

/**
 * The store of another process on the same machine, which shares it with `shareBackend`. Reads use `reads`; only what changes the store is asked of its
 * owner. Several processes may append, so each follows the log. The owner goes on when this one is closed.
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
  /** Someone has appended. */
  readonly #appended = new Signal();
  /** The newest end of the log that is known here. */
  #known: Revision = 0;
  #asking: Promise<Revision> | undefined;

  constructor(port: Port, reads: StoreReads) {
    this.#owner = new Caller(port, storageErrors, gone);
    this.#reads = reads;
    port.listen((message) => {
      const end = appendedOf(message);
      if (end !== undefined) this.#learn(end);
    });
  }

  /** One look at the store answers all who ask in the same turn of the event loop. */
  end(): Promise<Revision> {
    this.#asking ??= turn().then(() => this.#look());
    return this.#asking;
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    this.#use();
    const append = this.#owner.call<void>('append', after, encodeBatch(batch));
    const ended = append.catch(() => undefined).finally(() => this.#appends.delete(ended));
    this.#appends.add(ended);
    await append;
    this.#learn(after + batch.changes.length);
  }

  async turn(): Promise<Revision> {
    return this.#owner.call<Revision>('turn').catch(() => 0);
  }

  pass(): void {
    if (!this.#closing.signal.aborted) this.#owner.call('pass').catch(() => undefined);
  }

  async *tail(after: Revision, signal: AbortSignal): AsyncIterable<Commit> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    let position = after;
    while (!stop.aborted) {
      const commits = this.#reads.commits(position);
      if (commits.length === 0) await this.#appended.waitOrAbort(stop);
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

  async range(resource: string, range: IndexRange): Promise<readonly Row[]> {
    return this.#use().range(resource, range);
  }

  async counts(resource: string, range: CountRange): Promise<readonly Count[]> {
    return this.#use().counts(resource, range);
  }

  async revisionBefore(age: number): Promise<Revision> {
    return this.#use().revisionBefore(age);
  }

  async compacted(): Promise<Revision> {
    return this.#use().compacted();
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

  /** Wakes those who follow the log. */
  #learn(end: Revision): void {
    if (end <= this.#known) return;
    this.#known = end;
    this.#appended.notify();
  }

  #use(): StoreReads {
    if (this.#closing.signal.aborted) throw new StorageError('closed', 'The store is closed.');
    return this.#reads;
  }
}

/** What was asked last may have been done. */
function gone(): StorageError {
  return new StorageError('unknown', 'The process that has the store is gone.');
}
