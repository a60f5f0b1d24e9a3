import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import { partsOf } from '../../storage/key.js';
import type { Tuple } from '../../storage/state/tuple.js';
import { entryAttributes, newAttributes, type ReadFilter } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { isOrphaned } from '../kinds/orphans.js';
import { CONTAINER_INDEX, containerTuple, INTERNAL_ID_INDEX, type Registry } from '../kinds/registry.js';
import { entriesOf, type Ranges } from '../read/ranges.js';
import { type Entry, isLong, nameOf, objectOf, parsedAhead, type Reader, type TupleCount } from '../read/reader.js';
import { keptAnyway, Retry } from '../signals/retry.js';
import type { Caller } from '../write/write.js';

export type { IndexRange, Ranges } from '../read/ranges.js';

type ObjectVerb = 'get' | 'create' | 'update' | 'delete';

/** Who reads. With `mayRetry`, a read may throw Retry in place of waiting, while that is true. */
export type ReadCaller = Caller & { readonly mayRetry?: (() => boolean) | undefined };

/** Reads the objects of one kind in one namespace, with the permissions of a caller. */
export abstract class ObjectReader<Spec = unknown> {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  protected readonly reader: Reader;
  readonly #registry: Registry;
  readonly #caller: ReadCaller;

  constructor(registry: Registry, reader: Reader, caller: ReadCaller, kind: Kind, namespace: string) {
    this.kind = kind;
    this.namespace = namespace;
    this.reader = reader;
    this.#registry = registry;
    this.#caller = caller;
  }

  /** Throws 403 for an object that the caller may not view, and 404. */
  get(name: string): KubeObject<Spec> {
    return this.getFor('get', name);
  }

  /**
   * The object, if the caller may use the verb on it. Throws 403, and 404 for callers who may learn that the object
   * does not exist.
   */
  getFor(verb: 'get' | 'update' | 'delete', name: string): KubeObject<Spec> {
    const entry = this.entry(name);
    this.#authorize(verb, name, entry);
    if (entry === undefined) throw notFound(this.kind, name);
    return this.#objectOf(entry);
  }

  /**
   * The objects that the caller may view, in order of names or of the ranges. Skips the first `from` objects. Ends
   * after `most` rows, including those of objects that the caller may not view, so that a search that finds nothing
   * ends, too.
   */
  *list(ranges?: Ranges, from = 0, most = Number.POSITIVE_INFINITY): Generator<KubeObject<Spec>, void, undefined> {
    const filter = this.readFilter();
    let [seen, left] = [0, most];
    for (const entry of this.#stored(ranges)) {
      const isShown = (filter.all || filter.allows(entry)) && !isOrphaned(this.kind, entry, this.reader);
      if (isShown && seen++ >= from) yield objectOf<Spec>(entry);
      if (--left <= 0) return;
    }
  }

  /** Whether the caller may view all objects, including those that are created later. */
  get seesAll(): boolean {
    return this.readFilter().all;
  }

  /** Decides on which objects the caller may use the verb. */
  readFilter(verb: 'list' | 'update' = 'list'): ReadFilter {
    const { kind, namespace } = this;
    return this.#registry.authorizer.readFilter({ user: this.#caller.user, verb, kind, namespace }, this.reader);
  }

  /** Without permission check, for code that does not return the object to the caller. */
  find(name: string): KubeObject<Spec> | undefined {
    const entry = this.entry(name);
    return entry && this.#objectOf(entry);
  }

  /**
   * Finds an object by the integer id of the legacy API. `undefined` if this namespace has none. Without permission
   * check.
   */
  findById(id: number): KubeObject<Spec> | undefined {
    const [entry] = this.#inThisNamespace({ index: INTERNAL_ID_INDEX, prefix: [id] });
    if (entry === undefined) return undefined;
    return isLong(entry) ? this.find(nameOf(entry)) : objectOf<Spec>(entry);
  }

  /** The objects of ranges, in all namespaces that the index spans. Without permission check. */
  *range(ranges?: Ranges): Generator<KubeObject<Spec>, void, undefined> {
    for (const entry of this.entries(ranges)) yield objectOf<Spec>(entry);
  }

  /**
   * The number of rows of an index, for the different first `length` elements of its tuples that begin with `prefix`.
   * Rows of objects whose owners are gone are counted, too.
   */
  counts(index: string, prefix: Tuple, length?: number): Iterable<TupleCount> {
    return this.reader.counts(this.kind.qualified, index, prefix, length);
  }

  /** How many rows of an index have a tuple that begins with these elements. */
  countOf(index: string, prefix: Tuple): number {
    const [counted] = this.counts(index, prefix, prefix.length);
    return counted?.count ?? 0;
  }

  /** The objects that a container contains directly. Without permission check. */
  *contained(container: string): Generator<KubeObject<Spec>, void, undefined> {
    for (const entry of this.entriesIn(container)) yield objectOf<Spec>(entry);
  }

  /** The entries that a container contains directly. Without permission check. */
  entriesIn(container: string): Iterable<Entry> {
    return this.entries({ index: CONTAINER_INDEX, prefix: containerTuple(this.namespace, container) });
  }

  /** The entries of this namespace with an integer id of the legacy API: none or one. Without permission check. */
  entriesById(id: number): readonly Entry[] {
    return [...this.entries({ index: INTERNAL_ID_INDEX, prefix: [id] })].filter((entry) => this.isInNamespace(entry));
  }

  /** The number of objects that a container contains directly and that the caller may view. */
  countContained(container: string): number {
    const filter = this.readFilter();
    let count = 0;
    for (const entry of this.entriesIn(container)) if (filter.all || filter.allows(entry)) count++;
    return count;
  }

  /** Whether the caller has the action on the object. Without an object: on any object. */
  may(action: string, object?: KubeObject): boolean {
    const { kind, namespace } = this;
    const attributes = object && newAttributes(kind, object);
    const { user } = this.#caller;
    return this.#registry.authorizer.hasAction({ user, verb: '', kind, namespace }, action, attributes, this.reader);
  }

  /** Throws 403 unless the caller may use the verb on the object. Without an object: on any object. */
  authorize(verb: ObjectVerb, object?: KubeObject): void {
    const attributes = object && newAttributes(this.kind, object);
    const { kind, namespace } = this;
    const name = object?.metadata.name ?? '';
    this.#registry.authorizer.authorize(
      { user: this.#caller.user, verb, kind, namespace, name, ...(attributes && { object: attributes }) },
      this.reader,
    );
  }

  count(): number {
    return this.reader.count(this.kind.qualified, this.namespace);
  }

  /** Returns the same value as long as no object of the kind changes, in any namespace. */
  get version(): object {
    return this.reader.version(this.kind.qualified);
  }

  /** The integer id of the legacy API. */
  idOf(object: KubeObject): number {
    return Number(object.metadata.labels?.[this.kind.ownedKeys.internalId] ?? 0);
  }

  /**
   * The entries of ranges. Without ranges: all entries, in order of names. Without those whose owners are gone, and
   * without permission check.
   */
  entries(ranges?: Ranges): Iterable<Entry> {
    const all = this.#stored(ranges);
    return this.kind.dependsOn === undefined ? all : this.#owned(all);
  }

  #stored(ranges: Ranges | undefined): Iterable<Entry> {
    const { reader, kind, namespace } = this;
    if (ranges === undefined) return reader.inNamespace(kind.qualified, namespace);
    const isWhole = 'index' in ranges && ranges.from === undefined && ranges.to === undefined && !ranges.reverse;
    return isWhole
      ? reader.walk(kind.qualified, ranges.index, ranges.prefix)
      : entriesOf(reader, kind.qualified, ranges);
  }

  *#owned(all: Iterable<Entry>): Generator<Entry, void, undefined> {
    for (const entry of all) if (!isOrphaned(this.kind, entry, this.reader)) yield entry;
  }

  /** Whether an entry is in this namespace. */
  isInNamespace({ key }: Entry): boolean {
    return partsOf(key).namespace === this.namespace;
  }

  /** Without permission check. */
  entry(name: string): Entry | undefined {
    const entry = this.reader.entry(this.kind.qualified, this.namespace, name);
    return entry !== undefined && isOrphaned(this.kind, entry, this.reader) ? undefined : entry;
  }

  /** The object of an entry. A caller who can begin again has a large one parsed in steps first. */
  #objectOf(entry: Entry): KubeObject<Spec> {
    const parsing = this.#caller.mayRetry?.() === true ? parsedAhead(entry) : undefined;
    if (parsing !== undefined) throw new Retry('the object is parsed in steps', keptAnyway(parsing));
    return objectOf<Spec>(entry);
  }

  #authorize(verb: string, name: string, entry: Entry | undefined): void {
    const { kind, namespace } = this;
    const { user } = this.#caller;
    const object = entry && { object: entryAttributes(entry) };
    this.#registry.authorizer.authorize({ user, verb, kind, namespace, name, ...object }, this.reader);
  }

  *#inThisNamespace(range: Ranges): Generator<Entry, void, undefined> {
    for (const entry of this.entries(range)) if (this.isInNamespace(entry)) yield entry;
  }
}
