import type { Backend, Revision } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Definitions } from '../state/definitions.js';
import type { Entry } from '../state/entry.js';
import type { ResourceDefinition } from '../state/resource.js';
import type { ResourceState } from '../state/resource-state.js';
import type { State } from '../state/state.js';
import { untilEither } from '../until.js';
import { type CommitEvents, loggedCommits } from './logged.js';
import { type Known, nearest, stateAt } from './past.js';
import { type Keys, pastPage } from './past-page.js';
import { Recalls } from './recall.js';
import type { Recent } from './recent.js';
import type { Ring } from './ring.js';

/** An earlier state is kept if it takes this many changes to make it. Fewer are undone in about ten milliseconds. */
const KEPT_FROM = 1000;

interface PastStatesOptions {
  readonly backend: Backend;
  readonly definitions: Definitions;
  readonly recent: Recent;
  /** The current state. */
  readonly state: () => State;
  readonly ring: (resource: string) => Ring;
  /** Aborts when the cache is closed. */
  readonly signal: AbortSignal;
}

/** What was before the current state: earlier states, made of recent changes, and what only the log has. */
export class PastStates {
  readonly #options: PastStatesOptions;
  #recalls = new Recalls();

  constructor(options: PastStatesOptions) {
    this.#options = options;
  }

  /** The objects of a resource at exactly this revision. Throws `compacted` or `future`. */
  at(resource: string, revision: Revision): ResourceState {
    const state = this.#options.state();
    if (revision === state.revision) return state.resource(resource);
    refuseFuture(revision, state);
    return this.#options.recent.keptStates.find(resource, revision) ?? this.#make(resource, revision);
  }

  /** Whether `at` can make the state of this revision now. */
  has(resource: string, revision: Revision): boolean {
    const { recent, ring } = this.#options;
    return revision >= ring(resource).floor || recent.keptStates.find(resource, revision) !== undefined;
  }

  /** Keeps the state of a resource at a revision for the next page of a list. */
  keep(resource: string, revision: Revision, state: ResourceState): void {
    const { recent } = this.#options;
    const ring = this.#options.ring(resource);
    const known = recent.keptStates.of(resource).find((one) => one.revision === revision);
    // The revision may have left the ring since the state was made.
    const position = revision < ring.floor ? ring.start : ring.position(revision);
    recent.keep(known ?? { resource, revision, state, position, mark: ring.mark(position) });
  }

  /**
   * Makes sure that the changes after `revision` are known, as far as the log has them and there is room for them.
   * Await this before `at` or a watch with a revision that a client gives.
   */
  async recall(revision: Revision): Promise<void> {
    const { backend, definitions, recent, state, signal } = this.#options;
    const source = () => ({ backend, definitions, recent, state: state(), signal });
    if (recent.floor > revision) await this.#recalls.recall(source, revision);
  }

  /** What was recalled is of a state that was replaced. */
  forget(): void {
    this.#recalls = new Recalls();
  }

  /**
   * The commits after a revision that the log has, with their events of a resource, and then those that follow. Throws
   * `compacted`.
   */
  commits(resource: string, after: Revision, signal?: AbortSignal): AsyncIterable<CommitEvents> {
    const { backend, signal: own } = this.#options;
    const definition = this.#definition(resource);
    return untilEither([signal ?? own, own], (stop) => loggedCommits(backend, definition, after, stop));
  }

  /**
   * The first objects of a range of keys at a revision that `at` cannot make. Reads the log. Throws `compacted` or
   * `future`.
   */
  async page(resource: string, revision: Revision, keys: Keys, limit: number): Promise<readonly Entry[]> {
    const { backend, signal } = this.#options;
    const state = this.#options.state();
    refuseFuture(revision, state);
    return pastPage({ backend, definition: this.#definition(resource), state, signal }, revision, keys, limit);
  }

  #definition(resource: string): ResourceDefinition {
    return this.#options.definitions.get(resource, this.#options.state());
  }

  /** Makes an earlier state. An expensive one is kept, because it or a state nearby is often requested again. */
  #make(resource: string, revision: Revision): ResourceState {
    const { recent, state: current } = this.#options;
    const ring = this.#options.ring(resource);
    const position = ring.position(revision);
    const kept = recent.keptStates
      .of(resource)
      .filter((one) => one.revision >= ring.floor)
      .map((one): Known => ({ state: one.state, position: ring.position(one.revision) }));
    const { base, steps } = nearest([{ state: current().resource(resource), position: ring.end }, ...kept], position);
    const state = stateAt(base, ring, position);
    if (steps >= KEPT_FROM) recent.keep({ resource, revision, state, position, mark: ring.mark(position) });
    return state;
  }
}

function refuseFuture(revision: Revision, { revision: current }: State): void {
  if (revision > current) throw new StorageError('future', `revision ${revision} has not happened yet`);
}
