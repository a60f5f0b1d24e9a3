import { setTimeout } from 'node:timers/promises';
import type { Backend, Change, Commit, Revision } from '../backend.js';
import { isStorageError, StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import type { ResourceDefinition } from '../resource.js';
import { Signal } from '../signal.js';
import { type Draft, type ResourceState, State } from '../state.js';
import type { Applied } from '../transaction.js';
import { type Event, eventOf } from './event.js';
import { loadState } from './load.js';
import { type Known, nearest, stateAt } from './past.js';
import { RING_LIMITS, type Ring, type RingLimits } from './ring.js';
import { Snapshots } from './snapshots.js';

export interface CacherOptions {
  readonly definitions: readonly ResourceDefinition[];
  readonly ringLimits?: RingLimits;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Told when following the log fails; it is tried again. */
  readonly onError?: (error: unknown) => void;
}

/** Whoever waits, and until when. */
export interface Waiting {
  readonly signal?: AbortSignal;
}

/**
 * The current state in memory and its recent changes, kept exactly up to one revision of the log, which only grows. A server's own
 * appends are published by the engine; other servers' arrive by the log's tail.
 */
export class Cacher {
  readonly definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly snapshots: Snapshots;
  readonly changed = new Signal();
  readonly #backend: Backend;
  readonly #options: CacherOptions;
  readonly #rings = new Map<string, Ring>();
  readonly #stop = new AbortController();
  /** Lets watchers look at the clock (bookmarks are due even when nothing changes) without a timer each. */
  readonly #ticker = setInterval(() => this.#tick(), TICK).unref();
  #state = new State(0);
  #following: Promise<void> | undefined;

  constructor(backend: Backend, options: CacherOptions) {
    this.#backend = backend;
    this.#options = options;
    this.definitions = new Map(options.definitions.map((definition) => [definition.resource, definition]));
    this.snapshots = new Snapshots(options.now ?? Date.now);
  }

  static async open(backend: Backend, options: CacherOptions): Promise<Cacher> {
    const cacher = new Cacher(backend, options);
    try {
      await cacher.#reload();
    } catch (error) {
      await cacher.close();
      throw error;
    }
    if (backend.shared) cacher.#following = cacher.#follow();
    return cacher;
  }

  get state(): State {
    return this.#state;
  }

  /** Closed or closing: nothing will change any more. */
  get closed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Other servers write, too: what is here may be a moment behind theirs. */
  get shared(): boolean {
    return this.#backend.shared;
  }

  ring(resource: string): Ring {
    const ring = this.#rings.get(resource);
    if (ring === undefined) throw new Error(`the resource ${resource} is not declared to the storage engine`);
    return ring;
  }

  /**
   * Resolves once reads here see everything that any server had acknowledged before the call. Requests make their signal when it is asked
   * for: most need none, as the end of the log is told, or not, within a bounded time.
   */
  async fresh(request: Waiting = {}): Promise<void> {
    if (!this.#backend.shared) return;
    const end = await this.#backend.end();
    if (this.#state.revision < end) await this.reach(end, request.signal);
  }

  /** Resolves once the state is at `revision` or later; rejects with the signal's reason. */
  async reach(revision: Revision, signal?: AbortSignal): Promise<void> {
    while (this.#state.revision < revision) {
      if (this.closed) throw closedError();
      await this.changed.wait(signal);
    }
  }

  /** Like `reach`, for a revision that the log has; where nobody follows the log, as it has one writer, it is read here. */
  async catchUp(revision: Revision, signal?: AbortSignal): Promise<void> {
    if (this.#backend.shared || this.#state.revision >= revision) return this.reach(revision, signal);
    for await (const commit of this.#backend.tail(this.#state.revision, this.#stop.signal)) {
      this.#apply(commit);
      if (this.#state.revision >= revision) return;
    }
    throw closedError();
  }

  /** The objects of a resource at exactly `revision`. Throws `compacted` or `future`. */
  at(resource: string, revision: Revision): ResourceState {
    const current = this.#state.resource(resource);
    if (revision === this.#state.revision) return current;
    if (revision > this.#state.revision) throw new StorageError('future', `revision ${revision} has not happened yet`);
    return this.snapshots.find(resource, revision) ?? this.#make(resource, revision);
  }

  /** A batch that this server appended: its own shortcut past the tail, if the tail was not faster. */
  publish(next: State, applied: readonly Applied[]): void {
    if (next.revision <= this.#state.revision) return;
    const touched = new Set<Ring>();
    for (const { key, revision, entry, previous } of applied) {
      const ring = this.ring(resourceOf(key));
      ring.push({ key, revision, current: entry, previous });
      touched.add(ring);
    }
    this.#advance(next, touched);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#ticker);
    this.changed.notify();
    for (const ring of this.#rings.values()) ring.changed.notify();
    await this.#following;
  }

  /** An earlier state. What took long to make is kept, as who asks for it asks again, or others for one nearby. */
  #make(resource: string, revision: Revision): ResourceState {
    const ring = this.ring(resource);
    const position = ring.position(revision);
    const kept = this.snapshots
      .of(resource)
      .filter((one) => one.revision >= ring.floor)
      .map((one): Known => ({ state: one.state, position: ring.position(one.revision) }));
    const { base, steps } = nearest([{ state: this.#state.resource(resource), position: ring.end }, ...kept], position);
    const state = stateAt(base, ring, position);
    if (steps >= KEPT_FROM) this.snapshots.keep(resource, revision, state);
    return state;
  }

  /** Watchers wake after the state has moved, so that a bookmark never runs behind the events before it. */
  #advance(next: State, touched: Iterable<Ring>): void {
    this.#state = next;
    this.changed.notify();
    for (const ring of touched) ring.changed.notify();
  }

  #tick(): void {
    for (const ring of this.#rings.values()) ring.changed.notify();
  }

  async #reload(): Promise<void> {
    const limits = this.#options.ringLimits ?? RING_LIMITS;
    const loaded = await loadState(this.#backend, this.definitions, limits, this.#stop.signal);
    const former = [...this.#rings.values()];
    for (const [resource, ring] of loaded.rings) this.#rings.set(resource, ring);
    for (const ring of former) ring.retire();
    this.#advance(loaded.state, former);
  }

  async #follow(): Promise<void> {
    while (!this.closed) {
      try {
        for await (const commit of this.#backend.tail(this.#state.revision, this.#stop.signal)) this.#apply(commit);
      } catch (error) {
        if (this.closed) return;
        this.#options.onError?.(error);
        await this.#recover(error);
      }
      // Also after a tail that merely ended, as it does when the store is closed first: never a busy loop.
      await this.#pause();
    }
  }

  /**
   * Behind the compaction, the only way on is to load anew; watchers find the ring's floor above them and end. While the state
   * is behind it no append here can succeed, so the loaded state is never older than the present one.
   */
  async #recover(error: unknown): Promise<void> {
    try {
      const compacted = isStorageError(error, 'compacted') ? await this.#backend.compacted() : 0;
      if (this.#state.revision < compacted) await this.#reload();
    } catch (again) {
      if (!this.closed) this.#options.onError?.(again);
    }
  }

  async #pause(): Promise<void> {
    await setTimeout(RETRY_PAUSE, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  #apply(commit: Commit): void {
    if (commit.end <= this.#state.revision) return;
    const draft = this.#state.draft();
    // Every event is made before the first is shown: a change that cannot be read leaves nothing of its commit.
    const events = commit.changes.flatMap((change) => this.#applyChange(change, draft));
    const touched = new Set<Ring>();
    for (const event of events) {
      const ring = this.ring(resourceOf(event.key));
      ring.push(event);
      touched.add(ring);
    }
    this.#advance(draft.finish(commit.end, commit.counters), touched);
  }

  /** A change of a resource that this server does not know (a newer one's) is passed over. */
  #applyChange(change: Change, draft: Draft): readonly Event[] {
    const resource = resourceOf(change.key);
    const definition = this.definitions.get(resource);
    if (definition === undefined) return [];
    const event = eventOf(definition, change, draft.resource(resource).get(change.key));
    if (definition.cached && event.current === undefined) draft.delete(resource, change.key);
    else if (definition.cached && event.current !== undefined) draft.put(resource, event.current);
    return [event];
  }
}

function closedError(): StorageError {
  return new StorageError('closed', 'the server is shutting down');
}

/** An earlier state that so many changes lie before is kept; fewer are undone in about ten milliseconds. */
const KEPT_FROM = 1000;
const RETRY_PAUSE = 200;
const TICK = 1000;
