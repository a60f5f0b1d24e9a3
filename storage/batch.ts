import type { IndexRow, Put, Revision } from './backend.js';
import { encodeText, textOf } from './codec.js';
import { type Key, resourceOf } from './key.js';
import type { ResourceDefinition } from './resource.js';
import type { Draft, Entry, State } from './state.js';
import type { Applied, Transaction, View, Write } from './transaction.js';

interface Prepared {
  readonly applied: Applied;
  readonly rows: readonly IndexRow[] | undefined;
}

/** A batch being evaluated: a private view on a draft of the next state that takes up each transaction's writes. */
export class Evaluation implements View {
  readonly changes: Put[] = [];
  readonly counters = new Map<string, number>();
  bytes = 0;
  readonly #draft: Draft;
  readonly #definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly #uncached: Map<Key, Entry | undefined>;
  #pendingIds = new Map<string, number>();

  constructor(
    draft: Draft,
    definitions: ReadonlyMap<string, ResourceDefinition>,
    uncached: ReadonlyMap<Key, Entry | undefined>,
  ) {
    this.#draft = draft;
    this.#definitions = definitions;
    this.#uncached = new Map(uncached);
  }

  get baseRevision(): Revision {
    return this.#draft.base.revision;
  }

  get revision(): Revision {
    return this.#draft.base.revision + this.changes.length;
  }

  get(key: Key): Entry | undefined {
    const resource = resourceOf(key);
    if (this.#definition(resource).cached) return this.#draft.resource(resource).get(key);
    if (!this.#uncached.has(key)) throw new Error(`a transaction read ${key} without naming it in needs`);
    return this.#uncached.get(key);
  }

  range(resource: string, index: string, prefix: string, limit: number): readonly Entry[] {
    const found: Entry[] = [];
    for (const entry of this.#draft.resource(resource).range(index, prefix)) {
      if (found.length >= limit) break;
      found.push(entry);
    }
    return found;
  }

  version(resource: string): object {
    return this.#draft.resource(resource).version;
  }

  count(resource: string, namespace: string): number {
    return this.#draft.resource(resource).count(namespace);
  }

  nextId(resource: string): number {
    const last =
      this.#pendingIds.get(resource) ?? this.counters.get(resource) ?? this.#draft.base.counters.get(resource);
    const id = (last ?? 0) + 1;
    this.#pendingIds.set(resource, id);
    return id;
  }

  /** Throws what the transaction throws; then nothing of it remains. */
  evaluate(transaction: Transaction): readonly Applied[] {
    this.#pendingIds = new Map();
    const prepared = this.#prepareAll(transaction.run(this));
    for (const one of prepared) this.#apply(one);
    if (prepared.length > 0) for (const [resource, id] of this.#pendingIds) this.counters.set(resource, id);
    return prepared.map(({ applied }) => applied);
  }

  /** The state after the batch; the evaluation is over. */
  finish(): State {
    return this.#draft.finish(this.revision, this.counters);
  }

  /** Everything that may throw, before anything is taken up. A key written twice has its first write as previous value. */
  #prepareAll(writes: readonly Write[]): readonly Prepared[] {
    const own = new Map<Key, Entry | undefined>();
    return writes.map((write, index) => {
      const { key } = write;
      const previous = own.has(key) ? own.get(key) : this.get(key);
      const prepared = this.#prepare(write, this.revision + index + 1, previous);
      own.set(key, prepared.applied.entry);
      return prepared;
    });
  }

  #prepare({ key, object, text }: Write, revision: Revision, previous: Entry | undefined): Prepared {
    if (object === undefined) return { applied: { key, revision, entry: undefined, previous }, rows: undefined };
    const definition = this.#definition(resourceOf(key));
    const value = encodeText(text ?? textOf(object), revision);
    const entry = { key, revision, value, attributes: definition.extract(object, key) };
    return { applied: { key, revision, entry, previous }, rows: definition.backendRows?.(object, key) };
  }

  #apply({ applied: { key, revision, entry, previous }, rows }: Prepared): void {
    const resource = resourceOf(key);
    if (!this.#definition(resource).cached) this.#uncached.set(key, entry);
    else if (entry === undefined) this.#draft.delete(resource, key);
    else this.#draft.put(resource, entry);
    this.bytes += (entry?.value.byteLength ?? 0) + (previous?.value.byteLength ?? 0);
    this.changes.push({
      key,
      revision,
      ...(entry === undefined ? {} : { value: entry.value }),
      ...(rows === undefined ? {} : { rows }),
      ...(previous === undefined ? {} : { previous: { key, revision: previous.revision, value: previous.value } }),
    });
  }

  #definition(resource: string): ResourceDefinition {
    const definition = this.#definitions.get(resource);
    if (definition === undefined) throw new Error(`the resource ${resource} is not declared to the storage engine`);
    return definition;
  }
}
