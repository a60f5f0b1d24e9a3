import type { Entry, Visibility } from '../../../registry/legacy/rows.js';
import type { Page } from './paging.js';

export interface Wanted extends Page {
  /** In the order of the list. */
  readonly entries: Iterable<Entry>;
  readonly visible: Visibility;
  /** In lower case; empty: all. */
  readonly query: string;
  /** How many there are for who may see all: such a list is read no further than the page. */
  readonly total?: number;
}

export interface Found {
  readonly totalCount: number;
  readonly entries: readonly Entry[];
}

/** One page of those that the caller may see and whose text holds the query, and how many there are in all. Nothing is parsed. */
export function findPage({ entries, visible, query, total, page, perPage }: Wanted): Found {
  const from = (page - 1) * perPage;
  const to = from + perPage;
  const found: Entry[] = [];
  const isEvery = query === '' && visible.all;
  if (isEvery && isArray(entries)) return { totalCount: entries.length, entries: entries.slice(from, to) };
  let count = 0;
  for (const entry of entries) {
    if (!isEvery && !(holds(entry, query) && (visible.all || visible.sees(entry)))) continue;
    if (count >= from && count < to) found.push(entry);
    count++;
    if (isEvery && total !== undefined && count >= to) return { totalCount: total, entries: found };
  }
  return { totalCount: count, entries: found };
}

const isArray = (entries: Iterable<Entry>): entries is readonly Entry[] => Array.isArray(entries);

/** Stands between the parts of a text, and in none of them. */
const LINE_BREAK = '\n';

function holds({ attributes }: Entry, query: string): boolean {
  if (query === '') return true;
  return !query.includes(LINE_BREAK) && (attributes.text ?? '').includes(query);
}

/** What to look for: plain text, in lower case. */
export function queryText(query: URLSearchParams, fold: (text: string) => string): string {
  return fold(query.get('query') ?? '');
}
