import type { KindEnvironment } from '../../registry/kind.js';
import { positive } from '../../registry/legacy/body.js';
import type { LegacyCall } from '../../registry/legacy/call.js';
import { BY_PLACE, type FolderSpec } from '../folder/kind.js';
import { type Folder, folderUrl, parentOf } from '../folder/legacy/dto.js';
import { slug } from '../iam/legacy/formats.js';

const LIMIT = 1000;
const MOST = 5000;
const ROOT = 'general';

type Test = (folder: Folder) => boolean;

/** The folders that the caller may view and that fit the query, by title. */
export function search(call: LegacyCall, environment: KindEnvironment): readonly unknown[] {
  const { query } = call;
  if (wantsOthers(query)) return [];
  const limit = Math.min(positive(query, 'limit', LIMIT), MOST);
  const first = (positive(query, 'page', 1) - 1) * limit;
  const tests = testsOf(query, environment);
  const folders = call.objects<FolderSpec>('Folder').list({ index: BY_PLACE, prefix: [call.organization.namespace] });
  const found = [...folders].filter((folder) => tests.every((test) => test(folder))).sort(byTitle);
  const ordered = query.get('sort') === 'alpha-desc' ? found.reverse() : found;
  return ordered.slice(first, first + limit).map((folder) => itemOf(call, folder, environment));
}

/** Folders have neither tags nor stars. */
function wantsOthers(query: URLSearchParams): boolean {
  const type = query.get('type') ?? '';
  return !['', 'dash-folder'].includes(type) || query.getAll('tag').some(Boolean) || query.get('starred') === 'true';
}

function testsOf(query: URLSearchParams, environment: KindEnvironment): readonly Test[] {
  const text = (query.get('query') ?? '').trim().toLowerCase();
  const within = valuesOf(query, 'folderUIDs').map((uid) => (uid === ROOT ? '' : uid));
  const named = valuesOf(query, 'dashboardUIDs');
  const tests: Test[] = [];
  if (text !== '') tests.push((folder) => titleOf(folder).toLowerCase().includes(text));
  if (within.length > 0) tests.push((folder) => within.includes(parentOf(folder, environment) ?? ''));
  if (named.length > 0) tests.push(({ metadata }) => named.includes(metadata.name));
  return tests;
}

/** Repeated, or with commas. */
function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
}

function titleOf({ spec }: Folder): string {
  return spec?.title ?? '';
}

function byTitle(a: Folder, b: Folder): number {
  const [first, second] = [a, b].map((folder) => `${titleOf(folder).toLowerCase()}\0${folder.metadata.name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

function itemOf(call: LegacyCall, folder: Folder, environment: KindEnvironment): unknown {
  const folders = call.objects<FolderSpec>('Folder');
  const parentUid = parentOf(folder, environment);
  const parent = parentUid === undefined ? undefined : folders.peek(parentUid);
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
