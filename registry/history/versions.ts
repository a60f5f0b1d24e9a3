import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { badRequest } from '../../pkg/kube/status/errors.js';
import type { EntryRow, RowRange } from '../../storage/state/walk.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import { type IndexRange, rowRange } from '../read/ranges.js';
import { type Entry, objectOf } from '../read/reader.js';
import { BY_NAME, BY_ORIGIN, BY_TIME, deletedKeys, type Retained, type RetainedSpec } from '../write/retained.js';
import { type DeletionRecord, deletionRecordOf } from './deletion-record.js';

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
  versions(origin: string, below: number, limit: number): readonly Retained[] {
    const versions: Retained[] = [];
    const range = { index: BY_ORIGIN, prefix: [this.#namespace, origin], to: [below], reverse: true };
    for (const { entry } of this.#rows(range)) {
      if (versions.length >= limit) break;
      versions.push(objectOf<RetainedSpec>(entry));
    }
    return versions;
  }

  /** One version of an object. */
  version(origin: string, generation: number): Retained | undefined {
    const [row] = this.#rows({ index: BY_ORIGIN, prefix: [this.#namespace, origin, generation] });
    return row && objectOf<RetainedSpec>(row.entry);
  }

  /** The newest deletion of an object with this name that has not expired. */
  newestDeletion(name: string): DeletionRecord | undefined {
    const [newest] = this.deletionsOf(name, 1);
    return newest;
  }

  /** The last deletions of objects with this name that have not expired, the newest first. */
  deletionsOf(name: string, most: number): readonly DeletionRecord[] {
    const prefix = [this.#namespace, this.#kind.qualified, name];
    const records: DeletionRecord[] = [];
    for (const { entry } of this.#rows({ index: BY_NAME, prefix, reverse: true })) {
      const record = deletionRecordOf(this.#kind, entry);
      if (record.spec.deletion.expires <= this.#registry.clock.now()) break;
      if (records.push(record) === most) break;
    }
    return records;
  }

  /** All objects of one deletion, containers before their contents. */
  deletedTogether(id: string): readonly KubeObject[] {
    return [...this.membersOf(id)].flatMap(contentOf);
  }

  /** The same from one of them on, as entries. */
  membersOf(id: string, from = 0): Iterable<Entry> {
    const { retained, cacher } = this.#registry;
    if (retained === undefined) return [];
    const { low, high } = deletedKeys(retained, this.#namespace, id, from);
    return cacher.resource(retained.qualified).entries(low, high);
  }

  /**
   * What is in the trash of the kind behind a row, or all of it, the last deleted first. A client may have made up the
   * row, so one of another kind or namespace is refused: throws 400.
   */
  rowsBehind(rowKey: string): Iterable<EntryRow> {
    const whole = rowRange({ index: BY_TIME, prefix: [this.#namespace, this.#kind.qualified], reverse: true });
    if (rowKey === '') return this.#rowsIn(whole);
    if (rowKey < whole.from || rowKey >= whole.to)
      throw badRequest('invalid continue token: its key is outside of this list');
    return this.#rowsIn({ ...whole, to: rowKey });
  }

  #rows(range: IndexRange): Iterable<EntryRow> {
    return this.#rowsIn(rowRange(range));
  }

  #rowsIn(range: RowRange): Iterable<EntryRow> {
    const { retained, reader } = this.#registry;
    return retained === undefined ? [] : reader.rows(retained.qualified, range);
  }
}

function contentOf(entry: Entry): readonly KubeObject[] {
  const { spec } = objectOf<RetainedSpec>(entry);
  return spec?.object === undefined ? [] : [spec.object];
}
