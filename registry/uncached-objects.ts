import type { KubeObject } from '../pkg/meta/types.js';
import { notFound } from '../pkg/status/errors.js';
import type { Count, CountRange } from '../storage/backend.js';
import { type Key, partsOf } from '../storage/key.js';
import { behind } from '../storage/range.js';
import { decodeTuple, encodeTuple, firstElements, prefixEnd, type Tuple } from '../storage/tuple.js';
import { entryAttributes, type ReadFilter } from './authorization/authorizer.js';
import { keysIn, newestEntry } from './collection.js';
import type { Kind } from './kind.js';
import type { NewObject, ObjectClient, TypedChange } from './objects.js';
import { isOrphaned } from './orphans.js';
import { type Entry, objectOf, Reader } from './reader.js';
import { INTERNAL_ID_INDEX, objectKey, type Registry } from './registry.js';
import { apiErrorOf } from './storage-errors.js';
import { readKeys, readRanges, type UncachedRange, type UncachedRanges } from './uncached-ranges.js';
import type { DeleteOptions } from './write/delete.js';
import type { Caller } from './write/write.js';

export type { UncachedRange, UncachedRanges } from './uncached-ranges.js';

/** The counted tuples of an index that begin with `prefix`, in their order. */
export interface CountedRange extends Pick<UncachedRange, 'index' | 'prefix' | 'reverse'> {
  /** Adds up the counts of the tuples that have the same first elements, this many. An object with several of these tuples then counts for each. */
  readonly length?: number;
}

/** How many objects have this counted tuple: at least 1. */
export interface TupleCount {
  readonly tuple: Tuple;
  readonly count: number;
}

/** How many counts are read at first, because many readers need no more, and how many at once after that. */
const FIRST_COUNTS = 250;
const COUNTS = 10_000;

/**
 * The objects of one uncached kind in one namespace, with the permissions of a caller. Each read sees at least everything that this server
 * has seen before.
 */
export class UncachedObjects<Spec = unknown> {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly #registry: Registry;
  readonly #caller: Caller;
  readonly #writes: ObjectClient<Spec>;

  constructor(registry: Registry, caller: Caller, writes: ObjectClient<Spec>) {
    this.kind = writes.kind;
    this.namespace = writes.namespace;
    this.#registry = registry;
    this.#caller = caller;
    this.#writes = writes;
  }

  /** Rejects with 404, and with 403 for an object that the caller may not view. */
  async get(name: string): Promise<KubeObject<Spec>> {
    const { kind, namespace } = this;
    const entry = await this.#entry(name);
    const { authorizer, reader } = this.#registry;
    const object = entry && { object: entryAttributes(entry) };
    authorizer.authorize({ user: this.#caller.user, verb: 'get', kind, namespace, name, ...object }, reader);
    if (entry === undefined) throw notFound(kind, name);
    return objectOf<Spec>(entry);
  }

  /** Without permission check, for code that does not return the object to the caller. */
  async find(name: string): Promise<KubeObject<Spec> | undefined> {
    const entry = await this.#entry(name);
    return entry && objectOf<Spec>(entry);
  }

  /** The object with an integer id of the legacy API. Without permission check. */
  async findById(id: number): Promise<KubeObject<Spec> | undefined> {
    for await (const object of this.range({ index: INTERNAL_ID_INDEX, prefix: [id] })) return object;
    return undefined;
  }

  /**
   * The objects that the caller may view: all objects by name, a range, or several ranges as one. They all have the state of the revision at the
   * start of the list. An object with several rows in a range occurs once for each row. Ends after `most` rows, including those of objects that the
   * caller may not view or that are gone, so that a search that finds nothing ends, too.
   */
  async *list(
    range?: UncachedRanges,
    { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
  ): AsyncGenerator<KubeObject<Spec>, void, undefined> {
    const { revision } = this.#registry.cacher.state;
    const filter = this.#readFilter();
    for await (const entry of this.#entries(range, revision, most)) {
      if (filter.all || filter.allows(entry)) yield objectOf<Spec>(entry);
    }
  }

  /** Whether the caller may view all objects, including those that are created later. */
  get seesAll(): boolean {
    return this.#readFilter().all;
  }

  /** Whether the caller has the action on the object. Without an object: on any object. */
  may(action: string, object?: KubeObject): boolean {
    return this.#writes.may(action, object);
  }

  /** Like `list`, without permission check. */
  async *range(range?: UncachedRanges): AsyncGenerator<KubeObject<Spec>, void, undefined> {
    for await (const entry of this.#entries(range, this.#registry.cacher.state.revision)) yield objectOf<Spec>(entry);
  }

  /**
   * The counts of an index that the kind counts. They are those of the newest state, in all namespaces that the prefix spans, and without permission
   * check. They include objects whose owners are gone until the purge removes these. Tuples that are too long for an index are left out.
   */
  async *counts({
    index,
    prefix,
    length = Number.POSITIVE_INFINITY,
    reverse = false,
  }: CountedRange): AsyncGenerator<TupleCount, void, undefined> {
    const from = encodeTuple(prefix);
    let rest: CountRange | undefined = { index, from, to: prefixEnd(from), limit: FIRST_COUNTS, reverse };
    let sum: Count | undefined;
    while (rest !== undefined) {
      const counts: readonly Count[] = await this.#counts(rest);
      for (const { tuple, count } of counts) {
        const first = Number.isFinite(length) ? firstElements(tuple, length) : tuple;
        if (sum !== undefined && sum.tuple !== first) yield* decoded(sum);
        sum = { tuple: first, count: count + (sum?.tuple === first ? sum.count : 0) };
      }
      const last: Count | undefined = counts.length < rest.limit ? undefined : counts.at(-1);
      rest = last && { ...rest, ...behind(rest, last.tuple), limit: COUNTS };
    }
    if (sum !== undefined) yield* decoded(sum);
  }

  /** The number of objects with this counted tuple, as with `counts`. */
  async count(index: string, tuple: Tuple): Promise<number> {
    const from = encodeTuple(tuple);
    const [only] = await this.#counts({ index, from, to: `${from}\0`, limit: 1 });
    return only?.count ?? 0;
  }

  /** Throws 403 unless the caller may use the verb on the object. Without an object: on any object. */
  authorize(verb: 'get' | 'create' | 'update' | 'delete', object?: KubeObject): void {
    this.#writes.authorize(verb, object);
  }

  /** The integer id of the legacy API. */
  idOf(object: KubeObject): number {
    return this.#writes.idOf(object);
  }

  /** The key of an object, for the `needs` of a transaction that reads or writes it. */
  key(name: string): Key {
    return objectKey(this.kind, this.namespace, name);
  }

  create(object: NewObject<Spec>): Promise<KubeObject<Spec>> {
    return this.#writes.create(object);
  }

  update(name: string, change: TypedChange<Spec>): Promise<KubeObject<Spec>> {
    return this.#writes.update(name, change);
  }

  /** Returns the last state of the object. */
  delete(name: string, options?: DeleteOptions): Promise<KubeObject<Spec>> {
    return this.#writes.delete(name, options);
  }

  async #entry(name: string): Promise<Entry | undefined> {
    try {
      return await newestEntry(this.#registry, this.kind, this.namespace, name);
    } catch (error) {
      throw apiErrorOf(error);
    }
  }

  #readFilter(): ReadFilter {
    const { kind, namespace } = this;
    const attributes = { user: this.#caller.user, verb: 'list', kind, namespace };
    return this.#registry.authorizer.readFilter(attributes, new Reader(this.#registry.cacher.state));
  }

  /** Ends after `most` rows. */
  async *#entries(
    ranges: UncachedRanges | undefined,
    revision: number,
    most = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Entry, void, undefined> {
    const { kind, namespace } = this;
    const reader = { registry: this.#registry, kind, revision };
    const all = ranges === undefined ? readKeys(reader, keysIn(kind, namespace)) : readRanges(reader, ranges);
    let read = 0;
    for await (const entry of all) {
      if (read++ >= most) return;
      if (partsOf(entry.key).namespace === namespace && !isOrphaned(kind, entry, this.#registry.reader)) yield entry;
    }
  }

  async #counts(range: CountRange): Promise<readonly Count[]> {
    const { kind } = this;
    if (kind.counted?.[range.index] === undefined)
      throw new Error(`${kind.kind} does not count its index ${range.index}`);
    try {
      return await this.#registry.uncached.counts(kind.qualified, range);
    } catch (error) {
      throw apiErrorOf(error);
    }
  }
}

function decoded({ tuple, count }: Count): readonly TupleCount[] {
  const elements = decodeTuple(tuple);
  return elements === undefined ? [] : [{ tuple: elements, count }];
}
