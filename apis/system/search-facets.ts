import { resourceOf, type SearchMatch, tagsOf } from './search-items.js';

export const FACETS = ['tags', 'resource'] as const;
export type Facet = (typeof FACETS)[number];

/** The most different tags that are counted, and the most terms of an answer. */
const [MOST_COUNTED, MOST_TERMS] = [10_000, 100];

/** Counts the matches of a search by their tags, or by their kinds. */
export class Facets {
  readonly #counts: ReadonlyMap<Facet, Map<string, number>>;

  constructor(facets: readonly Facet[]) {
    this.#counts = new Map(facets.map((facet) => [facet, new Map<string, number>()]));
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(match: SearchMatch): void {
    for (const [facet, counts] of this.#counts)
      for (const term of facet === 'tags' ? tagsOf(match.entry) : [resourceOf(match)]) {
        const before = counts.get(term);
        if (before !== undefined || counts.size < MOST_COUNTED) counts.set(term, (before ?? 0) + 1);
      }
  }

  /** The terms of each facet, the most frequent first. Undefined if no facet was asked for. */
  answer(): Readonly<Record<string, unknown>> | undefined {
    if (this.#counts.size === 0) return undefined;
    return Object.fromEntries([...this.#counts].map(([field, counts]) => [field, facetOf(field, counts)]));
  }
}

function facetOf(field: Facet, counts: ReadonlyMap<string, number>): unknown {
  const terms = [...counts].map(([term, count]) => ({ term, count }));
  terms.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1));
  return { field, total: counts.size, terms: terms.slice(0, MOST_TERMS) };
}
