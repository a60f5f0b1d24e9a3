import type { Bytes, Revision } from '../../backend.js';
import { refuseColdRead, refusedPeriod } from '../../state/cold-reads.js';
import { residencyPeriod } from '../../state/residency.js';
import type { Attributes } from '../../state/resource.js';
import { AttributeReader, recordAt } from './attributes.js';
import type { Checksums } from './checksums.js';
import type { Pages } from './pages.js';
import { SUMMED } from './sums.js';

/**
 * Neither a value nor the attributes of an object lie across a multiple of this in their file, so that no view of the
 * file has to be larger.
 */
export const WINDOW = 2 ** 30;

/** Bytes of the length of a record of attributes. */
const RECORD_LENGTH = 4;

/** Larger values are asked for when they are read: a group of them would be too much. */
const LARGEST_IN_GROUP = 64 * 1024;

/** It is written after each value, so that values in a row are a part of a list. */
export const SEPARATOR = 0x2c;

/** Where the values and attributes of objects are. */
interface Places {
  /** Offsets in the file. */
  readonly valueStarts: Float64Array;
  readonly valueLengths: Uint32Array;
  /** Offsets in the file. */
  readonly attributeStarts: Float64Array;
  readonly revisions: Float64Array;
}

/** The file of the values and attributes. */
interface RecordBytes {
  /** The whole file, each `WINDOW` long. */
  readonly windows: readonly Buffer[];
  readonly pages: Pages;
  readonly checksums: Checksums;
}

/** The values and attributes of the objects of a table, in the order of the keys. */
export class Records {
  readonly places: Places;
  readonly #windows: readonly Buffer[];
  readonly #reader = new AttributeReader();

  readonly #pages: Pages;
  readonly #checksums: Checksums;

  constructor(places: Places, { windows, pages, checksums }: RecordBytes) {
    this.places = places;
    this.#windows = windows;
    this.#pages = pages;
    this.#checksums = checksums;
  }

  /**
   * Asks the system for the attributes of objects, and for those around them: they are small. Work that must not wait
   * asks for what it needs itself.
   */
  prefetchAttributes(ordinals: Uint32Array): void {
    if (refusedPeriod() !== 0) return;
    const period = residencyPeriod();
    for (const ordinal of ordinals)
      this.#pages.prefetch(this.places.attributeStarts[ordinal] as number, RECORD_LENGTH, period);
  }

  /** The same for their values. */
  prefetchValues(ordinals: Uint32Array): void {
    if (refusedPeriod() !== 0) return;
    const period = residencyPeriod();
    for (const ordinal of ordinals) {
      const length = this.length(ordinal);
      if (length <= LARGEST_IN_GROUP)
        this.#pages.prefetchAlone(this.places.valueStarts[ordinal] as number, length, period);
    }
  }

  revision(ordinal: number): Revision {
    return this.places.revisions[ordinal] as Revision;
  }

  /** The length of the value. */
  length(ordinal: number): number {
    return this.places.valueLengths[ordinal] as number;
  }

  attributes(ordinal: number): Attributes {
    const start = this.places.attributeStarts[ordinal] as number;
    const bytes = this.#checkedRecord(start);
    return this.#reader.attributes(bytes, start % WINDOW);
  }

  /** The bytes of the attributes. */
  attributeBytes(ordinal: number): Buffer {
    const start = this.places.attributeStarts[ordinal] as number;
    return recordAt(this.#checkedRecord(start), start % WINDOW);
  }

  /** The window of the record of attributes at a place. The record begins with its length. */
  #checkedRecord(start: number): Buffer {
    this.#check(start, RECORD_LENGTH);
    const window = this.#window(start);
    const length = window.readUInt32LE(start % WINDOW);
    // Mostly it is on the page that was just checked.
    if ((start % SUMMED) + length > SUMMED) this.#check(start, length);
    return window;
  }

  /** The same as `value`. What only the disk has is read in another thread. */
  async read(ordinal: number): Promise<Bytes> {
    const [start, length] = [this.places.valueStarts[ordinal] as number, this.length(ordinal)];
    if (!this.#pages.isResident(start, length, residencyPeriod())) await this.#pages.load(start, length);
    return this.value(ordinal);
  }

  /** A copy of the bytes. */
  value(ordinal: number): Bytes {
    const bytes = Buffer.allocUnsafeSlow(this.length(ordinal));
    this.copyValues(ordinal, ordinal, bytes, 0);
    return bytes;
  }

  /** Whether the next value is directly behind that of an object and a separator, in the same window. */
  isFollowed(ordinal: number): boolean {
    const { valueStarts, valueLengths } = this.places;
    const next = (valueStarts[ordinal] as number) + (valueLengths[ordinal] as number) + 1;
    return valueStarts[ordinal + 1] === next && next % WINDOW !== 0;
  }

  /**
   * The values from one object to another, which follow each other, with the separators between them, and behind them
   * if asked for.
   */
  values(first: number, last: number, withSeparator: boolean): Buffer {
    const start = this.places.valueStarts[first] as number;
    const from = start % WINDOW;
    const length = this.#length(first, last) + (withSeparator ? 1 : 0);
    this.#check(start, length);
    return this.#window(start).subarray(from, from + length);
  }

  /**
   * Copies the values from one object to another, which follow each other, with the separators between them. Returns
   * the number of bytes.
   */
  copyValues(first: number, last: number, target: Buffer, targetStart: number): number {
    const start = this.places.valueStarts[first] as number;
    const from = start % WINDOW;
    const length = this.#length(first, last);
    this.#check(start, length);
    return this.#window(start).copy(target, targetStart, from, from + length);
  }

  /** All reads of the file begin here. */
  #check(start: number, length: number): void {
    const refused = refusedPeriod();
    if (refused === 0) this.#pages.read(start, length, residencyPeriod());
    else if (!this.#pages.isResident(start, length, refused)) refuseColdRead(() => this.#pages.load(start, length));
    this.#checksums.check(start, length);
  }

  #length(first: number, last: number): number {
    const { valueStarts, valueLengths } = this.places;
    return (valueStarts[last] as number) + (valueLengths[last] as number) - (valueStarts[first] as number);
  }

  #window(offset: number): Buffer {
    return this.#windows[Math.floor(offset / WINDOW)] as Buffer;
  }
}
