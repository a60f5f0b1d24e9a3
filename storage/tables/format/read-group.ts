import type { Records } from './records.js';
import type { Rows } from './table-index.js';

/** Objects of a group: at first, and at most. To ask for this many takes the system some milliseconds. */
const FEWEST = 8;
const MOST = 256;

/**
 * Objects that are mostly read one after another, and lie apart. When the first of them is read, all are asked for, so
 * that their reader waits for the disk once and not for each.
 */
export class ReadGroup {
  readonly #records: Records;
  readonly #ordinals: Uint32Array;
  #hasAttributes = false;
  #hasValues = false;

  /** Their numbers in the table. */
  constructor(records: Records, ordinals: Uint32Array) {
    this.#records = records;
    this.#ordinals = ordinals;
  }

  /** Call this before the attributes of one of them are read. */
  attributes(): void {
    if (this.#hasAttributes) return;
    this.#hasAttributes = true;
    this.#records.prefetchAttributes(this.#ordinals);
  }

  /** Call this before the value of one of them is read. */
  values(): void {
    if (this.#hasValues) return;
    this.#hasValues = true;
    this.#records.prefetchValues(this.#ordinals);
  }
}

/** The groups of the objects of rows that are read in one direction. They grow while somebody reads. */
export class ReadGroups {
  readonly #records: Records;
  /** The object of each row. */
  readonly #objects: Uint32Array;
  readonly #range: Rows;
  readonly #isReverse: boolean;
  #group: ReadGroup | undefined;
  #from = 0;
  #to = 0;

  constructor(records: Records, objects: Uint32Array, range: Rows, isReverse: boolean) {
    this.#records = records;
    this.#objects = objects;
    this.#range = range;
    this.#isReverse = isReverse;
  }

  /** The group of a row. */
  of(row: number): ReadGroup {
    if (this.#group === undefined || row < this.#from || row >= this.#to) this.#group = this.#next(row);
    return this.#group;
  }

  #next(row: number): ReadGroup {
    const size = Math.min(MOST, Math.max(FEWEST, 2 * (this.#to - this.#from)));
    const { from, to } = this.#range;
    this.#from = this.#isReverse ? Math.max(from, row + 1 - size) : row;
    this.#to = this.#isReverse ? row + 1 : Math.min(to, row + size);
    return new ReadGroup(this.#records, this.#objects.subarray(this.#from, this.#to));
  }
}
