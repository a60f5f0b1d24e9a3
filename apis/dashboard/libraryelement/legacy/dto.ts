import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { IndexRange } from '../../../../registry/client/object-reader.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { Entry } from '../../../../registry/read/reader.js';
import type { FolderSpec } from '../../../folder/folder/schema.js';
import { folderOf } from '../../../folder/placement.js';
import { authorOf } from '../../../iam/legacy/author.js';
import type { DashboardSpec } from '../../dashboard/schema.js';
import { BY_LIBRARY_ELEMENT } from '../../dashboard/schema.js';
import { type LibraryElementSpec, PANEL } from '../schema.js';

/** What answers have of a library element, and callers send back. */
export const ELEMENT_ANSWERED: readonly string[] = [
  'id',
  'orgId',
  'folderId',
  'folderUid',
  'uid',
  'name',
  'kind',
  'type',
  'description',
  'model',
  'version',
  'meta',
];

export type Element = KubeObject<LibraryElementSpec>;

/** The name that clients show for the root. */
export const ROOT_TITLE = 'General';

export function elementDto(call: LegacyCall, element: Element): Readonly<Record<string, unknown>> {
  const elements = call.objects<LibraryElementSpec>('dashboard/LibraryElement');
  const { metadata, spec } = element;
  const { createdBy, updatedBy, updatedTimestamp } = elements.kind.ownedKeys;
  const { annotations = {}, creationTimestamp } = metadata;
  const folder = folderDto(call, folderOf(element, elements.kind.domain));
  return {
    id: elements.idOf(element),
    orgId: call.organization.id,
    folderId: folder.id,
    folderUid: folder.uid,
    uid: metadata.name,
    name: spec?.name ?? '',
    kind: spec?.kind ?? PANEL,
    type: spec?.type ?? '',
    description: spec?.description ?? '',
    model: spec?.model ?? {},
    version: metadata.generation,
    meta: {
      folderName: folder.title,
      folderUid: folder.uid,
      connectedDashboards: connectedDashboards(call, metadata.name),
      created: creationTimestamp,
      updated: annotations[updatedTimestamp] ?? creationTimestamp,
      createdBy: authorOf(call, annotations[createdBy]),
      updatedBy: authorOf(call, annotations[updatedBy]),
    },
  };
}

interface Place {
  readonly id: number;
  readonly uid: string;
  readonly title: string;
}

/** Callers who may view an element by itself, but not its folder, get no title of the folder. */
function folderDto(call: LegacyCall, uid: string | undefined): Place {
  if (uid === undefined) return { id: 0, uid: '', title: ROOT_TITLE };
  const folders = call.objects<FolderSpec>('folder/Folder');
  const folder = folders.find(uid);
  if (folder === undefined) return { id: 0, uid, title: '' };
  return {
    id: folders.idOf(folder),
    uid,
    title: folders.may('folders:read', folder) ? (folder.spec?.title ?? '') : '',
  };
}

function using(call: LegacyCall, element: string): IndexRange {
  return { index: BY_LIBRARY_ELEMENT, prefix: [call.organization.namespace, element] };
}

/**
 * The counts of connections by organization and element. The key is the version of the dashboards, so that they are
 * collected together.
 */
const counts = new WeakMap<object, Map<string, number>>();

/** Counts all dashboards that use the element, because none of them may use it when it is deleted (docs/adr/0020). */
function connectedDashboards(call: LegacyCall, element: string): number {
  const dashboards = call.objects('dashboard/Dashboard');
  const known = counts.get(dashboards.version) ?? new Map<string, number>();
  counts.set(dashboards.version, known);
  const key = `${call.organization.namespace}/${element}`;
  const count = known.get(key) ?? countOf(dashboards.entries(using(call, element)));
  known.set(key, count);
  return count;
}

function countOf(entries: Iterable<Entry>): number {
  let count = 0;
  for (const _ of entries) count++;
  return count;
}

/**
 * The connections of an element to the dashboards that the caller may view. Time and author are those of the last save
 * of the dashboard.
 */
export function connectionsOf(call: LegacyCall, element: Element): readonly Readonly<Record<string, unknown>>[] {
  const dashboards = call.objects<DashboardSpec>('dashboard/Dashboard');
  const { updatedBy, updatedTimestamp } = dashboards.kind.ownedKeys;
  const elementId = call.objects('dashboard/LibraryElement').idOf(element);
  return [...dashboards.list(using(call, element.metadata.name))].map((dashboard) => {
    const { name, annotations = {}, creationTimestamp } = dashboard.metadata;
    const connectionId = dashboards.idOf(dashboard);
    return {
      id: connectionId,
      kind: PANEL,
      elementId,
      connectionId,
      connectionUid: name,
      created: annotations[updatedTimestamp] ?? creationTimestamp,
      createdBy: authorOf(call, annotations[updatedBy]),
    };
  });
}
