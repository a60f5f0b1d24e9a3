import type { z } from 'zod';
import type { LegacyClient, Query } from './client.js';
import { LegacyFailure } from './failure.js';

export interface PagesOptions<T> {
  readonly path: string;
  /** Gives the items of a page. */
  readonly schema: z.ZodType<readonly T[]>;
  /** How many items a page has, and the parameters for it and for the number of the page. */
  readonly size: number;
  readonly sizeParameter: string;
  readonly pageParameter?: string;
  readonly query?: Query;
  /** The most items of all pages. Absent: there is no bound. */
  readonly most?: number;
}

/**
 * The items of all pages, page by page. The last page is an empty one, because servers may give fewer items than they
 * are asked for. Rejects if a page comes twice: the server does not know the parameter, and would never end. Rejects
 * also if there are more items than `most`.
 */
export async function* pages<T>(client: LegacyClient, options: PagesOptions<T>): AsyncGenerator<readonly T[], void> {
  const { path, schema, size, sizeParameter, pageParameter = 'page', query, most = Number.POSITIVE_INFINITY } = options;
  let previous = '';
  let count = 0;
  for (let page = 1; ; page++) {
    const items = await client.get(path, schema, { ...query, [sizeParameter]: size, [pageParameter]: page });
    if (items.length === 0) return;
    const first = JSON.stringify(items[0]);
    if (first === previous)
      throw new LegacyFailure(
        { method: 'GET', path },
        200,
        `the server gives the same page for ${pageParameter} ${page}`,
      );
    previous = first;
    count += items.length;
    if (count > most) throw new LegacyFailure({ method: 'GET', path }, 200, `the server gives more than ${most} items`);
    yield items;
  }
}
