import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { KindName } from '../../../../registry/kinds/compiled.js';
import { accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { ApisEnvironment } from '../../../environment.js';
import { slug } from '../../../iam/legacy/formats.js';
import { loginOf } from '../../../iam/legacy/people.js';
import { hasPermissions } from '../../../iam/rolebinding/legacy/bindings.js';
import { BY_FOLDER } from '../../../iam/rolebinding/schema.js';
import { folderOf } from '../../placement.js';
import type { FolderSpec } from '../schema.js';

/** What answers have of a folder, and callers send back. */
export const FOLDER_ANSWERED: readonly string[] = [
  'id',
  'uid',
  'orgId',
  'title',
  'url',
  'hasAcl',
  'canSave',
  'canEdit',
  'canAdmin',
  'canDelete',
  'createdBy',
  'created',
  'updatedBy',
  'updated',
  'version',
  'parentUid',
  'parents',
  'accessControl',
];

export type Folder = KubeObject<FolderSpec>;

/** What is shown of a folder that the caller may not view. */
export const REDACTED = { uid: 'redacted', title: 'redacted' };

export function folderUrl({ metadata, spec }: Folder): string {
  return folderPath(metadata.name, spec?.title ?? '');
}

export function folderPath(uid: string, title: string): string {
  return `/dashboards/f/${uid}/${slug(title)}`;
}

/** The folder in the legacy API, with its ancestors. */
export function folderDto(call: LegacyCall, folder: Folder, environment: ApisEnvironment): unknown {
  const own = ownDto(call, folder, environment);
  const parents = environment.features.nestedFolders ? ancestorsOf(call, folder, environment) : [];
  return {
    ...own,
    ...accessControlOf(call, 'folder/Folder', folder, ACTIONS),
    ...(parents.length > 0 && { parents: parents.map((parent) => shown(call, parent, environment)) }),
  };
}

function ownDto(call: LegacyCall, folder: Folder, environment: ApisEnvironment): Readonly<Record<string, unknown>> {
  const folders = call.objects<FolderSpec>('folder/Folder');
  const { metadata, spec } = folder;
  const keys = folders.kind.ownedKeys;
  const { annotations = {} } = metadata;
  const may = (action: string): boolean => folders.may(action, folder);
  const canSave = may('folders:write');
  const parent = environment.features.nestedFolders ? folderOf(folder, environment.domain) : undefined;
  return {
    id: folders.idOf(folder),
    uid: metadata.name,
    orgId: call.organization.id,
    title: spec?.title ?? '',
    url: folderUrl(folder),
    hasAcl: hasPermissions(call, BY_FOLDER, metadata.name),
    canSave,
    canEdit: canSave,
    canAdmin: may('folders.permissions:read') && may('folders.permissions:write'),
    canDelete: may('folders:delete'),
    createdBy: loginOf(call, annotations[keys.createdBy]),
    created: metadata.creationTimestamp,
    updatedBy: loginOf(call, annotations[keys.updatedBy]),
    updated: annotations[keys.updatedTimestamp] ?? metadata.creationTimestamp,
    version: metadata.generation,
    ...(parent !== undefined && { parentUid: parent }),
  };
}

/** The ancestors from the root down. One that the caller may not view is redacted later, but not left out. */
function ancestorsOf(call: LegacyCall, folder: Folder, environment: ApisEnvironment): readonly Folder[] {
  const folders = call.objects<FolderSpec>('folder/Folder');
  const parents: Folder[] = [];
  for (let at = folderOf(folder, environment.domain); at !== undefined; ) {
    const parent = folders.find(at);
    if (parent === undefined) break;
    parents.unshift(parent);
    at = folderOf(parent, environment.domain);
  }
  return parents;
}

function shown(call: LegacyCall, folder: Folder, environment: ApisEnvironment): unknown {
  return call.objects('folder/Folder').may('folders:read', folder) ? ownDto(call, folder, environment) : REDACTED;
}

/** The actions that are granted on folders, for the folder or for what lies in it. */
const ACTIONS = [
  'folders:read',
  'folders:create',
  'folders:write',
  'folders:delete',
  'folders.permissions:read',
  'folders.permissions:write',
  'dashboards:create',
  'alert.rules:read',
  'alert.rules:create',
  'alert.rules:write',
  'alert.rules:delete',
  'library.panels:read',
  'library.panels:create',
  'library.panels:write',
  'library.panels:delete',
];

/** The names that the legacy API uses for the kinds of objects in folders. */
const COUNTED: readonly (readonly [KindName, string])[] = [
  ['folder/Folder', 'folder'],
  ['dashboard/Dashboard', 'dashboard'],
  ['rules.alerting/AlertRule', 'alertrule'],
  ['dashboard/LibraryElement', 'library_elements'],
];

/** Counts the objects below a folder that the caller may view, at any depth. */
export function descendantCounts(call: LegacyCall, folder: Folder): Readonly<Record<string, number>> {
  const kinds = COUNTED.filter(([kind]) => call.hasKind(kind));
  const counts = new Map(COUNTED.map(([, name]) => [name, 0]));
  for (const waiting = [folder.metadata.name]; waiting.length > 0; ) {
    const container = waiting.pop() ?? '';
    for (const [kind, name] of kinds)
      counts.set(name, (counts.get(name) ?? 0) + call.objects(kind).countContained(container));
    for (const { metadata } of call.objects('folder/Folder').contained(container)) waiting.push(metadata.name);
  }
  return Object.fromEntries(counts);
}
