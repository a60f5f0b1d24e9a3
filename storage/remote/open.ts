import { setImmediate as turn } from 'node:timers/promises';
import { Caller, type Port } from '../../pkg/ipc/calls.js';
import type {
  Backend,
  Batch,
  Change,
  Commit,
  Count,
  CountRange,
  IndexRange,
  Revision,
  Row,
  Stored,
} from '../backend.js';
import { StorageError } from '../errors.js';
import { GroupCommitDelay } from '../group-commit.js';
import type { Key } from '../key.js';
import { storageErrors } from './errors.js';

/**
 * The backend of another process on the same machine, which shares it with `shareBackend`. Several processes may append, so each follows the log. The
 * process that owns the backend goes on when this one is closed.
 */
export function openRemote(port: Port): Backend {
  return new RemoteBackend(port);
}

/** A call of `end` that waits for its answer. */
interface Asking {
  resolve(end: Revision): void;
  reject(error: unknown): void;
}

class RemoteBackend implements Backend {
  readonly shared = true;
  readonly #owner: Caller;
  readonly #closing = new AbortController();
  readonly #appends = new Set<Promise<void>>();
  readonly #asking: Asking[] = [];
  readonly #delay = new GroupCommitDelay();
  #isAsking = false;

  constructor(port: Port) {
    this.#owner = new Caller(port, storageErrors, gone);
  }

  /** One message at a time asks for all calls that came before it was sent. */
  end(): Promise<Revision> {
    if (this.#closing.signal.aborted) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.#asking.push({ resolve, reject });
      this.#delay.grownTo(this.#asking.length);
      if (this.#asking.length === 1 && !this.#isAsking) void this.#ask();
    });
  }

  /** Callers whose reads were answered together often read again at once, so the first waits for the others for a short time. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    await turn();
    while (this.#asking.length > 0) {
      await this.#delay.wait(this.#asking.length);
      const asked = this.#asking.splice(0);
      const began = performance.now();
      await this.#call<Revision>('end').then(
        (end) => {
          for (const { resolve } of asked) resolve(end);
        },
        (error: unknown) => {
          for (const { reject } of asked) reject(error);
        },
      );
      this.#delay.committed(this.#asking.length, asked.length, performance.now() - began);
    }
    this.#isAsking = false;
  }

  async append(after: Revision, batch: Batch): Promise<void> {
    this.#refuseClosed();
    const append = this.#owner.call<void>('append', after, batch);
    const ended = append.catch(() => undefined).finally(() => this.#appends.delete(ended));
    this.#appends.add(ended);
    await append;
  }

  async turn(): Promise<Revision> {
    return this.#call<Revision>('turn').catch(() => 0);
  }

  async *tail(after: Revision, signal: AbortSignal): AsyncIterable<Commit> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    if (stop.aborted) return;
    for await (const commit of this.#owner.stream<Commit>('tail', stop, after)) {
      yield { ...commit, changes: commit.changes.map(ownChange) };
    }
  }

  async *load(resource: string): AsyncIterable<readonly Stored[]> {
    this.#refuseClosed();
    const chunks = this.#owner.stream<readonly Stored[]>('load', this.#closing.signal, resource);
    for await (const chunk of chunks) yield chunk.map(ownStored);
    this.#refuseClosed();
  }

  counters(): Promise<ReadonlyMap<string, number>> {
    return this.#call('counters');
  }

  async get(keys: readonly Key[]): Promise<ReadonlyMap<Key, Stored>> {
    const found = await this.#call<ReadonlyMap<Key, Stored>>('get', keys);
    return new Map([...found].map(([key, stored]) => [key, ownStored(stored)]));
  }

  async range(resource: string, range: IndexRange): Promise<readonly Row[]> {
    const rows = await this.#call<readonly Row[]>('range', resource, range);
    return rows.map(({ rowKey, stored }) => ({ rowKey, stored: ownStored(stored) }));
  }

  counts(resource: string, range: CountRange): Promise<readonly Count[]> {
    return this.#call('counts', resource, range);
  }

  revisionBefore(age: number): Promise<Revision> {
    return this.#call('revisionBefore', age);
  }

  compacted(): Promise<Revision> {
    return this.#call('compacted');
  }

  compact(through: Revision): Promise<void> {
    return this.#call('compact', through);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#appends);
  }

  async #call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    this.#refuseClosed();
    return this.#owner.call<T>(method, ...args);
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw closed();
  }
}

/** Values in a message are parts of its memory, which one that is kept would keep alive. */
function ownStored(stored: Stored): Stored {
  return { ...stored, value: Uint8Array.from(stored.value) };
}

function ownChange({ value, previous, ...change }: Change): Change {
  return {
    ...change,
    ...(value && { value: Uint8Array.from(value) }),
    ...(previous && { previous: ownStored(previous) }),
  };
}

function closed(): StorageError {
  return new StorageError('closed', 'The store is closed.');
}

/** What was asked last may have been done. */
function gone(): StorageError {
  return new StorageError('unknown', 'The process that has the store is gone.');
}
