import type { KubeObject } from '../../pkg/meta/types.js';
import type { IndexRange } from '../../storage/backend.js';
import { behind } from '../../storage/range.js';
import { encodeTuple, prefixEnd, type Tuple } from '../../storage/tuple.js';
import type { Kind } from '../kind.js';
import { type Entry, objectOf } from '../reader.js';
import type { Registry } from '../registry.js';
import { type Former, formerOf } from './former.js';
import { BY_NAME, BY_ORIGIN, deletedKeys, type Retained, type RetainedSpec } from './retained.js';

/** Reads what is retained, at the newest revision of this server. Without permission checks. */
export class RetainedReader {
  readonly #registry: Registry;
  readonly #kind: Kind;
  readonly #namespace: string;

  constructor(registry: Registry, kind: Kind, namespace: string) {
    this.#registry = registry;
    this.#kind = kind;
    this.#namespace = namespace;
  }

  /** The versions of an object with a generation below `below`, the newest first. */
  async versions(origin: string, below: number, limit: number): Promise<readonly Retained[]> {
    const prefix = [this.#namespace, origin];
    const range = { ...rangeOf(BY_ORIGIN, prefix, limit), to: encodeTuple([...prefix, below]), reverse: true };
    return (await this.rows(range)).map(({ entry }) => objectOf<RetainedSpec>(entry));
  }

  /** One version of an object. */
  async version(origin: string, generation: number): Promise<Retained | undefined> {
    const range = rangeOf(BY_ORIGIN, [this.#namespace, origin, generation], 1);
    const [row] = await this.rows(range);
    return row && objectOf<RetainedSpec>(row.entry);
  }

  /** The newest deletion of an object with this name that has not expired. */
  async newestDeletion(name: string): Promise<Former | undefined> {
    const range = rangeOf(BY_NAME, [this.#namespace, this.#kind.qualified, name], 1);
    const [row] = await this.rows({ ...range, reverse: true });
    const former = row && formerOf(this.#kind, row.entry);
    return former !== undefined && former.spec.deletion.expires > this.#registry.clock.now() ? former : undefined;
  }

  /** All objects that went in one deletion, containers before their contents. */
  async deletedTogether(id: string): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = [];
    for await (const entry of this.membersOf(id)) found.push(...contentOf(entry));
    return found;
  }

  /** The same, as entries. */
  async *membersOf(id: string): AsyncGenerator<Entry, void, undefined> {
    const { retained } = this.#registry;
    let range: IndexRange | undefined = retained && { ...deletedKeys(retained, this.#namespace, id), limit: CHUNK };
    while (range !== undefined) {
      const rows = await this.rows(range);
      for (const { entry } of rows) yield entry;
      const last = rows.length < CHUNK ? undefined : rows.at(-1);
      range = last && behind(range, last.rowKey);
    }
  }

  rows(range: IndexRange) {
    const { retained, uncached } = this.#registry;
    return retained === undefined ? Promise.resolve([]) : uncached.range(retained.qualified, range);
  }
}

const CHUNK = 500;

function contentOf(entry: Entry): readonly KubeObject[] {
  const { spec } = objectOf<RetainedSpec>(entry);
  return spec?.object === undefined ? [] : [spec.object];
}

export function rangeOf(index: string, prefix: Tuple, limit: number): IndexRange {
  const from = encodeTuple(prefix);
  return { index, from, to: prefixEnd(from), limit };
}
