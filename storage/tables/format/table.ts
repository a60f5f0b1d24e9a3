import type { Bytes, Revision } from '../../backend.js';
import type { Key } from '../../key.js';
import { decodeObject } from '../../state/codec.js';
import { chained, Entry, type Row } from '../../state/entry.js';
import type { ResidencyCheck } from '../../state/residency.js';
import type { Attributes, ResourceDefinition } from '../../state/resource.js';
import type { Checksums } from './checksums.js';
import { hashOf, OBJECT_MASK, tagOf } from './hash.js';
import type { Span } from './layout.js';
import type { ReadGroup } from './read-group.js';
import type { Records } from './records.js';
import type { TableIndex } from './table-index.js';
import type { TextColumn } from './text-column.js';

/**
 * This many entries of a table that were read last are kept, so that results which are remembered by entry are found
 * again. A power of two.
 */
const KEPT = 4096;

/** About how many bytes an object takes in the other columns and in the indexes. */
const INDEXED = 200;

/** What a table reads with. */
interface Columns {
  /** The keys behind the resource and a slash. */
  readonly keys: TextColumn;
  readonly records: Records;
  /** The hash table of the keys (hash.ts). */
  readonly slots: Uint32Array;
  readonly indexes: ReadonlyMap<string, TableIndex>;
}

/** What a table is made of. */
interface TableFileParts {
  readonly columns: Columns;
  readonly residence: ResidencyCheck;
  readonly checksums: Checksums;
  /** Where the columns are. */
  readonly span: Span;
}

/** Objects of one resource in a file, sorted by key. Nothing of it changes. Objects have numbers from 0. */
export class Table {
  readonly definition: ResourceDefinition;
  /** The columns but not the objects: what look-ups read. */
  readonly residence: ResidencyCheck;
  /** How many objects there are. */
  readonly length: number;
  readonly #columns: Columns;
  readonly #checksums: Checksums;
  /** Where the columns are in the file. */
  readonly #span: Span;
  /** The version of the checksums with which the columns were checked. */
  #version = 0;
  readonly #prefix: string;
  #kept: (TableEntry | undefined)[] | undefined;

  constructor(definition: ResourceDefinition, { columns, residence, checksums, span }: TableFileParts) {
    this.definition = definition;
    this.#columns = columns;
    this.residence = residence;
    this.length = columns.keys.length;
    this.#checksums = checksums;
    this.#span = span;
    this.#prefix = `${definition.resource}/`;
  }

  /**
   * The version with which `columns` was checked last. It changes when what was read of the file must be checked again.
   */
  get version(): number {
    return this.#version;
  }

  /** They are as they were written. Throws DamageError otherwise. */
  get columns(): Columns {
    const { version } = this.#checksums;
    if (this.#version !== version) this.#check(version);
    return this.#columns;
  }

  /** Pages that were checked already cost nothing, so this is long only after somebody has written to the file. */
  #check(version: number): void {
    this.#checksums.check(...this.#span);
    this.#version = version;
  }

  /** About how many bytes of the file belong to it. */
  get bytes(): number {
    const { valueStarts } = this.columns.records.places;
    return (valueStarts.at(-1) ?? 0) - (valueStarts[0] ?? 0) + INDEXED * this.length;
  }

  key(ordinal: number): Key {
    return (this.#prefix + this.columns.keys.get(ordinal)) as Key;
  }

  /** With `group`: it is read with others. */
  entry(ordinal: number, group?: ReadGroup): Entry {
    this.#kept ??= new Array<TableEntry | undefined>(Math.min(KEPT, this.length)).fill(undefined);
    const slot = ordinal & (KEPT - 1);
    const kept = this.#kept[slot];
    const entry = kept?.ordinal === ordinal ? kept : new TableEntry(this, ordinal);
    if (entry !== kept) this.#kept[slot] = entry;
    entry.readWith = group;
    return entry;
  }

  /** The same for a reader of many, whose entries are not kept. */
  passing(ordinal: number): Entry {
    const kept = this.#kept?.[ordinal & (KEPT - 1)];
    return kept?.ordinal === ordinal ? kept : new TableEntry(this, ordinal);
  }

  /** The number of the object with a key, or -1. */
  find(key: Key): number {
    const { slots, keys } = this.columns;
    const skipped = this.#prefix.length;
    const hash = hashOf(key, skipped);
    const tag = tagOf(hash) >>> 0;
    const mask = slots.length - 1;
    for (let index = hash & mask, left = slots.length; left > 0; index = (index + 1) & mask, left--) {
      const slot = slots[index] as number;
      if (slot === 0) return -1;
      if ((slot & ~OBJECT_MASK) >>> 0 === tag && keys.equals((slot & OBJECT_MASK) - 1, key, skipped))
        return (slot & OBJECT_MASK) - 1;
    }
    return -1;
  }

  /** The number of the first object, from `from` on, whose key is not before a text. */
  search(text: string, from = 0): number {
    const skipped = this.#prefix.length;
    if (text.startsWith(this.#prefix)) return this.columns.keys.search(text, skipped, from);
    return text < this.#prefix ? from : this.length;
  }
}

/** About what an entry takes in memory. Its bytes are in the file. */
const FOOTPRINT = 256;

/** An object of a table. Each part is read from the file when it is needed. */
export class TableEntry extends Entry {
  readonly table: Table;
  /** The number of the object in the table. */
  readonly ordinal: number;
  #key: Key | undefined;
  #attributes: Attributes | undefined;
  /** The version of the table with which they were checked. */
  #version = 0;
  /** `null`: not made yet. */
  #firstRow: Row | undefined | null = null;
  /** It was found with these, which are probably read, too. */
  readWith: ReadGroup | undefined;

  constructor(table: Table, ordinal: number) {
    super();
    this.table = table;
    this.ordinal = ordinal;
  }

  override get group(): Table {
    return this.table;
  }

  override get number(): number {
    return this.ordinal;
  }

  get key(): Key {
    this.#key ??= this.table.key(this.ordinal);
    return this.#key;
  }

  get revision(): Revision {
    return this.table.columns.records.revision(this.ordinal);
  }

  get attributes(): Attributes {
    // They are read from the file later, so they are good for as long as the file is.
    const { columns, version } = this.table;
    if (this.#attributes === undefined || this.#version !== version) {
      this.readWith?.attributes();
      this.#attributes = columns.records.attributes(this.ordinal);
      this.#version = version;
    }
    return this.#attributes;
  }

  /** Made from the object, because the indexes of a table lead only from rows to objects. */
  get firstRow(): Row | undefined {
    if (this.#firstRow === null) {
      const { definition } = this.table;
      this.#firstRow = chained(definition.rows?.(decodeObject(this.value), this.key, this.size) ?? [], this.key);
    }
    return this.#firstRow;
  }

  get value(): Bytes {
    this.readWith?.values();
    return this.table.columns.records.value(this.ordinal);
  }

  get size(): number {
    return this.table.columns.records.length(this.ordinal);
  }

  get footprint(): number {
    return FOOTPRINT;
  }

  copy(target: Buffer, offset: number): void {
    this.readWith?.values();
    this.table.columns.records.copyValues(this.ordinal, this.ordinal, target, offset);
  }

  override read(): Promise<Bytes> {
    return this.table.columns.records.read(this.ordinal);
  }

  override get bare(): Entry {
    return new TableEntry(this.table, this.ordinal);
  }

  override precedes(next: Entry): boolean {
    if (!(next instanceof TableEntry) || next.table !== this.table || next.ordinal !== this.ordinal + 1) return false;
    return this.table.columns.records.isFollowed(this.ordinal);
  }

  override through(last: Entry, withComma: boolean): Buffer | undefined {
    if (!(last instanceof TableEntry)) return undefined;
    this.readWith?.values();
    return this.table.columns.records.values(this.ordinal, last.ordinal, withComma);
  }
}
