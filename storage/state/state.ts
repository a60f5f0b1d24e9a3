import type { Revision } from '../backend.js';
import type { Key } from '../key.js';
import type { Entry } from './entry.js';
import { EMPTY, type ResourceReader, ResourceState } from './resource-state.js';

/** Reads all resources at one state: the newest published one, one of the past, or that of a transaction. */
export interface StateReader {
  readonly revision: Revision;
  /**
   * The published state that is read now. It never changes, so what was true of it once stays true. Absent for all
   * others.
   */
  readonly published?: State;
  /**
   * Stands for what is read now: what was true of it stays true for as long as this is the same. Absent for a
   * transaction.
   */
  readonly moment?: object;
  /** The log of the state, if that is known: after the store was set back, two logs have the same revisions. */
  readonly logId?: number;
  /** A resource of which only the log has what is read now: to read it throws `compacted`. */
  readonly unsearchable?: string;
  resource(resource: string): ResourceReader;
}

/** All resources at one revision, which is the end of a commit. Published states never change. */
export class State implements StateReader {
  readonly revision: Revision;
  readonly counters: ReadonlyMap<string, number>;
  /** The id of the commit that it is the end of, if that is known. */
  readonly commitId: string | undefined;
  readonly #resources: ResourceStates;

  /** Nobody may change `resources` afterwards. */
  constructor(
    revision: Revision,
    resources = ResourceStates.none(),
    counters: ReadonlyMap<string, number> = new Map(),
    commitId?: string,
  ) {
    this.revision = revision;
    this.counters = counters;
    this.commitId = commitId;
    this.#resources = resources;
  }

  get published(): State {
    return this;
  }

  get moment(): object {
    return this;
  }

  /** The resources that have, or had, objects. */
  get resources(): Iterable<string> {
    return this.#resources.names();
  }

  resource(resource: string): ResourceState {
    return this.#resources.get(resource);
  }

  /** Resolves when all tables can be searched without waiting for the disk. */
  async resident(): Promise<void> {
    // One after the other, because others need the threads, too.
    for (const resource of this.resources) await this.resource(resource).whenResident();
  }

  draft(): Draft {
    return new Draft(this, this.#resources.copy());
  }

  /** The same state, with some resources kept in another way. */
  keptAs(resources: Iterable<readonly [resource: string, state: ResourceState]>): State {
    const all = this.#resources.copy();
    for (const [resource, state] of resources) all.set(resource, state);
    return new State(this.revision, all, this.counters, this.commitId);
  }
}

/** The next state while it is made. It copies a resource when it first writes to it. */
export class Draft {
  readonly base: State;
  #resources: ResourceStates;
  readonly #own = new Set<string>();

  constructor(base: State, resources: ResourceStates) {
    this.base = base;
    this.#resources = resources;
  }

  /** The resources that have, or had, objects. */
  get resources(): Iterable<string> {
    return this.#resources.names();
  }

  /** For reading. */
  resource(resource: string): ResourceState {
    return this.#resources.get(resource);
  }

  /** Returns what takes back all writes after this call, however many they are. */
  mark(): () => void {
    const marked = this.#resources.copy();
    // The next write to a resource copies it.
    this.#own.clear();
    return () => {
      this.#resources = marked;
      this.#own.clear();
    };
  }

  /** Sets all objects of a resource. */
  fill(resource: string, state: ResourceState): void {
    this.#resources.set(resource, state);
    this.#own.add(resource);
  }

  /** Returns the entry that it replaces. */
  put(resource: string, entry: Entry): Entry | undefined {
    return this.#writable(resource).put(entry);
  }

  /** Returns the entry that it removes. */
  delete(resource: string, key: Key): Entry | undefined {
    return this.#writable(resource).delete(key);
  }

  /** The draft must not be written to afterwards. */
  finish(revision: Revision, counters: ReadonlyMap<string, number>, commitId?: string): State {
    const all = counters.size === 0 ? this.base.counters : new Map([...this.base.counters, ...counters]);
    return new State(revision, this.#resources, all, commitId);
  }

  #writable(resource: string): ResourceState {
    const current = this.#resources.get(resource);
    if (this.#own.has(resource)) return current;
    const copy = current === EMPTY ? new ResourceState() : current.clone();
    this.#resources.set(resource, copy);
    this.#own.add(resource);
    return copy;
  }
}

/**
 * The states of all resources, by name. Each commit copies them, and so does each transaction that may be taken back.
 * So a name has one place for good, which all copies share, and a copy takes the places only: a copy of a map of sixty
 * resources would be a tenth of what a write of one client allocates.
 */
export class ResourceStates {
  readonly #places: Map<string, number>;
  readonly #states: (ResourceState | undefined)[];

  private constructor(places: Map<string, number>, states: (ResourceState | undefined)[]) {
    this.#places = places;
    this.#states = states;
  }

  static none(): ResourceStates {
    return new ResourceStates(new Map(), []);
  }

  copy(): ResourceStates {
    return new ResourceStates(this.#places, this.#states.slice());
  }

  /** Those that have, or had, objects. */
  *names(): Generator<string, void, undefined> {
    for (const [resource, place] of this.#places) if (this.#states[place] !== undefined) yield resource;
  }

  get(resource: string): ResourceState {
    const place = this.#places.get(resource);
    return place === undefined ? EMPTY : (this.#states[place] ?? EMPTY);
  }

  set(resource: string, state: ResourceState): void {
    const place = this.#places.get(resource) ?? this.#places.size;
    this.#places.set(resource, place);
    // Another copy may have taken the places before. Without holes, V8 keeps the array in its fastest form.
    while (this.#states.length < place) this.#states.push(undefined);
    this.#states[place] = state;
  }
}
