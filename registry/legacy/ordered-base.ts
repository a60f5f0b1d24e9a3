import { encodeTuple, type Tuple } from '../../storage/state/tuple.js';
import type { Entry } from '../read/reader.js';
import { hasWords } from './search.js';
import { frequencyOf, type JoinedTexts, positionsOf, TextsBuilder, textAt } from './texts.js';

/** The conditions of a search. */
export interface SearchConditions {
  /** All of them are in the text of an entry. They are in lower case. */
  readonly words: readonly string[];
  /** An entry has all of these rows in indexes. */
  readonly rows: readonly Row[];
  readonly isDescending: boolean;
  /** Whether all entries in this container can be skipped. It is called once for each container. */
  excludes(container: string | undefined): boolean;
}

interface Row {
  readonly index: string;
  readonly tuple: Tuple;
}

/** Whether the entry contains the words and has the rows. */
export function isWanted(entry: Entry, { words, rows }: Pick<SearchConditions, 'words' | 'rows'>): boolean {
  return hasWords(entry, words) && rows.every((row) => hasRow(entry, row));
}

function hasRow({ rows }: Entry, { index, tuple }: Row): boolean {
  const text = encodeTuple(tuple);
  return rows.some((row) => row.index === index && row.tuple === text);
}

/** Entries at one revision, with what a search reads of them beside each other in memory. */
export interface OrderedBase {
  readonly entries: readonly Entry[];
  /**
   * The positions of the entries that are wanted, in the wanted order. Searches no further than the caller iterates.
   */
  matching(wanted: SearchConditions): Iterable<number>;
}

export function baseOf(entries: Iterable<Entry>): OrderedBase {
  const builder = new BaseBuilder();
  for (const entry of entries) builder.add(entry);
  return builder.finish();
}

/** Makes a base of entries that are added in their order. */
export class BaseBuilder {
  readonly #entries: Entry[] = [];
  readonly #texts = new TextsBuilder();
  readonly #numbers: number[] = [];
  /** The numbers of the containers. */
  readonly #containers = new Map<string | undefined, number>();

  add(entry: Entry): void {
    const { text, container } = entry.attributes;
    // The parsed parts of an entry take several times as much memory as the entry.
    this.#entries.push(entry.bare);
    this.#texts.add(text);
    const number = this.#containers.get(container) ?? this.#containers.size;
    if (number === this.#containers.size) this.#containers.set(container, number);
    this.#numbers.push(number);
  }

  finish(): OrderedBase {
    const entries = this.#entries;
    const columns: Columns = {
      entries,
      texts: this.#texts.finish(),
      rows: rowsOf(entries),
      numbers: new Uint32Array(this.#numbers),
      containers: [...this.#containers.keys()],
    };
    return { entries, matching: (wanted) => matching(columns, wanted) };
  }
}

interface Columns {
  readonly entries: readonly Entry[];
  readonly texts: JoinedTexts;
  /** The positions of the entries with a row. */
  readonly rows: (row: Row) => readonly number[];
  /** The number of the container of each entry, in `containers`. */
  readonly numbers: Uint32Array;
  readonly containers: readonly (string | undefined)[];
}

function* matching(columns: Columns, wanted: SearchConditions): Generator<number, void, undefined> {
  const { entries, texts, numbers, containers } = columns;
  const excluded = containers.map(wanted.excludes);
  const { candidates, others } = narrowed(columns, wanted);
  const isInOthers = membership(others, entries.length);
  for (const position of candidates) {
    if (excluded[numbers[position] as number] === true || !isInOthers(position)) continue;
    if (wanted.words.length === 0 || isIn(textAt(texts, position), wanted.words)) yield position;
  }
}

function isIn(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

type Positions = readonly number[];

interface Narrowed {
  /** The positions of the entries that may match, in the wanted order. */
  readonly candidates: Iterable<number>;
  /** The lists of positions that still have to be compared with these. */
  readonly others: readonly Positions[];
}

/** Begins with the rarest row or word. */
function narrowed(
  { entries, texts, rows: positionsWith }: Columns,
  { words, rows, isDescending }: SearchConditions,
): Narrowed {
  const lists = rows.map(positionsWith).sort((a, b) => a.length - b.length);
  const [shortest, ...others] = lists;
  const rarest = rarestOf(texts, words);
  if (shortest !== undefined && shortest.length <= (rarest?.frequency ?? Number.POSITIVE_INFINITY))
    return { candidates: isDescending ? [...shortest].reverse() : shortest, others };
  if (rarest !== undefined) return { candidates: positionsOf(texts, rarest.word, isDescending), others: lists };
  return { candidates: allOf(entries.length, isDescending), others: lists };
}

function rarestOf(
  texts: JoinedTexts,
  words: readonly string[],
): { readonly word: string; frequency: number } | undefined {
  const all = words.map((word) => ({ word, frequency: frequencyOf(texts, word) }));
  // If no word is in the samples, the longest is likely to be the rarest.
  return all.sort((a, b) => a.frequency - b.frequency || b.word.length - a.word.length)[0];
}

function* allOf(count: number, isDescending: boolean): Generator<number, void, undefined> {
  for (let step = 0; step < count; step++) yield isDescending ? count - 1 - step : step;
}

/** Returns a function that tells whether a position is in all lists. */
function membership(lists: readonly Positions[], count: number): (position: number) => boolean {
  if (lists.length === 0) return () => true;
  const seen = new Uint32Array(count);
  for (const list of lists) for (const position of list) seen[position] = (seen[position] as number) + 1;
  return (position) => seen[position] === lists.length;
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
  for (const [position, { rows }] of entries.entries()) {
    for (const row of rows) {
      if (row.index !== index) continue;
      const known = positions.get(row.tuple);
      if (known === undefined) positions.set(row.tuple, [position]);
      else known.push(position);
    }
  }
  return positions;
}
