import { flag, positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { starredBy } from '../dashboard/dashboard/legacy/stars.js';
import { ROOT } from '../folder/placement.js';
import { searched } from '../folder/titles.js';

const LIMIT = 1000;
/** The most objects on a page. */
export const MOST = 5000;

/** What a search asks for. An absent condition holds for everything. */
export interface SearchQuery {
  /** Folded. All of them are in the title. */
  readonly words: readonly string[];
  /** `dash-db` and `dash-folder`. */
  readonly types: ReadonlySet<string> | undefined;
  /** A dashboard has all of them. Folders have no tags. */
  readonly tags: readonly string[];
  readonly names: ReadonlySet<string> | undefined;
  /** The integer ids of dashboards. */
  readonly ids: ReadonlySet<number> | undefined;
  /** The names of dashboards that the caller has starred, if only these are to be found. */
  readonly starred: ReadonlySet<string> | undefined;
  /** The names of folders; empty for the root. */
  readonly places: ReadonlySet<string> | undefined;
  /** Only what the caller may change. */
  readonly isEdit: boolean;
  readonly isDescending: boolean;
  /** How many found objects come before the page, and how many are on it. */
  readonly first: number;
  readonly limit: number;
}

export function searchQueryOf(call: LegacyCall): SearchQuery {
  const { query } = call;
  const limit = Math.min(positive(query, 'limit', LIMIT), MOST);
  return {
    words: wordsOf(query.get('query') ?? ''),
    types: setOf(valuesOf(query, 'type')),
    tags: [...new Set(query.getAll('tag').filter((tag) => tag !== ''))],
    names: setOf([...valuesOf(query, 'dashboardUIDs'), ...valuesOf(query, 'dashboardUID')]),
    ids: setOf(valuesOf(query, 'dashboardIds').map(Number)),
    starred: flag(query, 'starred') ? starredBy(call) : undefined,
    places: placesOf(call),
    isEdit: query.get('permission')?.toLowerCase() === 'edit',
    isDescending: query.get('sort') === 'alpha-desc',
    first: (positive(query, 'page', 1) - 1) * limit,
    limit,
  };
}

/** The folders to search in: by uid, or by the integer ids of older clients. An id that no folder has stands for a folder without contents. */
function placesOf(call: LegacyCall): ReadonlySet<string> | undefined {
  const uids = valuesOf(call.query, 'folderUIDs').map((uid) => (uid === ROOT ? '' : uid));
  const folders = call.objects('Folder');
  const byId = (id: string): string => (id === '0' ? '' : (folders.findById(Number(id))?.metadata.name ?? NOWHERE));
  return setOf([...uids, ...valuesOf(call.query, 'folderIds').map(byId)]);
}

/** No folder has this name. */
const NOWHERE = '/';

export function setOf<Value>(values: readonly Value[]): ReadonlySet<Value> | undefined {
  return values.length === 0 ? undefined : new Set(values);
}

/** Folded words of a text. */
export function wordsOf(text: string): readonly string[] {
  return searched(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The values of a parameter, which may be repeated or contain commas. */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
}
