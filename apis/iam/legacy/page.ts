import type { ReadFilter } from '../../../registry/authorization/authorizer.js';
import type { Entry } from '../../../registry/reader.js';
import type { Page } from './paging.js';

export interface Wanted extends Page {
  /** In the order of the list. */
  readonly entries: Iterable<Entry>;
  readonly filter: ReadFilter;
  /** In lower case; empty: all. */
  readonly query: string;
  /** How many entries there are, if known. A list for a caller who may view all is then read no further than the page. */
  readonly total?: number;
}

export interface Found {
  readonly totalCount: number;
  readonly entries: readonly Entry[];
}

/** One page of the entries that the caller may view and whose text contains the query, and how many there are in all. Nothing is parsed. */
export function findPage({ entries, filter, query, total, page, perPage }: Wanted): Found {
  const from = (page - 1) * perPage;
  const to = from + perPage;
  const found: Entry[] = [];
  const isEvery = query === '' && filter.all;
  if (isEvery && isArray(entries)) return { totalCount: entries.length, entries: entries.slice(from, to) };
  let count = 0;
  for (const entry of entries) {
    if (!isEvery && !(holds(entry, query) && (filter.all || filter.allows(entry)))) continue;
    if (count >= from && count < to) found.push(entry);
    count++;
    if (isEvery && total !== undefined && count >= to) return { totalCount: total, entries: found };
  }
  return { totalCount: count, entries: found };
}

const isArray = (entries: Iterable<Entry>): entries is readonly Entry[] => Array.isArray(entries);

/** Separates the parts of a text. No part contains it. */
const LINE_BREAK = '\n';

function holds({ attributes }: Entry, query: string): boolean {
  if (query === '') return true;
  return !query.includes(LINE_BREAK) && (attributes.text ?? '').includes(query);
}

/** What to look for: plain text, in lower case. */
export function queryText(query: URLSearchParams, fold: (text: string) => string): string {
  return fold(query.get('query') ?? '');
}
