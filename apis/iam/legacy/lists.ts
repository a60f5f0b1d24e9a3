import type { ReadFilter } from '../../../registry/kinds/authorizer.js';
import { positive } from '../../../registry/legacy/body.js';
import { LegacyError, structured } from '../../../registry/legacy/errors.js';
import type { Entry } from '../../../registry/read/reader.js';

export interface Page {
  /** The first page is 1. */
  readonly page: number;
  readonly perPage: number;
}

const PER_PAGE = 1000;

/** The page that `?perpage=` and `?page=` ask for. A number below 1 is ignored. */
export function pageOf(query: URLSearchParams): Page {
  return { page: positive(query, 'page', 1), perPage: positive(query, 'perpage', PER_PAGE) };
}

/** The rows of the page; none if the page is beyond the end. */
export function slicePage<T>(all: readonly T[], { page, perPage }: Page): readonly T[] {
  return all.slice((page - 1) * perPage, page * perPage);
}

export interface Wanted extends Page {
  /** The entries in the order of the list. */
  readonly entries: Iterable<Entry>;
  readonly filter: ReadFilter;
  /** The text to search for, folded; empty: all. */
  readonly query: string;
  /** The number of entries, if known. The list for a caller who may view all is then read only up to the page. */
  readonly total?: number;
}

export interface ListPage {
  readonly totalCount: number;
  readonly entries: readonly Entry[];
}

/**
 * A page of the entries that the caller may view and whose text contains the query, with the number of all of these.
 * Nothing is parsed.
 */
export function findPage({ entries, filter, query, total, page, perPage }: Wanted): ListPage {
  const from = (page - 1) * perPage;
  const to = from + perPage;
  const shown: Entry[] = [];
  const isEvery = query === '' && filter.all;
  if (isEvery && isArray(entries)) return { totalCount: entries.length, entries: entries.slice(from, to) };
  let count = 0;
  for (const entry of entries) {
    if (!isEvery && !(holds(entry, query) && (filter.all || filter.allows(entry)))) continue;
    if (count >= from && count < to) shown.push(entry);
    count++;
    if (isEvery && total !== undefined && count >= to) return { totalCount: total, entries: shown };
  }
  return { totalCount: count, entries: shown };
}

const isArray = (entries: Iterable<Entry>): entries is readonly Entry[] => Array.isArray(entries);

/** Separates the parts of a search text. No part contains it. */
const LINE_BREAK = '\n';

function holds({ attributes }: Entry, query: string): boolean {
  if (query === '') return true;
  return !query.includes(LINE_BREAK) && (attributes.text ?? '').includes(query);
}

/** The text to search for, folded. */
export function queryText(query: URLSearchParams, fold: (text: string) => string): string {
  return fold(query.get('query') ?? '');
}

export interface SortKey<Field extends string> {
  readonly field: Field;
  readonly descending: boolean;
}

/** The most sort keys of a request. No list has more fields. */
const MOST = 20;

/**
 * The keys of `?sort=name-desc,email-asc`, in this order. The parameter may be repeated. Throws 400 for an unknown
 * field or direction.
 */
export function sortOf<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): readonly SortKey<Field>[] {
  const options = query
    .getAll('sort')
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  if (options.length > MOST) throw unknownSorting();
  const keys = options.map((option) => keyOf(option, fields));
  return keys.filter(({ field }, index) => keys.findIndex((other) => other.field === field) === index);
}

function keyOf<Field extends string>(option: string, fields: readonly Field[]): SortKey<Field> {
  const match = /^([a-zA-Z]+)-(asc|desc)$/.exec(option);
  const field = fields.find((field) => field === match?.[1]);
  if (match === null || field === undefined) throw unknownSorting();
  return { field, descending: match[2] === 'desc' };
}

function unknownSorting(): LegacyError {
  return new LegacyError(400, structured(400, 'unknown sorting option', 'BadRequest'));
}

export function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sort value of each field. */
export type SortValues<Field extends string, Row> = Readonly<Record<Field, (row: Row) => string | number>>;

/** Compares rows by the keys, in their order; 0 for rows that are equal in all keys. */
export function byKeys<Field extends string, Row>(
  keys: readonly SortKey<Field>[],
  values: SortValues<Field, Row>,
): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { field, descending } of keys) {
      const order = compare(values[field](a), values[field](b));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}
