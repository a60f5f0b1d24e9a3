import type { Entry, Visibility } from '../../../registry/legacy/rows.js';
import type { Page } from './paging.js';

export interface Wanted extends Page {
  /** In the order of the list. */
  readonly entries: Iterable<Entry>;
  readonly visible: Visibility;
  /** In lower case; empty: all. */
  readonly query: string;
  /** How many there are, where that is known: without it, they are counted. */
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
  let count = 0;
  for (const entry of entries) {
    if (!isEvery && !(holds(entry, query) && (visible.all || visible.sees(entry)))) continue;
    if (count >= from && count < to) found.push(entry);
    count++;
    if (isEvery && total !== undefined && count >= to) return { totalCount: total, entries: found };
  }
  return { totalCount: count, entries: found };
}

function holds({ attributes }: Entry, query: string): boolean {
  return query === '' || (attributes.text ?? '').includes(query);
}

/** What to look for: as it is, in lower case. A line break is in no text that people can search for. */
export function queryText(query: URLSearchParams, fold: (text: string) => string): string {
  return fold(query.get('query') ?? '');
}
