import { encodeTuple, type Tuple } from '../../storage/tuple.js';
import type { Entry } from '../reader.js';
import { hasWords } from './search.js';
import { positionsOf, type Texts, textsOf } from './texts.js';

/** A word in fewer entries than these is rare enough. */
const FEW = 2000;
/** A word in a larger part of the entries is no help: the entries are then checked one by one. */
const LARGEST_PART = 0.25;

/** What is searched for. */
export interface Wanted {
  /** All of them are in the text of an entry. They are in lower case. */
  readonly words: readonly string[];
  /** An entry has all of these rows in indexes. */
  readonly rows: readonly Row[];
  readonly isDescending: boolean;
  /** Whether no entry in this container is wanted. It is called once for each container. */
  excludes(container: string | undefined): boolean;
}

export interface Row {
  readonly index: string;
  readonly tuple: Tuple;
}

/** Whether the entry contains the words and has the rows. */
export function isWanted(entry: Entry, { words, rows }: Pick<Wanted, 'words' | 'rows'>): boolean {
  return hasWords(entry, words) && rows.every((row) => hasRow(entry, row));
}

function hasRow({ attributes }: Entry, { index, tuple }: Row): boolean {
  const text = encodeTuple(tuple);
  return attributes.rows.some((row) => row.index === index && row.tuple === text);
}

/** Entries at one revision, with what a search reads of them beside each other in memory. */
export interface OrderedBase {
  readonly entries: readonly Entry[];
  matching(wanted: Wanted): Iterable<Entry>;
}

export function baseOf(entries: readonly Entry[]): OrderedBase {
  const columns: Columns = { entries, texts: textsOf(entries), rows: rowsOf(entries), ...containersOf(entries) };
  return { entries, matching: (wanted) => matching(columns, wanted) };
}

interface Columns {
  readonly entries: readonly Entry[];
  readonly texts: Texts;
  /** The positions of the entries with a row. */
  readonly rows: (row: Row) => readonly number[];
  /** The number of the container of each entry, in `containers`. */
  readonly numbers: Uint32Array;
  readonly containers: readonly (string | undefined)[];
}

function* matching(columns: Columns, wanted: Wanted): Generator<Entry, void, undefined> {
  const { entries, numbers, containers } = columns;
  const { words, isDescending, excludes } = wanted;
  const excluded = containers.map(excludes);
  const found = narrowed(columns, wanted);
  const count = found?.length ?? entries.length;
  for (let step = 0; step < count; step++) {
    const at = isDescending ? count - 1 - step : step;
    const position = found === undefined ? at : (found[at] as number);
    if (excluded[numbers[position] as number] === true) continue;
    const entry = entries[position] as Entry;
    if (hasWords(entry, words)) yield entry;
  }
}

/** The positions of the entries that have all rows and all words that are not too frequent. `undefined` if only frequent words are wanted. */
function narrowed({ entries, texts, rows: positionsWith }: Columns, { words, rows }: Wanted): Positions | undefined {
  const most = Math.max(FEW, entries.length * LARGEST_PART);
  const lists = rows.map(positionsWith);
  // Long words are likely to be rare.
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    if (lists.some(({ length }) => length < FEW)) break;
    const list = positionsOf(texts, word, most);
    if (list !== undefined) lists.push(list);
  }
  return intersected(lists, entries.length);
}

type Positions = readonly number[];

/** The positions that are in all lists, in ascending order. */
function intersected(lists: readonly Positions[], count: number): Positions | undefined {
  const [first, ...others] = [...lists].sort((a, b) => a.length - b.length);
  if (first === undefined || others.length === 0) return first;
  const seen = new Uint32Array(count);
  for (const list of others) for (const position of list) seen[position] = (seen[position] as number) + 1;
  return first.filter((position) => seen[position] === others.length);
}

/** Returns a function that looks rows up. An index is read at its first use. */
function rowsOf(entries: readonly Entry[]): Columns['rows'] {
  const known = new Map<string, ReadonlyMap<string, readonly number[]>>();
  return ({ index, tuple }) => {
    const positions = known.get(index) ?? positionsIn(entries, index);
    known.set(index, positions);
    return positions.get(encodeTuple(tuple)) ?? [];
  };
}

function positionsIn(entries: readonly Entry[], index: string): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [position, { attributes }] of entries.entries()) {
    for (const row of attributes.rows) {
      if (row.index !== index) continue;
      const known = positions.get(row.tuple);
      if (known === undefined) positions.set(row.tuple, [position]);
      else known.push(position);
    }
  }
  return positions;
}

function containersOf(entries: readonly Entry[]): Pick<Columns, 'numbers' | 'containers'> {
  const known = new Map<string | undefined, number>();
  const numbers = new Uint32Array(entries.length);
  for (const [position, { attributes }] of entries.entries()) {
    const { container } = attributes;
    let number = known.get(container);
    if (number === undefined) {
      number = known.size;
      known.set(container, number);
    }
    numbers[position] = number;
  }
  return { numbers, containers: [...known.keys()] };
}
