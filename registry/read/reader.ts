import { LRUCache } from 'lru-cache';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { runStepsYielding } from '../../pkg/system/yielding/yielding.js';
import { keyOf, partsOf } from '../../storage/key.js';
import { decodedInSteps, decodeObject } from '../../storage/state/codec.js';
import type { Entry } from '../../storage/state/entry.js';
import type { StateReader } from '../../storage/state/state.js';
import { decodeTuple, encodeTuple, type Tuple } from '../../storage/state/tuple.js';
import type { EntryRow, RowRange } from '../../storage/state/walk.js';

export type { Entry } from '../../storage/state/entry.js';

/**
 * Parsed objects are remembered for this many bytes of JSON. A parsed object takes about five times the memory of its
 * JSON.
 */
const REMEMBERED_BYTES = 4 * 2 ** 20;
/** A larger object would evict many small ones. */
const LARGEST_REMEMBERED = 128 * 1024;

const parsed = new LRUCache<Entry, KubeObject>({
  maxSize: REMEMBERED_BYTES,
  maxEntrySize: LARGEST_REMEMBERED,
  sizeCalculation: (_, { size }) => size,
});
/**
 * Parsed objects that are larger. One transaction asks for an object several times; after it, the memory is free again.
 */
const large = new WeakMap<Entry, WeakRef<KubeObject>>();

/** metadata.name of an entry. */
export function nameOf({ key }: Entry): string {
  return partsOf(key).name;
}

/** The namespace, which is empty for cluster-scoped kinds, and the name of an entry. */
export function placeOf({ key }: Entry): readonly [namespace: string, name: string] {
  const { namespace, name } = partsOf(key);
  return [namespace, name];
}

let prepare = (object: KubeObject): KubeObject => object;

/** For tests: freezes objects that are parsed from now on, so that code that changes a shared object fails. */
export function freezeObjects(): void {
  prepare = deepFreeze;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** The object of an entry. All callers share it and must not change it. */
export function objectOf<Spec = unknown>(entry: Entry): KubeObject<Spec> {
  return (known(entry) ?? parse(entry)) as KubeObject<Spec>;
}

/**
 * The same for an entry that a write is about to replace. A small one is remembered only until the next write, because
 * it is not needed afterwards. For the garbage collector, thousands of remembered objects cost more than parsing them.
 */
export function replacedObject(entry: Entry): KubeObject {
  const object = known(entry) ?? (entry.size > LARGEST_REMEMBERED ? parse(entry) : decode(entry));
  if (entry.size <= LARGEST_REMEMBERED) replaced = { entry, object };
  return object;
}

/** The same as `replacedObject`, in steps if the object is large and nobody has parsed it. */
export function* replacedSteps(entry: Entry): Steps<KubeObject> {
  return isLong(entry) ? yield* parsedSteps(entry) : replacedObject(entry);
}

/** The same as `objectOf`, in steps if the object is large and nobody has parsed it. */
export function* parsedSteps(entry: Entry): Steps<KubeObject> {
  if (!isLong(entry)) return objectOf(entry);
  return known(entry) ?? (yield* parseSteps(entry));
}

/** The last result of `replacedObject`, because a write asks for it several times. */
let replaced: { readonly entry: Entry; readonly object: KubeObject } | undefined;

function known(entry: Entry): KubeObject | undefined {
  if (replaced?.entry === entry) return replaced.object;
  return parsed.get(entry) ?? large.get(entry)?.deref();
}

function parse(entry: Entry): KubeObject {
  return remembered(entry, decode(entry));
}

function remembered(entry: Entry, object: KubeObject): KubeObject {
  if (entry.size > LARGEST_REMEMBERED) large.set(entry, new WeakRef(object));
  else parsed.set(entry, object);
  return object;
}

/** An object of so many bytes takes up to ten milliseconds to parse. */
const LONG = 2 ** 20;
/** Milliseconds for which an object is kept that was parsed ahead. */
const KEPT = 1_000;
/** Whether an object is so large that it is parsed ahead. */
export function isLong({ size }: Pick<Entry, 'size'>): boolean {
  return size >= LONG;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Parses a large object in steps, so that `objectOf` of the same entry has it for the next second. `undefined` if it is
 * not large, or known.
 */
export function parsedAhead(entry: Entry | undefined): Promise<void> | undefined {
  if (entry === undefined || !isLong(entry) || known(entry) !== undefined) return undefined;
  return parsedInSteps(entry).then(keep);
}

function keep(object: KubeObject): void {
  // The timer keeps it.
  setTimeout((_: KubeObject) => undefined, KEPT, object).unref();
}

/** The same as `objectOf`, parsed in steps. One is parsed at a time, because a parsed object takes much memory. */
export function parsedInSteps(entry: Entry): Promise<KubeObject> {
  const parsing = last.then(() => known(entry) ?? parseInSteps(entry));
  const ended = (): void => undefined;
  last = parsing.then(ended, ended);
  return parsing;
}

async function parseInSteps(entry: Entry): Promise<KubeObject> {
  return runStepsYielding(parseSteps(entry, await entry.read()));
}

function* parseSteps(entry: Entry, value = entry.value): Steps<KubeObject> {
  // To read it from its file takes milliseconds of its own.
  yield;
  return remembered(entry, prepare((yield* decodedInSteps(value)) as KubeObject));
}

function decode(entry: Entry): KubeObject {
  return prepare(decodeObject(entry.value) as KubeObject);
}

/** How many rows of an index have this tuple, or these first elements of it: at least one. */
export interface TupleCount {
  readonly tuple: Tuple;
  readonly count: number;
}

/**
 * Reads objects at one state: the newest state, a state of the past, or the state of a transaction with its writes so
 * far. All code that decides about objects reads through this class. A resource is named `<plural>.<group>`. The
 * namespace of cluster-scoped kinds is empty.
 */
export class Reader {
  readonly #state: StateReader;

  constructor(state: StateReader) {
    this.#state = state;
  }

  /**
   * The published state that it reads now. It never changes, so results computed from it stay valid. Absent in
   * transactions and for the past.
   */
  get published(): object | undefined {
    return this.#state.published;
  }

  /**
   * Stands for what it reads now: what was true of it stays true for as long as this is the same. Absent in
   * transactions.
   */
  get moment(): object | undefined {
    return this.#state.moment;
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** Revisions of different logs do not follow each other: the store was set back between them. */
  get logId(): number | undefined {
    return this.#state.logId;
  }

  /**
   * Whether the objects of a resource can be searched. If not, because only the log has this revision of them, callers
   * assume that there are objects of any sort.
   */
  isSearchable(resource: string): boolean {
    return this.#state.unsearchable !== resource;
  }

  get<Spec = unknown>(resource: string, namespace: string, name: string): KubeObject<Spec> | undefined {
    const entry = this.entry(resource, namespace, name);
    return entry && objectOf<Spec>(entry);
  }

  entry(resource: string, namespace: string, name: string): Entry | undefined {
    return this.#state.resource(resource).get(keyOf(resource, namespace, name));
  }

  /** The objects whose tuple in an index begins with `prefix`, in index order. */
  range<Spec = unknown>(
    resource: string,
    index: string,
    prefix: Tuple,
    limit = Number.POSITIVE_INFINITY,
  ): readonly KubeObject<Spec>[] {
    return this.entries(resource, index, prefix, limit).map((entry) => objectOf<Spec>(entry));
  }

  entries(resource: string, index: string, prefix: Tuple, limit = Number.POSITIVE_INFINITY): readonly Entry[] {
    const results: Entry[] = [];
    for (const entry of this.walk(resource, index, prefix)) {
      if (results.length >= limit) break;
      results.push(entry);
    }
    return results;
  }

  /** Whether a look-up may find an object: it finds one, or the resource cannot be searched. */
  mayHave(resource: string, index: string, prefix: Tuple): boolean {
    return !this.isSearchable(resource) || this.entries(resource, index, prefix, 1).length > 0;
  }

  /** The same as `entries`, without an array. A transaction must not write to the resource during the iteration. */
  walk(resource: string, index: string, prefix: Tuple): Iterable<Entry> {
    const objects = this.#state.resource(resource);
    // Every creation asks every kind whether an object waits for it, and mostly none waits. To encode the tuple would
    // cost more than the question.
    return objects.hasRows(index) ? objects.range(index, encodeTuple(prefix)) : [];
  }

  /**
   * The rows of a range in their order. They are read when they are asked for, from the state at the moment of this
   * call.
   */
  rows(resource: string, range: RowRange): Iterable<EntryRow> {
    return this.#state.resource(resource).rows(range);
  }

  /**
   * The different first `length` elements of the tuples in an index that begin with `prefix`, in order, each with its
   * number of rows. Reads no objects. Tuples that are too long for an index are left out.
   */
  *counts(resource: string, index: string, prefix: Tuple, length?: number): Generator<TupleCount, void, undefined> {
    for (const { tuple, count } of this.#state.resource(resource).counts(index, encodeTuple(prefix), length)) {
      const elements = decodeTuple(tuple);
      if (elements !== undefined) yield { tuple: elements, count };
    }
  }

  /**
   * All objects of a namespace, in order of names. For a cluster-scoped kind, whose namespace is empty: all objects.
   */
  inNamespace(resource: string, namespace: string): Iterable<Entry> {
    const low = keyOf(resource, namespace, '');
    return this.#state.resource(resource).entries(low, `${low.slice(0, -1)}0`);
  }

  /** All objects of all namespaces. A transaction gets those of before its writes. */
  all(resource: string): readonly Entry[] {
    return [...this.#state.resource(resource).entries(`${resource}/`, `${resource}0`)];
  }

  /** The same without an array, for work in turns. The state is that of the moment of this call. */
  each(resource: string): Iterable<Entry> {
    return this.#state.resource(resource).entries(`${resource}/`, `${resource}0`);
  }

  /** The number of objects in all namespaces. */
  size(resource: string): number {
    return this.#state.resource(resource).size;
  }

  count(resource: string, namespace: string): number {
    return this.#state.resource(resource).count(namespace);
  }

  /**
   * Returns the same value as long as the content of the resource is the same. Results can be remembered with it as the
   * key.
   */
  version(resource: string): object {
    return this.#state.resource(resource).version;
  }

  /** The same for what depends only on where the objects are and on what restricts them (`haveSameLayout`). */
  layout(resource: string): object {
    return this.#state.resource(resource).layout;
  }
}
