import { positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { searchEntries } from '../../registry/legacy/search.js';
import type { ObjectReader } from '../../registry/objects.js';
import { type Entry, objectOf } from '../../registry/reader.js';
import type { ApisEnvironment } from '../environment.js';
import { type Folder, folderUrl, parentOf } from '../folder/folder/legacy/dto.js';
import { BY_PARENT, type FolderSpec } from '../folder/folder/schema.js';
import { searched } from '../folder/titles.js';
import { slug } from '../iam/legacy/formats.js';
import { compare } from '../iam/legacy/lists.js';

const LIMIT = 1000;
const MOST = 5000;
const ROOT = 'general';

/** A page of the folders that the caller may view and that match the query, by title. Only the folders of the page are parsed. */
export function search(call: LegacyCall, environment: ApisEnvironment): readonly unknown[] {
  const { query } = call;
  if (wantsOthers(query)) return [];
  const limit = Math.min(positive(query, 'limit', LIMIT), MOST);
  const first = (positive(query, 'page', 1) - 1) * limit;
  const folders = call.objects<FolderSpec>('Folder');
  const filter = folders.readFilter();
  const text = searched((query.get('query') ?? '').trim());
  const isVisible = (entry: Entry): boolean => filter.all || filter.allows(entry);
  const found = candidates(folders, call, text).filter(isVisible).sort(byTitle);
  const ordered = query.get('sort') === 'alpha-desc' ? found.reverse() : found;
  return ordered.slice(first, first + limit).map((entry) => itemOf(call, objectOf(entry) as Folder, environment));
}

/** Whether the query asks for something that no folder has: another type, a tag, or a star. */
function wantsOthers(query: URLSearchParams): boolean {
  const type = query.get('type') ?? '';
  return !['', 'dash-folder'].includes(type) || query.getAll('tag').some(Boolean) || query.get('starred') === 'true';
}

/** The folders that match the query: text in the title, parent in `folderUIDs`, uid in `dashboardUIDs`. Absent parameters match everything. */
function candidates(folders: ObjectReader<FolderSpec>, call: LegacyCall, text: string): Entry[] {
  const { query, organization } = call;
  const { namespace } = organization;
  const places = valuesOf(query, 'folderUIDs').map((uid) => (uid === ROOT ? '' : uid));
  const names = valuesOf(query, 'dashboardUIDs');
  if (places.length === 0 && names.length === 0)
    return searchEntries(folders, BY_PARENT, text).filter((entry) => folders.isInNamespace(entry));
  const within = places.flatMap((place) => [...folders.entries({ index: BY_PARENT, prefix: [namespace, place] })]);
  const named = names.flatMap((name) => folders.entry(name) ?? []);
  const both = new Set(within);
  const found = names.length === 0 ? within : places.length === 0 ? named : named.filter((entry) => both.has(entry));
  return found.filter((entry) => textOf(entry).includes(text));
}

/** The values of a parameter, which may be repeated or contain commas. */
function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  const values = query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  return [...new Set(values)];
}

function textOf({ attributes }: Entry): string {
  return attributes.text ?? '';
}

function byTitle(a: Entry, b: Entry): number {
  return compare(textOf(a), textOf(b)) || compare(a.key, b.key);
}

function titleOf({ spec }: Folder): string {
  return spec?.title ?? '';
}

function itemOf(call: LegacyCall, folder: Folder, environment: ApisEnvironment): unknown {
  const folders = call.objects<FolderSpec>('Folder');
  const parentUid = environment.features.nestedFolders ? parentOf(folder, environment) : undefined;
  const parent = parentUid === undefined ? undefined : folders.find(parentUid);
  const title = titleOf(folder);
  return {
    id: folders.idOf(folder),
    uid: folder.metadata.name,
    orgId: call.organization.id,
    title,
    uri: `db/${slug(title)}`,
    url: folderUrl(folder),
    slug: '',
    type: 'dash-folder',
    tags: [],
    isStarred: false,
    ...(parent !== undefined && folders.may('folders:read', parent) && placeOf(folders.idOf(parent), parent)),
  };
}

function placeOf(folderId: number, parent: Folder): Readonly<Record<string, unknown>> {
  return { folderId, folderUid: parent.metadata.name, folderTitle: titleOf(parent), folderUrl: folderUrl(parent) };
}
