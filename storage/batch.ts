import type { Put, Revision } from './backend.js';
import { encodeText, textOf } from './codec.js';
import { type Key, resourceOf } from './key.js';
import type { ResourceDefinition } from './resource.js';
import type { Draft, Entry, State } from './state.js';
import type { Applied, Transaction, View, Write } from './transaction.js';

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
    const writes = transaction.run(this);
    const applied = writes.map((write, index) => this.#prepare(write, this.revision + index + 1));
    applied.forEach((one, index) => {
      this.#apply(one, writes[index]?.object);
    });
    if (writes.length > 0) for (const [resource, id] of this.#pendingIds) this.counters.set(resource, id);
    return applied;
  }

  /** The state after the batch; the evaluation is over. */
  finish(): State {
    return this.#draft.finish(this.revision, this.counters);
  }

  #prepare(write: Write, revision: Revision): Applied {
    const previous = this.get(write.key);
    if (write.object === undefined) return { key: write.key, revision, entry: undefined, previous };
    const value = encodeText(write.text ?? textOf(write.object), revision);
    const attributes = this.#definition(resourceOf(write.key)).extract(write.object, write.key);
    return { key: write.key, revision, entry: { key: write.key, revision, value, attributes }, previous };
  }

  #apply({ key, revision, entry, previous }: Applied, object: unknown): void {
    const resource = resourceOf(key);
    const definition = this.#definition(resource);
    if (!definition.cached) this.#uncached.set(key, entry);
    else if (entry === undefined) this.#draft.delete(resource, key);
    else this.#draft.put(resource, entry);
    this.bytes += (entry?.value.byteLength ?? 0) + (previous?.value.byteLength ?? 0);
    const rows = object === undefined ? undefined : definition.backendRows?.(object, key);
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
