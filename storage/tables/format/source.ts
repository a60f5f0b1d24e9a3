import { Yielder } from '../../../pkg/system/yielding/yielding.js';
import { resourceOf } from '../../key.js';
import type { Entry } from '../../state/entry.js';
import { encodeAttributes } from './attributes.js';
import type { TableBuilder } from './builder.js';
import type { TableView } from './table-view.js';

/** A tuple of an index, with the numbers of its objects in the source, in order. */
export type TupleRows = readonly [tuple: string, objects: ArrayLike<number>];

/** Objects of one resource from which a table is made, sorted by key. */
export interface TableSource {
  /** How many numbers objects may have. */
  readonly length: number;
  /** The first object from this number on. At the end, it is `length`. */
  next(from: number): number;
  /** The key behind the resource and a slash. */
  key(ordinal: number): string;
  /** Adds the object to a table. */
  add(ordinal: number, builder: TableBuilder): void;
  readonly indexes: Iterable<string>;
  /** The tuples of an index in order, each once. */
  rows(index: string): Promise<Iterator<TupleRows, undefined>>;
}

/** Objects in memory. */
export class EntriesSource implements TableSource {
  readonly #entries: readonly Entry[];
  readonly #skipped: number;
  readonly #rows = new Map<string, Map<string, number[]>>();

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    const [first] = entries;
    this.#skipped = first === undefined ? 0 : resourceOf(first.key).length + 1;
  }

  get length(): number {
    return this.#entries.length;
  }

  get indexes(): Iterable<string> {
    return this.#rows.keys();
  }

  next(from: number): number {
    return from;
  }

  key(ordinal: number): string {
    return (this.#entries[ordinal] as Entry).key.slice(this.#skipped);
  }

  add(ordinal: number, builder: TableBuilder): void {
    const entry = this.#entries[ordinal] as Entry;
    const buffer = builder.add(this.key(ordinal), entry.revision, encodeAttributes(entry.attributes), entry.size);
    entry.copy(buffer, 0);
    this.#note(entry, ordinal);
  }

  async rows(index: string): Promise<Iterator<TupleRows, undefined>> {
    const tuples = this.#rows.get(index) ?? new Map<string, number[]>();
    const sorted = await sortedTexts([...tuples.keys()]);
    return sorted.map((tuple): TupleRows => [tuple, tuples.get(tuple) ?? []]).values();
  }

  #note({ firstRow }: Entry, ordinal: number): void {
    for (let row = firstRow; row !== undefined; row = row.next) {
      const tuples = this.#rows.get(row.index) ?? new Map<string, number[]>();
      this.#rows.set(row.index, tuples);
      const objects = tuples.get(row.tuple);
      if (objects === undefined) tuples.set(row.tuple, [ordinal]);
      // An object may have a row twice.
      else if (objects.at(-1) !== ordinal) objects.push(ordinal);
    }
  }
}

/** Texts that are sorted at once. */
const AT_ONCE = 2048;

/** The texts in order. Others get their turns while many are sorted. */
async function sortedTexts(texts: string[]): Promise<readonly string[]> {
  const yielder = new Yielder();
  let runs: string[][] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    runs.push(texts.slice(from, from + AT_ONCE).sort(inCodeUnits));
    if (yielder.isDue) await yielder.yield();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(await mergedTexts(runs[i] ?? [], runs[i + 1] ?? [], yielder));
    runs = merged;
  }
  return runs[0] ?? [];
}

function inCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

async function mergedTexts(a: readonly string[], b: readonly string[], yielder: Yielder): Promise<string[]> {
  const merged: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    merged.push((a[i] as string) < (b[j] as string) ? (a[i++] as string) : (b[j++] as string));
    if (merged.length % AT_ONCE === 0 && yielder.isDue) await yielder.yield();
  }
  while (i < a.length) merged.push(a[i++] as string);
  while (j < b.length) merged.push(b[j++] as string);
  return merged;
}

/** The objects of a part of a state, without those that are gone. */
export class PartSource implements TableSource {
  readonly #part: TableView;

  constructor(part: TableView) {
    this.#part = part;
  }

  get length(): number {
    return this.#part.table.length;
  }

  get indexes(): Iterable<string> {
    return this.#part.table.columns.indexes.keys();
  }

  next(from: number): number {
    return Math.min(this.#part.deleted.nextAbsent(from), this.length);
  }

  key(ordinal: number): string {
    return this.#part.table.columns.keys.get(ordinal);
  }

  add(ordinal: number, builder: TableBuilder): void {
    const { records } = this.#part.table.columns;
    const buffer = builder.add(
      this.key(ordinal),
      records.revision(ordinal),
      records.attributeBytes(ordinal),
      records.length(ordinal),
    );
    records.copyValues(ordinal, ordinal, buffer, 0);
  }

  rows(index: string): Promise<Iterator<TupleRows, undefined>> {
    return Promise.resolve(this.#rows(index));
  }

  *#rows(index: string): Generator<TupleRows, undefined, undefined> {
    const rows = this.#part.table.columns.indexes.get(index);
    if (rows === undefined) return undefined;
    const { tuples, firstRows, objects } = rows;
    for (let i = 0; i < tuples.length; i++) yield [tuples.get(i), objects.subarray(firstRows[i], firstRows[i + 1])];
    return undefined;
  }
}
