import type { LegacyCall } from '../../registry/legacy/call.js';
import { type Entry, nameOf } from '../../registry/read/reader.js';
import { isStarred, starredBy } from '../collections/stars/legacy/starred.js';
import { dashboardPath } from '../dashboard/dashboard/legacy/dto.js';
import type { ApisEnvironment } from '../environment.js';
import { folderPath } from '../folder/folder/legacy/dto.js';
import { slug } from '../iam/legacy/formats.js';

/** What an entry shows of its object. */
interface Summary {
  readonly title: string;
  readonly tags?: readonly string[];
}

export interface SearchMatch {
  readonly kind: 'folder/Folder' | 'dashboard/Dashboard';
  readonly entry: Entry;
}

type Item = Readonly<Record<string, unknown>>;

/** Makes the items of a search. They are made of what is stored beside the objects, so no object is parsed. */
export function itemsOf(
  call: LegacyCall,
  found: readonly SearchMatch[],
  { features }: ApisEnvironment,
): readonly Item[] {
  const starred = starredBy(call);
  const folders = call.objects('folder/Folder');
  const filter = folders.readFilter();
  const places = new Map<string, Item>();
  const placeOf = (name: string): Item => {
    const entry = folders.entry(name);
    return entry === undefined || !(filter.all || filter.allows(entry))
      ? {}
      : placeFields(entry, folders.kind.ownedKeys.internalId);
  };
  const knownPlace = (name: string): Item => {
    const place = places.get(name) ?? placeOf(name);
    places.set(name, place);
    return place;
  };
  return found.map(({ kind, entry }) => {
    const { container } = entry.attributes;
    const isShown = container !== undefined && (kind === 'dashboard/Dashboard' || features.nestedFolders);
    return {
      ...ownFields(call, { kind, entry }),
      isStarred:
        kind === 'dashboard/Dashboard' &&
        isStarred(starred, nameOf(entry), idOf(entry, folders.kind.ownedKeys.internalId)),
      ...(isShown && knownPlace(container)),
    };
  });
}

function ownFields(call: LegacyCall, { kind, entry }: SearchMatch): Item {
  const { title, tags = [] } = summaryOf(entry);
  const uid = nameOf(entry);
  const isFolder = kind === 'folder/Folder';
  return {
    id: idOf(entry, call.kind(kind).ownedKeys.internalId),
    uid,
    orgId: call.organization.id,
    title,
    uri: `db/${slug(title)}`,
    url: isFolder ? folderPath(uid, title) : dashboardPath(uid, title),
    slug: '',
    type: isFolder ? 'dash-folder' : 'dash-db',
    tags,
    sortMeta: 0,
  };
}

function placeFields(folder: Entry, idLabel: string): Item {
  const { title } = summaryOf(folder);
  const uid = nameOf(folder);
  return { folderId: idOf(folder, idLabel), folderUid: uid, folderTitle: title, folderUrl: folderPath(uid, title) };
}

/** The plural of the kind. */
export function resourceOf({ kind }: SearchMatch): 'folders' | 'dashboards' {
  return kind === 'folder/Folder' ? 'folders' : 'dashboards';
}

export function tagsOf(entry: Entry): readonly string[] {
  return summaryOf(entry).tags ?? [];
}

/** The integer id of the legacy API. */
export function idOf({ attributes: { labels = {} } }: Entry, idLabel: string): number {
  return Number(labels[idLabel] ?? 0);
}

export function summaryOf({ attributes }: Entry): Summary {
  return attributes.summary as Summary;
}
