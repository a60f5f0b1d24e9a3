import { setTimeout } from 'node:timers/promises';
import type { Backend, Commit, Revision } from '../backend.js';
import type { AppliedWrite } from '../engine/transaction.js';
import { divergedError, isStorageError, StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import { Signal } from '../signal.js';
import { type DefinedResources, Definitions } from '../state/definitions.js';
import { ResidencyCheck } from '../state/residency.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { ResourceState } from '../state/resource-state.js';
import { State, type StateReader } from '../state/state.js';
import type { TableFolder } from '../tables/folder/folder.js';
import { untilEither } from '../until.js';
import { applyChange, applyEvent } from './applied.js';
import { Drafts } from './drafts.js';
import type { Event } from './event.js';
import { type Loaded, loadState } from './load.js';
import { PastStates } from './past-states.js';
import { Recent } from './recent.js';
import { RING_LIMITS, type Ring, type RingLimits } from './ring.js';

export interface CacherOptions {
  readonly definitions: readonly ResourceDefinition[];
  /** The resources that objects define. Without it, there are none. */
  readonly defined?: DefinedResources | undefined;
  readonly ringLimits?: RingLimits;
  /** The most bytes that recent changes keep alive. */
  readonly recentBytes?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Where objects are kept. Without it, they are in memory. */
  readonly folder?: TableFolder | undefined;
  /** Called when the files of the objects were made again from the store, with the reason. */
  readonly onRefill?: ((why: string) => void) | undefined;
  /** Called when following the log fails. It is then retried. */
  readonly onError?: (error: unknown) => void;
}

/** The changes since a state. */
export interface Journal {
  readonly events: readonly Event[];
  stop(): void;
}

/** A caller that may wait. Requests create their signal on first use, so it is read only when a wait begins. */
interface Abortable {
  readonly signal?: AbortSignal;
}

/**
 * The current state in memory with its recent changes, at exactly one revision of the log, which only grows. The engine
 * publishes the appends of this server; the appends of other servers arrive by the tail of the log.
 */
export class Cacher implements StateReader {
  readonly definitions: Definitions;
  /** The recent changes, and kept states. */
  readonly recent: Recent;
  readonly past: PastStates;
  readonly changed = new Signal();
  /** True if other servers write to the store too, so this cache may be behind them. */
  readonly shared: boolean;
  readonly #backend: Backend;
  readonly #options: CacherOptions;
  readonly #stop = new AbortController();
  /**
   * Wakes watchers once a second to check the clock, because bookmarks are due even if nothing changes. Saves a timer
   * for each watcher.
   */
  readonly #ticker = setInterval(() => this.#tick(), TICK).unref();
  #state = new State(0);
  readonly #residence = new ResidencyCheck(() => this.#state.resident());
  /**
   * Counts the begins and the ends of loads, so it is odd during one, and after one that failed: the folder may have
   * nothing by then.
   */
  #loads = 0;
  readonly #drafts = new Drafts();
  readonly #journals = new Set<Event[]>();
  /** The load that runs. */
  #loading: Promise<void> = Promise.resolve();
  #following: Promise<void> | undefined;
  /** `Backend.history` of the state. */
  #history: number | undefined;

  constructor(backend: Backend, options: CacherOptions) {
    this.#backend = backend;
    this.shared = backend.shared;
    this.#options = options;
    this.definitions = new Definitions(options.definitions, options.defined);
    const { ringLimits = RING_LIMITS, recentBytes = ringLimits.bytes } = options;
    const isInMemory = (resource: string): boolean => options.folder?.keeps(resource) !== true;
    this.recent = new Recent(options.now ?? Date.now, { ...ringLimits, bytes: recentBytes }, isInMemory);
    this.past = new PastStates({
      backend,
      definitions: this.definitions,
      recent: this.recent,
      state: () => this.#state,
      ring: (resource) => this.ring(resource),
      signal: this.#stop.signal,
    });
  }

  /**
   * Changes when the state was of another log, because the store was set back or replaced: what was read before is
   * void.
   */
  get history(): number {
    return this.#history ?? 0;
  }

  /** Whether the state is not that of the store, which was set back or replaced. It is being loaded again. */
  get isDiverged(): boolean {
    return this.#backend.history !== this.#history;
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

  get published(): State {
    return this.#state;
  }

  get moment(): object {
    return this.#state;
  }

  get revision(): Revision {
    return this.#state.revision;
  }

  /**
   * Resolves when look-ups in the newest state need not wait for the disk, which would keep the event loop. `undefined`
   * if they need not now. What they then find may still be on the disk (`whenResident`).
   */
  whenResident(): Promise<void> | undefined {
    return this.#residence.whenResident();
  }

  /** The newest state of a resource. */
  resource(resource: string): ResourceState {
    return this.#state.resource(resource);
  }

  /** True if the cache is closed or closing; it then no longer changes. */
  get closed(): boolean {
    return this.#stop.signal.aborted;
  }

  ring(resource: string): Ring {
    this.definitions.assertPossible(resource);
    return this.recent.ring(resource);
  }

  /**
   * Resolves once reads here see everything that any server acknowledged before the call. The signal ends only the wait
   * for the state; asking for the end of the log takes a bounded time.
   */
  async fresh(request: Abortable = {}): Promise<void> {
    if (!this.shared) return;
    const end = await this.#backend.end();
    this.#refuseDiverged();
    if (this.#state.revision < end) await this.reach(end, request.signal);
  }

  /** Resolves once the state is at `revision` or later. Rejects with the signal's reason if it aborts. */
  async reach(revision: Revision, signal?: AbortSignal): Promise<void> {
    this.#refuseDiverged();
    while (this.#state.revision < revision) {
      if (this.closed) throw closedError();
      await this.changed.wait(signal);
      this.#refuseDiverged();
    }
  }

  /** Throws `diverged` while the state is not that of the store. */
  #refuseDiverged(): void {
    if (this.isDiverged) throw divergedError(this.#state.revision);
  }

  /**
   * Like `reach`, for a revision that the log already has. If nobody follows the log, because it has one writer, this
   * reads the log.
   */
  async catchUp(revision: Revision, signal?: AbortSignal): Promise<void> {
    if (this.shared || this.#state.revision >= revision) return this.reach(revision, signal);
    const own = this.#stop.signal;
    const tail = (stop: AbortSignal): AsyncIterable<Commit> => this.#backend.tail(this.#state.revision, stop);
    for await (const commit of untilEither([signal ?? own, own], tail)) {
      this.#apply(commit);
      if (this.#state.revision >= revision) return;
    }
    signal?.throwIfAborted();
    throw closedError();
  }

  /** The last revision that was committed more than `age` milliseconds ago by the store's clock; 0 if there is none. */
  revisionBefore(age: number): Promise<Revision> {
    return this.#backend.revisionBefore(age);
  }

  /**
   * Identifies the load that the state comes from. States of different loads have nothing in common. `undefined` during
   * a load, and after one that failed.
   */
  get load(): number | undefined {
    return this.#loads % 2 === 0 ? this.#loads : undefined;
  }

  /**
   * Keeps the content of the state in another way, as soon as nobody writes to a draft of it. `change` gets the state
   * of that moment. Rejects if that does not come from the same load.
   */
  install(load: number, change: (state: State) => State): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#drafts.whenFree(() => {
        try {
          if (load !== this.load) throw new StorageError('unavailable', 'the objects were loaded again meanwhile');
          this.#state = change(this.#state);
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** A draft of the state is about to be written to. Call the result when it is published, or given up. */
  hold(): () => void {
    return this.#drafts.hold();
  }

  /** Notes all changes after the current state, until `stop` is called. */
  journal(): Journal {
    const events: Event[] = [];
    this.#journals.add(events);
    return { events, stop: () => void this.#journals.delete(events) };
  }

  /**
   * Loads all objects again, because a file of them is damaged. Meanwhile, what is not damaged is read and written.
   * Afterwards, nothing refers to the files of before: watches and lists that began before must begin again.
   */
  async renew(why: string, signal: AbortSignal): Promise<void> {
    const journal = this.journal();
    try {
      await this.#exclusively(async () => {
        const loaded = await this.#load(
          this.#options.folder?.isWriter === false,
          AbortSignal.any([signal, this.#stop.signal]),
          why,
        );
        await new Promise<void>((resolve) => {
          this.#drafts.whenFree(() => {
            this.recent.keptStates.clear();
            // Changes of another log are void.
            resolve(this.#replace(loaded, loaded.history === this.#history ? journal.events : []));
          });
        });
      });
    } finally {
      journal.stop();
    }
  }

  /** Applies a batch that this server appended, without waiting for the tail, unless the tail was faster. */
  publish(next: State, applied: readonly AppliedWrite[]): void {
    if (next.revision <= this.#state.revision) return;
    this.#advance(
      next,
      applied.map(({ key, revision, entry, previous }) => ({ key, revision, current: entry, previous })),
    );
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#ticker);
    this.changed.notify();
    for (const ring of this.recent.rings.values()) ring.wakeAll();
    await this.#following;
  }

  /** Watchers wake after the state has advanced, so that a bookmark never precedes the events before it. */
  #advance(next: State, events: readonly Event[]): void {
    const touched = new Set<Ring>();
    for (const event of events) {
      const ring = this.ring(resourceOf(event.key));
      ring.push(event);
      touched.add(ring);
      for (const noted of this.#journals) noted.push(event);
    }
    this.#state = next;
    this.recent.trim();
    this.changed.notify();
    for (const ring of touched) ring.notify();
  }

  #tick(): void {
    for (const ring of this.recent.rings.values()) ring.wakeAll();
  }

  async #reload(): Promise<void> {
    // The files of this process are older than the state that is replaced. The files of another process may be newer.
    const isUsable = this.#loads === 0 || this.#options.folder?.isWriter === false;
    await this.#exclusively(async () =>
      this.#replace(await this.#load(isUsable, this.#stop.signal, this.isDiverged ? SET_BACK : COMPACTED), []),
    );
  }

  /** One load at a time. */
  async #exclusively(load: () => Promise<void>): Promise<void> {
    const before = this.#loading;
    const running = before.then(load);
    this.#loading = running.catch(() => undefined);
    await running;
  }

  async #load(isUsable: boolean, signal: AbortSignal, why: string): Promise<Loaded> {
    const { definitions } = this;
    const { folder, onRefill, onError = () => undefined } = this.#options;
    if (this.#loads % 2 === 0) this.#loads++;
    const history = this.#history ?? this.#backend.history;
    const source = { backend: this.#backend, definitions, folder, isUsable, why, history, onRefill, onError };
    const newRing = this.recent.empty.bind(this.recent);
    return loadState(source, newRing, signal);
  }

  /** Uses what was loaded, with the changes that came meanwhile. */
  #replace({ state, rings, floor, history }: Loaded, meanwhile: readonly Event[]): void {
    this.#loads++;
    if (history !== this.#history) this.recent.diverged();
    this.#history = history;
    const former = [...this.recent.rings.values()];
    this.recent.replace(rings, floor);
    this.past.forget();
    const draft = state.draft();
    const { revision, counters, commit } = this.#state;
    const events = meanwhile
      .filter(({ revision }) => revision > state.revision)
      .map((event) => applyEvent(event, draft));
    this.#advance(events.length === 0 ? state : draft.finish(revision, counters, commit), events);
    for (const ring of former) ring.wakeAll();
  }

  async #follow(): Promise<void> {
    while (!this.closed) {
      try {
        const known = (): Revision => this.#state.revision;
        const { commit: id } = this.#state;
        for await (const commit of this.#backend.tail(known(), this.#stop.signal, known, id)) this.#apply(commit);
      } catch (error) {
        if (this.closed) return;
        this.#options.onError?.(error);
        await this.#recover(error);
      }
      // Also pauses after a tail that ended without an error, because the store was closed first. Otherwise this loop
      // would be busy.
      await this.#pause();
    }
  }

  /**
   * If the state is older than the compacted revision, or of another log, it must be loaded again. Watchers then find
   * the floor of the ring above their position and end. No append of this server can succeed meanwhile, so the loaded
   * state is never older than the current one.
   */
  async #recover(error: unknown): Promise<void> {
    // Those who wait for a revision find that it is one of another log.
    this.changed.notify();
    try {
      const compacted = isStorageError(error, 'compacted') ? await this.#backend.compacted() : 0;
      if (this.isDiverged || this.#state.revision < compacted) await this.#reload();
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
    // All events are made before the first one is published, so a change that cannot be read publishes nothing of its
    // commit.
    const events = commit.changes.flatMap((change) => applyChange(change, draft, this.definitions));
    this.#advance(draft.finish(commit.end, commit.counters, commit.id), events);
  }
}

function closedError(): StorageError {
  return new StorageError('closed', 'the server is shutting down');
}

const RETRY_PAUSE = 200;
const TICK = 1000;

const COMPACTED = 'the log was compacted before this server had read it';
const SET_BACK = 'the database was set back or replaced';
