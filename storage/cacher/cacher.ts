import type { Backend, Commit, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import { resourceOf } from '../key.js';
import { Signal } from '../signal.js';
import type { AppliedWrite } from '../state/applied-write.js';
import { Definitions } from '../state/definitions.js';
import { ResidencyCheck } from '../state/residency.js';
import type { ResourceState } from '../state/resource-state.js';
import { State, type StateReader } from '../state/state.js';
import { applyChange, applyEvent } from './applied.js';
import { Drafts } from './drafts.js';
import type { Event } from './event.js';
import { TailFollower, type Waiting } from './follow.js';
import { type Journal, Journals } from './journals.js';
import type { Loaded } from './load.js';
import { Loads } from './loads.js';
import type { CacherOptions } from './options.js';
import { refuseOtherLog } from './other-log.js';
import { PastStates } from './past-states.js';
import { Recent } from './recent.js';
import { RING_LIMITS, type Ring } from './ring.js';

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
  readonly #stop = new AbortController();
  /**
   * Wakes watchers once a second to check the clock, because bookmarks are due even if nothing changes. Saves a timer
   * for each watcher.
   */
  readonly #ticker = setInterval(() => this.#tick(), TICK).unref();
  #state = new State(0);
  readonly #residence = new ResidencyCheck(() => this.#state.resident());
  readonly #drafts = new Drafts();
  readonly #journals = new Journals();
  readonly #loads: Loads;
  readonly #follower: TailFollower;
  #following: Promise<void> | undefined;

  constructor(backend: Backend, options: CacherOptions) {
    this.#backend = backend;
    this.shared = backend.shared;
    this.definitions = new Definitions(options.definitions, options.defined);
    const { ringLimits = RING_LIMITS, recentBytes = ringLimits.bytes } = options;
    const isInMemory = (resource: string): boolean => options.folder?.keeps(resource) !== true;
    this.recent = new Recent(options.now ?? Date.now, { ...ringLimits, bytes: recentBytes }, isInMemory);
    this.#loads = new Loads({ ...options, backend, definitions: this.definitions, recent: this.recent });
    this.#follower = new TailFollower({
      backend,
      changed: this.changed,
      state: () => this.#state,
      isDiverged: () => this.isDiverged,
      apply: (commit) => this.#apply(commit),
      reload: () => this.#reload(),
      onError: options.onError,
      closing: this.#stop.signal,
    });
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
  get logId(): number {
    return this.#loads.logId ?? 0;
  }

  /** Whether the state is not that of the store, which was set back or replaced. It is being loaded again. */
  get isDiverged(): boolean {
    return this.#backend.logId !== this.#loads.logId;
  }

  static async open(backend: Backend, options: CacherOptions): Promise<Cacher> {
    const cacher = new Cacher(backend, options);
    try {
      await cacher.#reload();
    } catch (error) {
      await cacher.close();
      throw error;
    }
    if (backend.shared) cacher.#following = cacher.#follower.follow();
    return cacher;
  }

  /** The newest state. */
  get state(): State {
    return this.#state;
  }

  /** For `StateReader` (storage/state/state.ts), as `moment` is: other readers have something else there, or none. */
  get published(): State {
    return this.#state;
  }

  get moment(): object {
    return this.#state;
  }

  get revision(): Revision {
    return this.#state.revision;
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
  async fresh(request: Waiting = {}): Promise<void> {
    if (this.shared) await this.#follower.fresh(request);
  }

  /** Resolves once the state is at `revision` or later. Rejects with the signal's reason if it aborts. */
  reach(revision: Revision, signal?: AbortSignal): Promise<void> {
    return this.#follower.reach(revision, signal);
  }

  /**
   * Like `reach`, for a revision that the log already has. If nobody follows the log, because it has one writer, this
   * reads the log.
   */
  catchUp(revision: Revision, signal?: AbortSignal): Promise<void> {
    if (this.shared || this.#state.revision >= revision) return this.reach(revision, signal);
    return this.#follower.read(revision, signal);
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
    return this.#loads.current;
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
    return this.#journals.begin();
  }

  /**
   * Loads all objects again, because a file of them is damaged. Meanwhile, what is not damaged is read and written.
   * Afterwards, nothing refers to the files of before: watches and lists that began before must begin again.
   */
  async renew(why: string, signal: AbortSignal): Promise<void> {
    const journal = this.journal();
    const use = (loaded: Loaded): Promise<void> =>
      new Promise((resolve) => {
        this.#drafts.whenFree(() => {
          this.recent.keptStates.clear();
          // Changes of another log are void.
          resolve(this.#replace(loaded, loaded.logId === this.#loads.logId ? journal.events : []));
        });
      });
    try {
      await this.#loads.again(use, AbortSignal.any([signal, this.#stop.signal]), why);
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
      this.#journals.note(event);
    }
    this.#state = next;
    this.recent.trim();
    this.changed.notify();
    for (const ring of touched) ring.notify();
  }

  #tick(): void {
    // So that look-ups, which do not wait, rarely find that only the disk has what they read.
    void this.#residence.whenResident();
    for (const ring of this.recent.rings.values()) ring.wakeAll();
  }

  #reload(): Promise<void> {
    const why = this.isDiverged ? SET_BACK : COMPACTED;
    return this.#loads.again((loaded) => this.#replace(loaded, []), this.#stop.signal, why);
  }

  /** Uses what was loaded, with the changes that came meanwhile. */
  #replace(loaded: Loaded, meanwhile: readonly Event[]): void {
    const { state, rings, floor, logId } = loaded;
    if (logId !== this.#loads.logId) this.recent.diverged();
    this.#loads.used(loaded);
    const former = [...this.recent.rings.values()];
    this.recent.replace(rings, floor);
    this.past.forget();
    const draft = state.draft();
    const { revision, counters, commitId } = this.#state;
    const events = meanwhile
      .filter(({ revision }) => revision > state.revision)
      .map((event) => applyEvent(event, draft));
    this.#advance(events.length === 0 ? state : draft.finish(revision, counters, commitId), events);
    for (const ring of former) ring.wakeAll();
  }

  #apply(commit: Commit): void {
    refuseOtherLog(this.#state, commit);
    if (commit.end <= this.#state.revision) return;
    const draft = this.#state.draft();
    // All events are made before the first one is published, so a change that cannot be read publishes nothing of its
    // commit.
    const events = commit.changes.flatMap((change) => applyChange(change, draft, this.definitions));
    this.#advance(draft.finish(commit.end, commit.counters, commit.id), events);
  }
}

const TICK = 1000;

const COMPACTED = 'the log was compacted before this server had read it';
const SET_BACK = 'the database was set back or replaced';
