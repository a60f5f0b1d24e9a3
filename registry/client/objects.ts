import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { notFound } from '../../pkg/kube/status/errors.js';
import type { Steps } from '../../pkg/system/yielding/steps.js';
import { partsOf } from '../../storage/key.js';
import type { Tuple } from '../../storage/state/tuple.js';
import { decodeSpec, decodeSteps, decodeTyped, type Part } from '../decode/decode.js';
import { entryAttributes, newAttributes, type ReadFilter } from '../kinds/authorizer.js';
import type { Kind } from '../kinds/kind.js';
import { isOrphaned } from '../kinds/orphans.js';
import { CONTAINER_INDEX, containerTuple, INTERNAL_ID_INDEX, type Registry } from '../kinds/registry.js';
import { STATUS } from '../kinds/subresource.js';
import { entriesOf, type Ranges } from '../read/ranges.js';
import { readable } from '../read/readable.js';
import {
  type Entry,
  found,
  isLong,
  nameOf,
  objectOf,
  parsedAhead,
  type Reader,
  type TupleCount,
} from '../read/reader.js';
import { keptAnyway, Retry } from '../signals/retry.js';
import type { DeleteOptions } from '../write/delete.js';
import type { Caller, Change, SubresourceWrite, Written } from '../write/write.js';

export type { Range, Ranges } from '../read/ranges.js';

/** The parts of a new object that the caller sets. The server adds the others. */
export interface NewObject<Spec> {
  readonly metadata: Partial<KubeObject['metadata']>;
  readonly spec: Spec;
}

/** Returns the object to store, given the stored object. Must be pure. An error that it throws is the answer. */
export type TypedChange<Spec> = (old: KubeObject<Spec>) => KubeObject<Spec>;

type ObjectVerb = 'get' | 'create' | 'update' | 'delete';

/** The writes of an ObjectClient or of TransactionObjects. `Result` is a promise outside of a transaction. */
interface Writes<Result> {
  create(kind: Kind, namespace: string, object: KubeObject): Result;
  update(kind: Kind, namespace: string, name: string, change: Change, subresource?: SubresourceWrite): Result;
  delete(kind: Kind, namespace: string, name: string, options?: DeleteOptions): Result;
}

/** The part of a Client that an ObjectClient needs. */
interface ClientWrites extends Writes<Promise<Written>> {
  readonly registry: Registry;
  readonly options: Caller & { readonly mayRetry?: (() => boolean) | undefined };
}

const WRITE_STATUS: SubresourceWrite = { name: STATUS, verb: 'update' };

/** The part of a Transaction that TransactionObjects need. */
interface TransactionWrites extends Writes<Written> {
  createSteps(kind: Kind, namespace: string, object: KubeObject): Steps<Written>;
  updateSteps(kind: Kind, namespace: string, name: string, change: Change): Steps<Written>;
  readonly registry: Registry;
  readonly caller: Caller;
  readonly reader: Reader;
}

/** Reads the objects of one kind in one namespace, with the permissions of a caller. */
export abstract class ObjectReader<Spec = unknown> {
  readonly kind: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  protected readonly reader: Reader;
  readonly #registry: Registry;
  readonly #caller: ClientWrites['options'];

  constructor(registry: Registry, reader: Reader, caller: ClientWrites['options'], kind: Kind, namespace: string) {
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
    for (const entry of this.#readable(this.#stored(ranges))) {
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
    for (const entry of this.#readable(this.entries(ranges))) yield objectOf<Spec>(entry);
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
    for (const entry of this.#readable(this.entriesIn(container))) yield objectOf<Spec>(entry);
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
    const [entry] = this.#readable(found(this.reader.entry(this.kind.qualified, this.namespace, name)));
    return entry !== undefined && isOrphaned(this.kind, entry, this.reader) ? undefined : entry;
  }

  /** The same entries. All reads of objects go through here, and begin again if only the disk has one of them. */
  #readable(entries: Iterable<Entry>): Iterable<Entry> {
    return readable(entries, this.#caller.mayRetry);
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
    for (const entry of this.#readable(this.entries(range))) if (this.isInNamespace(entry)) yield entry;
  }
}

/** The objects of one kind in one namespace at the newest state. Each write is a transaction of its own. */
export class ObjectClient<Spec = unknown> extends ObjectReader<Spec> {
  readonly #client: ClientWrites;

  constructor(client: ClientWrites, kind: Kind, namespace: string) {
    super(client.registry, client.registry.reader, client.options, kind, namespace);
    this.#client = client;
  }

  /** Reads an object ahead of a transaction that changes it, in steps if it is large. */
  async readAhead(name: string): Promise<void> {
    await parsedAhead(this.entry(name));
  }

  async create(object: NewObject<Spec>): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.create(this.kind, this.namespace, typed(this.kind, object)));
  }

  async update(name: string, change: TypedChange<Spec>): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.update(this.kind, this.namespace, name, checked(this.kind, change)));
  }

  /** Changes only the status. */
  async updateStatus(name: string, change: TypedChange<Spec>): Promise<KubeObject<Spec>> {
    const status = checked(this.kind, change, 'status');
    return objectIn(await this.#client.update(this.kind, this.namespace, name, status, WRITE_STATUS));
  }

  /** Returns the last state of the object. */
  async delete(name: string, options?: DeleteOptions): Promise<KubeObject<Spec>> {
    return objectIn(await this.#client.delete(this.kind, this.namespace, name, options));
  }
}

/** The objects of one kind in one namespace, read and written in a transaction. */
export class TransactionObjects<Spec = unknown> extends ObjectReader<Spec> {
  readonly #transaction: TransactionWrites;

  constructor(transaction: TransactionWrites, kind: Kind, namespace: string) {
    super(transaction.registry, transaction.reader, transaction.caller, kind, namespace);
    this.#transaction = transaction;
  }

  create(object: NewObject<Spec>): KubeObject<Spec> {
    return objectIn(this.#transaction.create(this.kind, this.namespace, typed(this.kind, object)));
  }

  /** With `subresource`, the caller needs the permission of the subresource instead of the permission to update. */
  update(name: string, change: TypedChange<Spec>, subresource?: SubresourceWrite): KubeObject<Spec> {
    return objectIn(this.#transaction.update(this.kind, this.namespace, name, checked(this.kind, change), subresource));
  }

  /** The same as `create`, in steps, for an object that may be large. */
  *createSteps(object: NewObject<Spec>): Steps<KubeObject<Spec>> {
    const { object: decoded } = yield* decodeSteps(this.kind, wholeOf(this.kind, object));
    return objectIn(yield* this.#transaction.createSteps(this.kind, this.namespace, decoded));
  }

  /** The same as `update`, in steps. */
  *updateSteps(name: string, change: TypedChange<Spec>): Steps<KubeObject<Spec>> {
    return objectIn(yield* this.#transaction.updateSteps(this.kind, this.namespace, name, checked(this.kind, change)));
  }

  /** Changes only the status. */
  updateStatus(name: string, change: TypedChange<Spec>): KubeObject<Spec> {
    const status = checked(this.kind, change, 'status');
    return objectIn(this.#transaction.update(this.kind, this.namespace, name, status, WRITE_STATUS));
  }

  /** Creates the object, or changes its spec if it exists. */
  put(name: string, specOf: (old: Spec | undefined) => Spec): KubeObject<Spec> {
    if (this.find(name) === undefined) return this.create({ metadata: { name }, spec: specOf(undefined) });
    return this.update(name, (old) => ({ ...old, spec: specOf(old.spec) }));
  }

  delete(name: string, options?: DeleteOptions): KubeObject<Spec> {
    return objectIn(this.#transaction.delete(this.kind, this.namespace, name, options));
  }
}

function typed(kind: Kind, object: NewObject<unknown>): KubeObject {
  return decodeTyped(kind, wholeOf(kind, object)).object;
}

const wholeOf = (kind: Kind, object: NewObject<unknown>): unknown => ({
  apiVersion: kind.apiVersion,
  kind: kind.kind,
  ...object,
});

/**
 * Decodes the result of the change. If the change kept the metadata of the stored object, only the spec can be invalid.
 */
function checked<Spec>(kind: Kind, change: TypedChange<Spec>, part: Part = 'spec'): (old: KubeObject) => KubeObject {
  return (old) => {
    const object = change(old as KubeObject<Spec>);
    if (part === 'status') return decodeTyped(kind, object, part).object;
    return object.metadata === old.metadata ? decodeSpec(kind, object) : decodeTyped(kind, object).object;
  };
}

function objectIn<Spec>({ object }: Written): KubeObject<Spec> {
  return object as KubeObject<Spec>;
}
