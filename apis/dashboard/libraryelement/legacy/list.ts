import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { oneOf, positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, plainFailure } from '../../../../registry/legacy/errors.js';
import { searchEntries } from '../../../../registry/legacy/search.js';
import { arrayText, each, okJson } from '../../../../registry/legacy/stream.js';
import { type Entry, nameOf, objectOf } from '../../../../registry/read/reader.js';
import { BY_PARENT } from '../../../folder/folder/schema.js';
import { ROOT } from '../../../folder/placement.js';
import { searched } from '../../../folder/titles.js';
import { findPage } from '../../../iam/legacy/lists.js';
import { BY_NAME, type LibraryElementSpec } from '../schema.js';
import { type Element, elementDto, ROOT_TITLE } from './dto.js';

export const PER_PAGE = 100;
export const SORTS = ['alpha-asc', 'alpha-desc'] as const;

/**
 * A page of the elements that the caller may view and that match the query, by name. Only the elements of the page are
 * parsed, when they are sent.
 */
export function listElements(call: LegacyCall): ApiResponse {
  const { query, organization } = call;
  const page = positive(query, 'page', 1);
  const perPage = positive(query, 'perPage', PER_PAGE);
  const direction = oneOf(query, 'sortDirection', SORTS);
  const elements = call.objects<LibraryElementSpec>('dashboard/LibraryElement');
  const matches = matching(call);
  const entries = [...elements.entries({ index: BY_NAME, prefix: [organization.namespace] })].filter(matches);
  if (direction === 'alpha-desc') entries.reverse();
  const found = findPage({ page, perPage, entries, filter: elements.readFilter(), query: '' });
  const { totalCount } = found;
  return elementsResult(call, found.entries, { totalCount, page, perPage });
}

/** `{"result":{…,"elements":[…]}}`, in parts, because a page of large elements may not fit into memory. */
function elementsResult(call: LegacyCall, entries: readonly Entry[], members: object): ApiResponse {
  const elements = each(entries, (entry) => elementDto(call, objectOf(entry) as Element));
  const head = JSON.stringify({ ...members, elements: [] });
  const answer = okJson(
    (function* pieces() {
      yield `{"result":${head.slice(0, -'[]}'.length)}`;
      yield* arrayText(elements);
      yield '}}';
    })(),
  );
  // The rest is read while the answer is sent.
  call.readOn();
  return answer;
}

type Matches = (entry: Entry) => boolean;

function matching(call: LegacyCall): Matches {
  const { query } = call;
  const [kind, excluded] = [positive(query, 'kind', 0), query.get('excludeUid') ?? ''];
  const types = new Set(valuesOf(query, 'typeFilter'));
  const conditions: readonly Matches[] = [
    ({ attributes }) => kind === 0 || attributes.fields?.['spec.kind'] === String(kind),
    ({ attributes }) => types.size === 0 || types.has(attributes.fields?.['spec.type'] ?? ''),
    (entry) => excluded === '' || nameOf(entry) !== excluded,
    inFolders(call),
    containingText(call),
  ];
  return (entry) => conditions.every((condition) => condition(entry));
}

/**
 * Elements whose name, description or folder has the text. Titles of folders that the caller may not view are not
 * searched.
 */
function containingText(call: LegacyCall): Matches {
  const text = searched((call.query.get('searchString') ?? '').trim());
  if (text === '') return () => true;
  const folders = call.objects('folder/Folder');
  const filter = folders.readFilter();
  const matches = searchEntries(folders, BY_PARENT, text).filter(
    (entry) => folders.isInNamespace(entry) && (filter.all || filter.allows(entry)),
  );
  const within = new Set<string | undefined>(matches.map(nameOf));
  if (searched(ROOT_TITLE).includes(text)) within.add(undefined);
  return ({ attributes: { text: own = '', container } }) => own.includes(text) || within.has(container);
}

function inFolders(call: LegacyCall): Matches {
  const { query } = call;
  const [ids, uids] = [valuesOf(query, 'folderFilter'), valuesOf(query, 'folderFilterUIDs')];
  if (ids.length > 0 && uids.length > 0) throw plainFailure(400, 'cannot pass both folderFilter and folderFilterUIDs');
  if (ids.length === 0 && uids.length === 0) return () => true;
  const wanted = new Set([...ids.flatMap((id) => folderWithId(call, id)), ...uids]);
  return ({ attributes: { container = ROOT } }) => wanted.has(container);
}

/** The uid of a folder. The root has the number 0. */
function folderWithId(call: LegacyCall, text: string): readonly string[] {
  if (!/^[0-9]{1,15}$/.test(text)) throw badRequestData(undefined, 'folderFilter: must be a list of numbers');
  if (Number(text) === 0) return [ROOT];
  const folder = call.objects('folder/Folder').findById(Number(text));
  return folder === undefined ? [] : [folder.metadata.name];
}

/** The values of a parameter that are separated by commas. */
function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
