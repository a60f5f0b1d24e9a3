import { positive } from '../../../registry/legacy/body.js';

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

const PER_PAGE = 1000;

/** `?perpage=` and `?page=`; what is no positive number counts as left out. */
export function pageOf(query: URLSearchParams): Page {
  return { page: positive(query, 'page', 1), perPage: positive(query, 'perpage', PER_PAGE) };
}

/** Beyond the end: nothing. */
export function slicePage<T>(all: readonly T[], { page, perPage }: Page): readonly T[] {
  return all.slice((page - 1) * perPage, page * perPage);
}
