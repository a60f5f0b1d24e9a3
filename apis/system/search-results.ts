import { groupName } from '../../registry/kinds/kind.js';
import { flag, oneOf, positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { plainFailure } from '../../registry/legacy/errors.js';
import { nameOf } from '../../registry/read/reader.js';
import { foundBy } from './search.js';
import { detailsOf, MOST_DETAILED } from './search-details.js';
import { FACETS, type Facet, Facets } from './search-facets.js';
import { resourceOf, type SearchMatch, summaryOf } from './search-items.js';
import { NewestPage } from './search-newest.js';
import {
  MOST,
  NAMED_SORTS,
  namesOf,
  placeOf,
  type SearchQuery,
  setOf,
  typesOf,
  valuesOf,
  wantedTags,
  wordsOf,
} from './search-query.js';
import { RankedPage } from './search-rank.js';

/** The hits on a page, unless the request says how many. */
const LIMIT = 50;
const TYPES: Readonly<Record<string, string>> = { dashboard: 'dash-db', folder: 'dash-folder' };

/**
 * A page of the folders and dashboards of a namespace that the caller may view, as the product's own command lines read
 * it.
 */
export async function searchResults(call: LegacyCall, domain: string): Promise<unknown> {
  const query = queryOf(call);
  const isDetailed = flag(call.query, 'details');
  if (isDetailed && query.limit > MOST_DETAILED)
    throw plainFailure(400, `limit must be at most ${MOST_DETAILED} with details`);
  const facets = new Facets(someFacets(call.query));
  const page = pageOf(call.query.get('sort'), query);
  // The counts are those of all kinds, so that they say what another choice of kinds would find.
  const types = facets.isEmpty ? query.types : undefined;
  let totalHits = 0;
  for (const found of foundBy(call, { ...query, types })) {
    facets.add(found);
    if (query.types !== undefined && !query.types.has(typeOf(found))) continue;
    totalHits++;
    page.add(found);
  }
  const counted = facets.answer();
  const matches = page.matches();
  const details = isDetailed ? await detailsOf(call, matches) : [];
  return {
    kind: 'SearchResults',
    apiVersion: `${groupName('dashboard', domain)}/v0alpha1`,
    offset: query.first,
    totalHits,
    hits: matches.map((match, index) => ({ ...hitOf(call, match), ...details[index] })),
    ...(counted && { facets: counted }),
  };
}

function pageOf(sort: string | null, query: SearchQuery): Page | RankedPage | NewestPage {
  if (sort === 'rank') return new RankedPage(query.words, query);
  return sort === 'changed' ? new NewestPage(query) : new Page(query);
}

/** The matches of a page, in the order in which they come. */
class Page {
  readonly #range: Pick<SearchQuery, 'first' | 'limit'>;
  readonly #matches: SearchMatch[] = [];
  #seen = 0;

  constructor(range: Pick<SearchQuery, 'first' | 'limit'>) {
    this.#range = range;
  }

  add(match: SearchMatch): void {
    if (this.#seen++ >= this.#range.first && this.#matches.length < this.#range.limit) this.#matches.push(match);
  }

  matches(): readonly SearchMatch[] {
    return this.#matches;
  }
}

/** Throws 400 for others. */
function someFacets(query: URLSearchParams): readonly Facet[] {
  const asked = [...new Set(valuesOf(query, 'facet'))];
  return asked.map((name) => {
    const facet = FACETS.find((one) => one === name);
    if (facet === undefined) throw plainFailure(400, `facet must be ${FACETS.join(' or ')}`);
    return facet;
  });
}

function typeOf(match: SearchMatch): string {
  return TYPES[resourceOf(match).replace(/s$/, '')] ?? '';
}

function hitOf(call: LegacyCall, match: SearchMatch): Readonly<Record<string, unknown>> {
  const { entry } = match;
  const { title, tags = [] } = summaryOf(entry);
  const { container, isRestricted } = entry.attributes;
  return {
    resource: resourceOf(match),
    name: nameOf(entry),
    title,
    ...(tags.length > 0 && { tags }),
    ...(container !== undefined && { folder: container }),
    ...(isRestricted && { private: true }),
    ...(call.isRestricted('folder/Folder', container) && { inPrivate: true }),
  };
}

function queryOf(call: LegacyCall): SearchQuery {
  const { query } = call;
  const types = typesOf(
    query,
    Object.keys(TYPES).flatMap((type) => [type, `${type}s`]),
  ).map((type) => TYPES[type.replace(/s$/, '')] ?? type);
  return {
    words: wordsOf(query.get('query') ?? ''),
    types: setOf(types),
    // The parameter may be repeated, but not contain several tags, because tags may have commas.
    tags: wantedTags(query.getAll('tag')),
    names: namesOf(query, 'name'),
    ids: undefined,
    starred: undefined,
    places: setOf([...(namesOf(query, 'folder') ?? [])].map(placeOf)),
    isEdit: false,
    isDescending: oneOf(query, 'sort', NAMED_SORTS) === '-title',
    first: positive(query, 'offset', 0),
    limit: call.limit('limit', LIMIT, MOST),
  };
}
