import { setTimeout } from 'node:timers/promises';
import type { Backend, Commit, Revision } from '../backend.js';
import { closedError, divergedError, isStorageError } from '../errors.js';
import type { Signal } from '../signal.js';
import type { State } from '../state/state.js';
import { untilEither } from '../until.js';

/** A caller that may wait. Requests create their signal on first use, so it is read only when a wait begins. */
export interface Waiting {
  readonly signal?: AbortSignal;
}

/** The cache that follows the log. */
interface Following {
  readonly backend: Backend;
  /** Is told of each change of the state, and when its log may have ended. */
  readonly changed: Signal;
  readonly state: () => State;
  /** Whether the state is of another log. */
  readonly isDiverged: () => boolean;
  readonly apply: (commit: Commit) => void;
  /** Loads the state again. */
  readonly reload: () => Promise<void>;
  /** Called when following fails. It is then retried. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Aborts when the cache is closed. */
  readonly closing: AbortSignal;
}

/** Brings the state to the end of the log: always, if others write to the store, and otherwise when somebody asks. */
export class TailFollower {
  readonly #cache: Following;

  constructor(cache: Following) {
    this.#cache = cache;
  }

  /** Applies commits as they come, until the cache is closed. */
  async follow(): Promise<void> {
    const { backend, state, apply, closing } = this.#cache;
    while (!closing.aborted) {
      try {
        const known = (): Revision => state().revision;
        const { commitId } = state();
        for await (const commit of backend.tail(known(), closing, known, commitId)) apply(commit);
      } catch (error) {
        if (closing.aborted) return;
        this.#cache.onError?.(error);
        await this.#recover(error);
      }
      // Also pauses after a tail that ended without an error, because the store was closed first. Otherwise this loop
      // would be busy.
      await pause(closing);
    }
  }

  /** Resolves once the state has everything that any server acknowledged before the call. */
  async fresh(request: Waiting): Promise<void> {
    const { backend, state } = this.#cache;
    const end = await backend.end();
    this.#refuseDiverged();
    if (state().revision < end) await this.reach(end, request.signal);
  }

  /** Resolves once the state is at `revision` or later. Rejects with the signal's reason if it aborts. */
  async reach(revision: Revision, signal?: AbortSignal): Promise<void> {
    const { state, changed, closing } = this.#cache;
    this.#refuseDiverged();
    while (state().revision < revision) {
      if (closing.aborted) throw closedError();
      await changed.wait(signal);
      this.#refuseDiverged();
    }
  }

  /** The same for a store that has one writer, so that nobody follows its log: reads the log. */
  async read(revision: Revision, signal?: AbortSignal): Promise<void> {
    const { backend, state, apply, closing } = this.#cache;
    const tail = (stop: AbortSignal): AsyncIterable<Commit> => backend.tail(state().revision, stop);
    for await (const commit of untilEither([signal ?? closing, closing], tail)) {
      apply(commit);
      if (state().revision >= revision) return;
    }
    signal?.throwIfAborted();
    throw closedError();
  }

  /** Throws `diverged` while the state is not that of the store. */
  #refuseDiverged(): void {
    if (this.#cache.isDiverged()) throw divergedError(this.#cache.state().revision);
  }

  /**
   * If the state is older than the compacted revision, or of another log, it must be loaded again. Watchers then find
   * the floor of the ring above their position and end. No append of this server can succeed meanwhile, so the loaded
   * state is never older than the current one.
   */
  async #recover(error: unknown): Promise<void> {
    const { backend, changed, state, isDiverged, reload, closing } = this.#cache;
    // Those who wait for a revision find that it is one of another log.
    changed.notify();
    try {
      const compacted = isStorageError(error, 'compacted') ? await backend.compacted() : 0;
      if (isDiverged() || state().revision < compacted) await reload();
    } catch (again) {
      if (!closing.aborted) this.#cache.onError?.(again);
    }
  }
}

async function pause(closing: AbortSignal): Promise<void> {
  await setTimeout(RETRY_PAUSE, undefined, { signal: closing }).catch(() => undefined);
}

const RETRY_PAUSE = 200;
