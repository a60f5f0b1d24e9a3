import { flag, isEditOnly, oneOf, positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { plainFailure } from '../../registry/legacy/errors.js';
import { starredNames } from '../collections/stars/legacy/starred.js';
import { ROOT } from '../folder/placement.js';
import { searched } from '../folder/titles.js';

export const LIMIT = 1000;
export const SEARCHED_TYPES = ['dash-db', 'dash-folder'];
export const SORTS = ['alpha-asc', 'alpha-desc'] as const;
/** Those of the search by the namespace. */
export const NAMED_SORTS = ['title', '-title', 'rank', 'changed'] as const;
/** The most objects on a page. */
export const MOST = 5000;
/** The most characters of a search. A title has at most half of them. */
const MOST_CHARACTERS = 10_000;
/**
 * The most words, tags and names of one sort in a search. Each takes time for each object, or for a part of all texts.
 */
const [MOST_WORDS, MOST_TAGS, MOST_NAMES] = [50, 50, 1000];

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
  const limit = call.limit('limit', LIMIT, MOST);
  if (flag(query, 'deleted')) throw plainFailure(400, 'deleted: this search does not find deleted dashboards');
  return {
    words: wordsOf(query.get('query') ?? ''),
    types: setOf(typesOf(query, SEARCHED_TYPES)),
    tags: wantedTags(query.getAll('tag')),
    names: namesOf(query, 'dashboardUIDs', 'dashboardUID'),
    ids: setOf(someOf(numbersOf(query, 'dashboardIds').map(Number), MOST_NAMES, 'dashboardIds')),
    starred: flag(query, 'starred') ? new Set(starredNames(call)) : undefined,
    places: placesOf(call),
    isEdit: isEditOnly(query),
    isDescending: oneOf(query, 'sort', SORTS) === 'alpha-desc',
    first: (positive(query, 'page', 1) - 1) * limit,
    limit,
  };
}

/**
 * The folders to search in: by uid, or by the integer ids of older clients. An id that no folder has stands for a
 * folder without contents.
 */
function placesOf(call: LegacyCall): ReadonlySet<string> | undefined {
  const uids = someOf(valuesOf(call.query, 'folderUIDs'), MOST_NAMES, 'folderUIDs').map(placeOf);
  const folders = call.objects('folder/Folder');
  const byId = (id: string): string => (id === '0' ? '' : (folders.findById(Number(id))?.metadata.name ?? NOWHERE));
  return setOf([...uids, ...someOf(numbersOf(call.query, 'folderIds'), MOST_NAMES, 'folderIds').map(byId)]);
}

/** No folder has this name. */
const NOWHERE = '/';

export function setOf<Value>(values: readonly Value[]): ReadonlySet<Value> | undefined {
  return values.length === 0 ? undefined : new Set(values);
}

/** Folded words of a text. Throws 400 for too many, or for a text that is too long. */
export function wordsOf(text: string): readonly string[] {
  if (text.length > MOST_CHARACTERS) throw plainFailure(400, `at most ${MOST_CHARACTERS} characters in a search`);
  const words = searched(text)
    .split(/\s+/)
    .filter((word) => word !== '');
  return someOf(words, MOST_WORDS, 'words in a search');
}

/** Throws 400 for too many. */
export function wantedTags(tags: readonly string[]): readonly string[] {
  return someOf(
    tags.filter((tag) => tag !== ''),
    MOST_TAGS,
    'tag',
  );
}

/** The values of parameters that name objects. Throws 400 for too many. */
export function namesOf(query: URLSearchParams, ...names: readonly string[]): ReadonlySet<string> | undefined {
  const values = names.flatMap((name) => valuesOf(query, name));
  return setOf(someOf(values, MOST_NAMES, names[0] ?? ''));
}

/** The name of a folder; empty for the root. */
export const placeOf = (uid: string): string => (uid === ROOT ? '' : uid);

/** The same values, each once. Throws 400 for too many. */
function someOf<Value>(values: readonly Value[], limit: number, what: string): readonly Value[] {
  const distinct = [...new Set(values)];
  if (distinct.length > limit) throw plainFailure(400, `at most ${limit} ${what}`);
  return distinct;
}

/** The types that are searched for. Throws 400 for others. */
export function typesOf(query: URLSearchParams, known: readonly string[]): readonly string[] {
  const types = valuesOf(query, 'type');
  if (types.every((type) => known.includes(type))) return types;
  throw plainFailure(400, `type must be ${known.join(' or ')}`);
}

/** The values of a parameter that are integer ids. Throws 400 for others. */
function numbersOf(query: URLSearchParams, name: string): readonly string[] {
  const values = valuesOf(query, name);
  if (values.every((value) => /^[0-9]{1,15}$/.test(value))) return values;
  throw plainFailure(400, `${name} must be numbers`);
}

/** The values of a parameter, which may be repeated or contain commas. */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
}
