import { encodeText, textOf } from '../storage/codec.js';
import { type Key, resourceOf } from '../storage/key.js';
import type { ResourceDefinition } from '../storage/resource.js';
import type { Entry } from '../storage/state.js';
import type { View, Write } from '../storage/transaction.js';

/** A view with writes of the same transaction on top, so that one may rest on another. */
export class Overlay implements View {
  readonly #definitions: ReadonlyMap<string, ResourceDefinition>;
  readonly #base: View;
  readonly #own = new Map<Key, Entry | undefined>();
  readonly #versions = new Map<string, object>();

  constructor(definitions: ReadonlyMap<string, ResourceDefinition>, base: View) {
    this.#definitions = definitions;
    this.#base = base;
  }

  get revision(): number {
    return this.#base.revision;
  }

  apply({ key, object, text }: Write): void {
    this.#own.set(key, object === undefined ? undefined : this.#entry(key, object, text));
    this.#versions.set(resourceOf(key), {});
  }

  get(key: Key): Entry | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#base.get(key);
  }

  range(resource: string, index: string, prefix: string, limit: number): readonly Entry[] {
    if (!this.#versions.has(resource)) return this.#base.range(resource, index, prefix, limit);
    const stored = this.#base.range(resource, index, prefix, Number.POSITIVE_INFINITY);
    const rows = [
      ...stored.filter(({ key }) => !this.#own.has(key)),
      ...[...this.#own.values()].filter((entry) => entry !== undefined && resourceOf(entry.key) === resource),
    ].flatMap((entry) => placesOf(entry, index, prefix));
    // An entry found under two tuples comes twice from the base already: once for each place it has.
    const places = new Map(rows.map((row) => [row.place, row.entry]));
    return [...places]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([, entry]) => entry);
  }

  version(resource: string): object {
    return this.#versions.get(resource) ?? this.#base.version(resource);
  }

  count(resource: string, namespace: string): number {
    const low = `${resource}/${namespace}/`;
    const changes = [...this.#own].filter(([key]) => key.startsWith(low));
    return changes.reduce(
      (count, [key, entry]) => count + Number(entry !== undefined) - Number(this.#base.get(key) !== undefined),
      this.#base.count(resource, namespace),
    );
  }

  nextId(resource: string): number {
    return this.#base.nextId(resource);
  }

  #entry(key: Key, object: unknown, text: string | undefined): Entry {
    const definition = this.#definitions.get(resourceOf(key));
    if (definition === undefined) throw new Error(`the resource ${resourceOf(key)} is not declared`);
    // The number of a write is only known when the whole batch is; one above the view's is as good as any until then.
    const revision = this.#base.revision + 1;
    return {
      key,
      revision,
      value: encodeText(text ?? textOf(object), revision),
      attributes: definition.extract(object, key),
    };
  }
}

interface Place {
  readonly place: string;
  readonly entry: Entry;
}

function placesOf(entry: Entry | undefined, index: string, prefix: string): readonly Place[] {
  if (entry === undefined) return [];
  return entry.attributes.rows
    .filter((row) => row.index === index && row.tuple.startsWith(prefix))
    .map((row) => ({ place: `${row.tuple} ${entry.key}`, entry }));
}
