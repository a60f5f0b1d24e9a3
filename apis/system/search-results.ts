import { groupName } from '../../registry/kinds/kind.js';
import { oneOf, positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { nameOf } from '../../registry/read/reader.js';
import { foundBy } from './search.js';
import { type SearchMatch, summaryOf } from './search-items.js';
import {
  MOST,
  NAMED_SORTS,
  namesOf,
  placeOf,
  type SearchQuery,
  setOf,
  typesOf,
  wantedTags,
  wordsOf,
} from './search-query.js';

/** The hits on a page, unless the request says how many. */
const LIMIT = 50;
const TYPES: Readonly<Record<string, string>> = { dashboard: 'dash-db', folder: 'dash-folder' };

/**
 * A page of the folders and dashboards of a namespace that the caller may view, as the product's own command lines read
 * it.
 */
export function searchResults(call: LegacyCall, domain: string): unknown {
  const query = queryOf(call);
  const page: SearchMatch[] = [];
  let totalHits = 0;
  for (const found of foundBy(call, query)) {
    if (totalHits++ >= query.first && page.length < query.limit) page.push(found);
  }
  return {
    kind: 'SearchResults',
    apiVersion: `${groupName('dashboard', domain)}/v0alpha1`,
    offset: query.first,
    totalHits,
    hits: page.map(hitOf),
  };
}

function hitOf({ kind, entry }: SearchMatch): unknown {
  const { title, tags = [] } = summaryOf(entry);
  const { container, isRestricted } = entry.attributes;
  return {
    resource: kind === 'folder/Folder' ? 'folders' : 'dashboards',
    name: nameOf(entry),
    title,
    ...(tags.length > 0 && { tags }),
    ...(container !== undefined && { folder: container }),
    ...(isRestricted && { private: true }),
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
