import { plainFailure } from '../../registry/legacy/errors.js';
import type { SearchMatch } from './search-items.js';

/** The last match that a page by change may have. */
const MOST_NEWEST = 10_000;

const newestFirst = (a: SearchMatch, b: SearchMatch): number => b.entry.revision - a.entry.revision;

/** The matches of a page, those that were changed last first. It takes matches in any order. */
export class NewestPage {
  readonly #first: number;
  readonly #end: number;
  #matches: SearchMatch[] = [];

  /** Throws 400 for a page further back than the newest 10,000. */
  constructor({ first, limit }: { readonly first: number; readonly limit: number }) {
    if (first + limit > MOST_NEWEST)
      throw plainFailure(400, `offset and limit: at most the newest ${MOST_NEWEST} by change`);
    this.#first = first;
    this.#end = first + limit;
  }

  add(match: SearchMatch): void {
    this.#matches.push(match);
    if (this.#matches.length > 2 * this.#end) this.#matches = this.#newest();
  }

  matches(): readonly SearchMatch[] {
    return this.#newest().slice(this.#first);
  }

  #newest(): SearchMatch[] {
    return this.#matches.toSorted(newestFirst).slice(0, this.#end);
  }
}
