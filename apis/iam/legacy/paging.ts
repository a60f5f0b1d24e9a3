import { positive } from '../../../registry/legacy/body.js';

export interface Page {
  /** The first page is 1. */
  readonly page: number;
  readonly perPage: number;
}

const PER_PAGE = 1000;

/** The page that `?perpage=` and `?page=` ask for. A value that is not a positive number is ignored. */
export function pageOf(query: URLSearchParams): Page {
  return { page: positive(query, 'page', 1), perPage: positive(query, 'perpage', PER_PAGE) };
}

/** The rows of the page; none if the page is beyond the end. */
export function slicePage<T>(all: readonly T[], { page, perPage }: Page): readonly T[] {
  return all.slice((page - 1) * perPage, page * perPage);
}
