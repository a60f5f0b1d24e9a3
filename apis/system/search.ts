import type { ObjectReader } from '../../registry/client/object-reader.js';
import type { ReadFilter } from '../../registry/kinds/authorizer.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { hasWords } from '../../registry/legacy/search.js';
import { type Entry, nameOf } from '../../registry/read/reader.js';
import { BY_TAG, BY_TITLE as DASHBOARDS_BY_TITLE } from '../dashboard/dashboard/schema.js';
import type { ApisEnvironment } from '../environment.js';
import { BY_TITLE as FOLDERS_BY_TITLE } from '../folder/folder/schema.js';
import { compare } from '../iam/legacy/lists.js';
import { idOf, itemsOf, type SearchMatch, tagsOf } from './search-items.js';
import { type SearchQuery, searchQueryOf } from './search-query.js';

/** More entries than these are not sorted: reading entries in the order of the index is faster. */
const MOST_SORTED = 2000;

/** A kind that a search finds. */
interface SearchedKind {
  readonly kind: SearchMatch['kind'];
  readonly type: string;
  /** The index in the order of folded titles: `[namespace, title, …]`. */
  readonly byTitle: string;
  /** The index by tag, if the objects have tags and can be starred: `[namespace, tag]`. */
  readonly byTag?: string;
}

const FOLDERS: SearchedKind = { kind: 'folder/Folder', type: 'dash-folder', byTitle: FOLDERS_BY_TITLE };
const DASHBOARDS: SearchedKind = {
  kind: 'dashboard/Dashboard',
  type: 'dash-db',
  byTitle: DASHBOARDS_BY_TITLE,
  byTag: BY_TAG,
};

/**
 * A page of the folders and dashboards that the caller may view and that match the query, by title. No object is
 * parsed.
 */
export function search(call: LegacyCall, environment: ApisEnvironment): readonly unknown[] {
  const query = searchQueryOf(call);
  const page: SearchMatch[] = [];
  let seen = 0;
  for (const found of foundBy(call, query)) {
    if (page.length === query.limit) break;
    if (seen++ >= query.first) page.push(found);
  }
  return itemsOf(call, page, environment);
}

/**
 * All folders and dashboards that the caller may view and that match the query, by title. Reads no further than the
 * caller iterates.
 */
export function foundBy(call: LegacyCall, query: SearchQuery): Iterable<SearchMatch> {
  return merged(matching(call, FOLDERS, query), matching(call, DASHBOARDS, query), query.isDescending);
}

/** The objects of a kind that match the query, in the order of the query. Reads no further than the caller iterates. */
function* matching(call: LegacyCall, one: SearchedKind, query: SearchQuery): Generator<SearchMatch, void, undefined> {
  const { types, tags, ids, starred, isEdit } = query;
  const isForTagged = tags.length > 0 || ids !== undefined || starred !== undefined;
  if ((types !== undefined && !types.has(one.type)) || (one.byTag === undefined && isForTagged)) return;
  const objects = call.objects(one.kind);
  const filters = [objects.readFilter(), ...(isEdit ? [objects.readFilter('update')] : [])].filter(({ all }) => !all);
  const few = fewOf(objects, query);
  // Candidates in the order of an index have the words and the tags already.
  const fits = conditionOf(objects, few === undefined ? { ...query, words: [], tags: [] } : query, filters);
  const candidates = few === undefined ? inOrder(call, one, query, filters) : sorted(few, query.isDescending);
  for (const entry of candidates) if (fits(entry)) yield { kind: one.kind, entry };
}

/** All entries that contain the words, in order. Containers in which nothing can be found are left out. */
function inOrder(
  call: LegacyCall,
  { kind, byTitle, byTag = '' }: SearchedKind,
  { words, tags, isDescending, places }: SearchQuery,
  filters: readonly ReadFilter[],
): Iterable<Entry> {
  const excludes = (container: string | undefined): boolean =>
    (places !== undefined && !places.has(container ?? '')) || filters.some((filter) => filter.excludes(container));
  const { namespace } = call.organization;
  const rows = tags.map((tag) => ({ index: byTag, tuple: [namespace, tag] }));
  return call.ordered(kind, byTitle).matching({ words, rows, isDescending, excludes });
}

/** A small set of entries with all that match, if the query names one. */
function fewOf(objects: ObjectReader, query: SearchQuery): Entry[] | undefined {
  const { names, ids, starred, tags, places, words } = query;
  const named = names ?? starred;
  if (named !== undefined) return [...named].flatMap((name) => objects.entry(name) ?? []);
  if (ids !== undefined) return [...ids].flatMap((id) => objects.entriesById(id));
  return tags.length > 0 || words.length > 0 ? undefined : fewIn(objects, places);
}

/** The entries in the folders, if there are few. The root has no index. */
function fewIn(objects: ObjectReader, places: ReadonlySet<string> | undefined): Entry[] | undefined {
  if (places === undefined || places.has('')) return undefined;
  const found: Entry[] = [];
  for (const place of places) {
    const within = atMost(MOST_SORTED - found.length, objects.entriesIn(place));
    if (within === undefined) return undefined;
    found.push(...within);
  }
  return found;
}

function atMost(limit: number, entries: Iterable<Entry>): Entry[] | undefined {
  const taken: Entry[] = [];
  for (const entry of entries) {
    if (taken.length === limit) return undefined;
    taken.push(entry);
  }
  return taken;
}

type Condition = (entry: Entry) => boolean;

/** Returns a function that decides whether an entry matches the query. What takes longest is checked last. */
function conditionOf(
  objects: ObjectReader,
  { words, tags, names, ids, starred, places }: SearchQuery,
  filters: readonly ReadFilter[],
): Condition {
  const label = objects.kind.ownedKeys.internalId;
  const conditions: readonly (Condition | undefined)[] = [
    places && ((entry) => places.has(entry.attributes.container ?? '')),
    names && ((entry) => names.has(nameOf(entry))),
    starred && ((entry) => starred.has(nameOf(entry))),
    ids && ((entry) => ids.has(idOf(entry, label))),
    words.length === 0 ? undefined : (entry) => hasWords(entry, words),
    tags.length === 0 ? undefined : (entry) => hasTags(entry, tags),
    ...filters.map((filter) => filter.allows),
  ];
  const wanted = conditions.filter((condition) => condition !== undefined);
  return (entry) => wanted.every((condition) => condition(entry));
}

function hasTags(entry: Entry, tags: readonly string[]): boolean {
  const own = new Set(tagsOf(entry));
  return tags.every((tag) => own.has(tag));
}

function textOf({ attributes }: Entry): string {
  return attributes.text ?? '';
}

function sorted(entries: Entry[], isDescending: boolean): readonly Entry[] {
  const ascending = entries.sort((a, b) => compare(textOf(a), textOf(b)) || compare(a.key, b.key));
  return isDescending ? ascending.reverse() : ascending;
}

/** Both in one order. A folder comes before the dashboards of the same title. */
function* merged(
  folders: Iterator<SearchMatch, void, undefined>,
  dashboards: Iterator<SearchMatch, void, undefined>,
  isDescending: boolean,
): Generator<SearchMatch, void, undefined> {
  let [folder, dashboard] = [folders.next().value, dashboards.next().value];
  while (folder !== undefined || dashboard !== undefined) {
    const order = folder && dashboard ? compare(textOf(folder.entry), textOf(dashboard.entry)) : 0;
    const isFolderNext = dashboard === undefined || (folder !== undefined && (isDescending ? order >= 0 : order <= 0));
    const next = isFolderNext ? folder : dashboard;
    if (next !== undefined) yield next;
    if (isFolderNext) folder = folders.next().value;
    else dashboard = dashboards.next().value;
  }
}
