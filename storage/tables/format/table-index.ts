import type { TextColumn } from './text-column.js';

/** A range of rows: from the first up to but without the last. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

/**
 * An index of a table. Its rows are sorted by tuple, then by key. Each different tuple is there once, with the numbers
 * of its objects in the table, which grow with their keys.
 */
export class TableIndex {
  /** The different tuples. They are ASCII. */
  readonly tuples: TextColumn;
  /** The first row of each tuple, and the number of rows. */
  readonly firstRows: Uint32Array;
  /** The object of each row, as its number in the table. */
  readonly objects: Uint32Array;

  constructor(tuples: TextColumn, firstRows: Uint32Array, objects: Uint32Array) {
    this.tuples = tuples;
    this.firstRows = firstRows;
    this.objects = objects;
  }

  get length(): number {
    return this.objects.length;
  }

  /** The first tuple that is not before the text. */
  search(text: string, from = 0): number {
    return this.tuples.search(text, 0, from);
  }

  /** The rows of the tuples from one up to but without another. */
  rowsOf(first: number, end: number): Rows {
    return { from: this.firstRows[first] as number, to: this.firstRows[end] as number };
  }

  /** Of some rows of one tuple, the first whose object is not before the one with this number. */
  searchObject(object: number, { from, to }: Rows): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.objects[middle] as number) < object) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
