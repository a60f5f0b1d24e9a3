import { isAscii } from 'node:buffer';
import { flat } from '../../pkg/system/text/flat.js';
import type { Bytes, IndexRow, Revision, Stored } from '../backend.js';
import { StorageError } from '../errors.js';
import type { Key } from '../key.js';
import { asBuffer, decodeObject, parseObject } from './codec.js';
import type { Attributes, ResourceDefinition } from './resource.js';

/** Values up to this size are kept as strings. */
export const LARGEST_PACKED = 16 * 1024;
/**
 * What an entry takes in memory beside its value, with its attributes and rows: measured with folders, and rounded up.
 */
const OVERHEAD = 1024;

/** Entries that lie together for as long as they live, with numbers from 0. */
export interface EntryGroup {
  readonly length: number;
}

/** An object as the state holds it: its bytes, and the attributes that were extracted from them. Immutable. */
export abstract class Entry {
  abstract readonly key: Key;
  abstract readonly revision: Revision;
  abstract readonly attributes: Attributes;
  /** The first of its rows. The others follow by `Row.next`. */
  abstract readonly firstRow: Row | undefined;
  /** The bytes of the object. They are made for each call, so keep the entry and not its bytes. */
  abstract readonly value: Bytes;
  /** The number of bytes. */
  abstract readonly size: number;
  /** About how much memory it takes. */
  abstract readonly footprint: number;

  /** Its rows in the indexes. */
  get rows(): readonly Row[] {
    const rows: Row[] = [];
    for (let row = this.firstRow; row !== undefined; row = row.next) rows.push(row);
    return rows;
  }

  /** The bytes as characters, if it is kept so. */
  get text(): string | undefined {
    return undefined;
  }

  /** The entries that it lies with, so that results about many can be remembered by their numbers. */
  get group(): EntryGroup | undefined {
    return undefined;
  }

  /** Its number in the group. */
  get number(): number {
    return -1;
  }

  /**
   * Takes the rows of the entry that it replaces, if they are the same, so that both have them once. Returns whether
   * they are.
   */
  shareRows(_replaced: Entry): boolean {
    return false;
  }

  /** Writes the bytes into a buffer that has room for them. */
  abstract copy(target: Buffer, at: number): void;

  /** The same as `value`, for a large object: what only the disk has is read in another thread. */
  read(): Promise<Bytes> {
    return Promise.resolve(this.value);
  }

  /** The same object without what was read of it, for those who keep many entries. */
  get bare(): Entry {
    return this;
  }

  /** Whether the bytes of the next entry of a list are directly behind its own and a comma. */
  precedes(_next: Entry): boolean {
    return false;
  }

  /**
   * The bytes up to those of another entry, with commas between them, and behind them if asked for. Each entry precedes
   * the next one. They are not copied, and must not be written to. `undefined`: it must be copied.
   */
  through(_last: Entry, _withComma: boolean): Buffer | undefined {
    return undefined;
  }
}

/**
 * An entry in the memory of the process.
 *
 * A small value is kept as a string with one character for each byte. A buffer of its own takes several hundred bytes
 * more, and a slice of a large buffer would keep all of that alive (docs/adr/0002).
 */
export class MemoryEntry extends Entry {
  readonly key: Key;
  readonly revision: Revision;
  readonly attributes: Attributes;
  /** An array of rows would take as much memory as a row. */
  #first: Row | undefined;
  readonly #value: Bytes | string;

  /** A value that is a string is the result of `pack`. */
  constructor(
    key: Key,
    revision: Revision,
    value: Bytes | string,
    attributes: Attributes,
    rows: readonly IndexRow[] = [],
  ) {
    super();
    this.key = key;
    this.revision = revision;
    this.attributes = attributes;
    this.#first = chained(rows, key);
    this.#value = typeof value === 'string' ? value : pack(value);
  }

  get firstRow(): Row | undefined {
    return this.#first;
  }

  override shareRows(replaced: Entry): boolean {
    if (!areSame(this.#first, replaced.firstRow)) return false;
    this.#first = replaced.firstRow;
    return true;
  }

  get value(): Bytes {
    return typeof this.#value === 'string' ? Buffer.from(this.#value, 'latin1') : this.#value;
  }

  override get text(): string | undefined {
    return typeof this.#value === 'string' ? this.#value : undefined;
  }

  get size(): number {
    return this.#value.length;
  }

  get footprint(): number {
    return this.#value.length + OVERHEAD;
  }

  copy(target: Buffer, at: number): void {
    if (typeof this.#value === 'string') target.write(this.#value, at, 'latin1');
    else target.set(this.#value, at);
  }
}

/** The rows of an object, each with the next one. Returns the first. */
export function chained(rows: readonly IndexRow[], key: Key): Row | undefined {
  return rows.reduceRight<Row | undefined>((next, row) => new Row(row, key, next), undefined);
}

/** A row of an index in memory. It does not refer to its entry, because later ones of the same object share it. */
export class Row implements IndexRow {
  readonly index: string;
  readonly tuple: string;
  readonly key: Key;
  /** The next row of the entry. */
  readonly next: Row | undefined;

  constructor({ index, tuple }: IndexRow, key: Key, next?: Row) {
    this.index = index;
    this.tuple = flat(tuple);
    this.key = key;
    this.next = next;
  }
}

/** Whether two rows of an object are the same. */
export function isSame(a: IndexRow, b: IndexRow): boolean {
  return a.tuple === b.tuple && a.index === b.index;
}

function areSame(some: Row | undefined, others: Row | undefined): boolean {
  let [a, b] = [some, others];
  while (a !== undefined && b !== undefined && isSame(a, b)) [a, b] = [a.next, b.next];
  return a === b;
}

function pack(value: Bytes): Bytes | string {
  return value.length > LARGEST_PACKED ? value : asBuffer(value).toString('latin1');
}

/** An entry for the cache. */
export function entryOf(definition: ResourceDefinition, key: Key, revision: Revision, value: Bytes): Entry {
  const packed = pack(value);
  // The same string serves both, if each of its characters is one byte. A load then makes less garbage.
  const object = typeof packed === 'string' && isAscii(value) ? parseObject(packed) : decodeObject(value);
  return cacheEntry(definition, key, revision, { value: packed, object });
}

/**
 * The same, for an object as `Backend.load` gives it. Throws `refused` with the key if it is none: the server did not
 * write it.
 */
export function loadedEntry(definition: ResourceDefinition, stored: Stored): Entry {
  const { key, revision, text } = stored;
  try {
    if (text === undefined) return entryOf(definition, key, revision, stored.value);
    return cacheEntry(definition, key, revision, { value: text, object: parseObject(text) });
  } catch (cause) {
    const message = `The stored object ${key} is not as a server writes it. Restore a backup that has it whole.`;
    throw new StorageError('refused', message, { cause, key });
  }
}

/** The same, for callers that have the object. */
export function cacheEntry(
  definition: ResourceDefinition,
  key: Key,
  revision: Revision,
  { value, object }: { readonly value: Bytes | string; readonly object: unknown },
): Entry {
  const rows = definition.rows?.(object, key, value.length);
  return new MemoryEntry(key, revision, value, definition.extract(object, key), rows);
}
