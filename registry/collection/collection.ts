import { yieldToLoop } from '../../pkg/system/yielding/yielding.js';
import type { IndexRow } from '../../storage/backend.js';
import type { Cacher } from '../../storage/cacher/cacher.js';
import { keyOf } from '../../storage/key.js';
import type { ResourceState } from '../../storage/state/resource-state.js';
import type { State } from '../../storage/state/state.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { isWhole } from '../kinds/selector-rows.js';
import { type Entry, Reader } from '../read/reader.js';

/** The objects of one kind at one revision, in key order, also those whose owners are gone. */
export interface Collection {
  readonly revision: number;
  /**
   * The first entries of a range of keys. The result is a promise only if the log is read. Throws or rejects with
   * `compacted`.
   */
  take(range: KeyRange, limit: number): readonly Entry[] | Promise<readonly Entry[]>;
  /**
   * The number of objects in a namespace, or in all namespaces. `undefined` if the objects would have to be counted.
   */
  count(namespace?: string): number | undefined;
  /**
   * A reader of this kind and of `resources` at the revision of the collection, and of all other kinds at the newest
   * state. It throws `compacted` for what has left memory. If this kind has left memory, the reader cannot search its
   * objects (`Reader.isSearchable`).
   */
  reader(resources?: readonly string[]): Reader;
  /** Keeps the revision readable for the next page. */
  keep(): void;
}

/**
 * The objects of a kind at a revision. Without `revision`: at the newest revision of this server. Throws `compacted` or
 * `future`. For a revision that is not in memory, the log is read.
 */
export function collectionAt(registry: Registry, kind: Kind, revision?: number): Collection {
  if (revision !== undefined && !registry.cacher.past.has(kind.qualified, revision))
    return loggedCollection(registry, kind, revision);
  return knownCollection(registry, kind, revision);
}

/**
 * Await this before `collectionAt` with a revision that a client gives: what has left memory is read from the log, if
 * there is room for it.
 */
export async function recallRevision(
  { cacher }: Registry,
  resources: readonly string[],
  revision: number,
): Promise<void> {
  if (!resources.every((resource) => cacher.past.has(resource, revision))) await cacher.past.recall(revision);
}

function knownCollection({ cacher }: Registry, kind: Kind, requested: number | undefined): Collection {
  const { qualified } = kind;
  const { state } = cacher;
  const revision = requested ?? state.revision;
  const objects = cacher.past.at(qualified, revision);
  const past = new PastResources(cacher, revision).with(qualified, objects);
  return {
    revision,
    take: ({ low, high, row }, limit) => objects.first(low, high, limit, row && usable(kind, row, objects)),
    count: (namespace) => (namespace === undefined ? objects.size : objects.count(namespace)),
    reader: (names = []) => past.reader(state, [qualified, ...names]),
    keep: () => past.keep(),
  };
}

/** A row that all selected objects have. */
function usable({ fieldsMayChange }: Kind, row: IndexRow, objects: ResourceState): IndexRow | undefined {
  return fieldsMayChange && !isWhole(row, objects) ? undefined : row;
}

/** Some resources at one revision. Each is made when it is first read. */
class PastResources {
  readonly #cacher: Cacher;
  readonly #revision: number;
  readonly #made = new Map<string, ResourceState>();

  constructor(cacher: Cacher, revision: number) {
    this.#cacher = cacher;
    this.#revision = revision;
  }

  /** With a resource that is made already. */
  with(name: string, objects: ResourceState): this {
    this.#made.set(name, objects);
    return this;
  }

  /** Reads these resources at the revision, and the others at `state`. Its reads throw `compacted`. */
  reader(state: State, names: readonly string[], unsearchable?: string): Reader {
    const resource = (name: string): ResourceState => (names.includes(name) ? this.#at(name) : state.resource(name));
    const { logId } = this.#cacher;
    return new Reader({ revision: this.#revision, logId, resource, moment: {}, ...(unsearchable && { unsearchable }) });
  }

  /** Keeps what was read for the next page. */
  keep(): void {
    for (const [name, objects] of this.#made) this.#cacher.past.keep(name, this.#revision, objects);
  }

  #at(name: string): ResourceState {
    const objects = this.#made.get(name) ?? this.#cacher.past.at(name, this.#revision);
    this.#made.set(name, objects);
    return objects;
  }
}

function loggedCollection({ cacher }: Registry, { qualified }: Kind, revision: number): Collection {
  return {
    revision,
    take: ({ low, high }, limit) => cacher.past.page(qualified, revision, { low, high }, limit),
    count: () => undefined,
    reader: (names = []) => new PastResources(cacher, revision).reader(cacher.state, [qualified, ...names], qualified),
    // The revision is readable as long as the log has the changes since then.
    keep: () => undefined,
  };
}

/** The maximum number of entries that are read from a collection at once. */
const STEP = 1000;
/**
 * A loop over many objects yields to the event loop after this many objects. To read the labels of one takes up to 6
 * microseconds.
 */
const TURN_EVERY = 1000;

export interface KeyRange {
  /** Inclusive. */
  readonly low: string;
  /** Exclusive. */
  readonly high: string;
  /**
   * Only objects that have this row in an index are of interest. What is made from the log comes without this choice.
   */
  readonly row?: IndexRow | undefined;
}

export interface ScanRange extends KeyRange {
  /** The number of entries that are probably needed. */
  readonly first?: number;
}

/**
 * The keys of the objects of a namespace. For a cluster-scoped kind, whose namespace is empty: the keys of all objects.
 */
export function keysIn({ qualified }: Kind, namespace: string): ScanRange {
  const low = keyOf(qualified, namespace, '');
  return { low, high: `${low.slice(0, -1)}0` };
}

/** The keys of all objects of a kind. */
export function keysOf({ qualified }: Kind): ScanRange {
  return { low: `${qualified}/`, high: `${qualified}0` };
}

/** Calls `visit` with the entries of a range of keys until it returns false. */
export async function scan(
  collection: Collection,
  { low, high, row, first = STEP }: ScanRange,
  visit: (entry: Entry) => boolean,
): Promise<void> {
  let from = low;
  let seen = 0;
  for (let size = Math.min(first, STEP); ; size = Math.min(2 * size, STEP)) {
    const page = collection.take({ low: from, high, row }, size);
    const entries = page instanceof Promise ? await page : page;
    const last = entries.at(-1);
    if (!entries.every(visit) || last === undefined || entries.length < size) return;
    from = `${last.key}\0`;
    seen += entries.length;
    if (seen < TURN_EVERY) continue;
    seen = 0;
    await yieldToLoop();
  }
}

/** The entries of a range of keys, in steps. The event loop runs between two steps. */
export async function* steps(
  collection: Collection,
  { low, high, row, first: size = STEP }: ScanRange,
): AsyncGenerator<readonly Entry[], void, undefined> {
  for (let from = low; ; ) {
    const entries = await collection.take({ low: from, high, row }, size);
    yield entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < size) return;
    from = `${last.key}\0`;
    await yieldToLoop();
  }
}
