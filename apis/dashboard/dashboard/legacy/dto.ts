import type { KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { Kind } from '../../../../registry/kinds/kind.js';
import { accessControlOf } from '../../../../registry/legacy/access-control.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { DASHBOARD } from '../../../annotation/annotation/schema.js';
import { isStarred, starredBy } from '../../../collections/stars/legacy/starred.js';
import { type Folder, folderUrl, REDACTED } from '../../../folder/folder/legacy/dto.js';
import type { FolderSpec } from '../../../folder/folder/schema.js';
import { folderOf } from '../../../folder/placement.js';
import { NEVER, slug } from '../../../iam/legacy/formats.js';
import { loginOf } from '../../../iam/legacy/people.js';
import { isUser } from '../../../iam/names.js';
import { hasPermissions } from '../../../iam/rolebinding/legacy/bindings.js';
import { BY_DASHBOARD } from '../../../iam/rolebinding/schema.js';
import type { DashboardSpec } from '../schema.js';

/** What answers have beside a dashboard, and of its versions, and callers send back. */
export const DASHBOARD_ANSWERED: readonly string[] = [
  'meta',
  'id',
  'uid',
  'url',
  'status',
  'slug',
  'version',
  'folderId',
  'folderUid',
  'pluginId',
  'title',
  'imported',
  'importedUri',
  'importedUrl',
  'dashboardId',
  'dashboardUID',
  'importedRevision',
  'revision',
  'description',
  'path',
  'removed',
  'parentVersion',
  'restoredFrom',
  'created',
  'createdBy',
  'message',
  'data',
];

export type Dashboard = KubeObject<DashboardSpec>;

export function titleOf({ spec }: Dashboard): string {
  return spec?.title ?? '';
}

export function dashboardUrl(dashboard: Dashboard): string {
  return dashboardPath(dashboard.metadata.name, titleOf(dashboard));
}

export function dashboardPath(uid: string, title: string): string {
  return `/d/${uid}/${slug(title)}`;
}

/** The dashboard as user interfaces load it. */
export function dashboardDto(call: LegacyCall, dashboard: Dashboard): unknown {
  return { meta: metaOf(call, dashboard), dashboard: contentOf(call, dashboard) };
}

/** The dashboard with the members that repeat its metadata. */
export function contentOf(call: LegacyCall, dashboard: Dashboard): Readonly<Record<string, unknown>> {
  const { metadata, spec } = dashboard;
  return {
    ...spec,
    id: call.objects('dashboard/Dashboard').idOf(dashboard),
    uid: metadata.name,
    version: metadata.generation,
  };
}

export function savedDto(call: LegacyCall, dashboard: Dashboard): unknown {
  const { metadata } = dashboard;
  const dashboards = call.objects('dashboard/Dashboard');
  return {
    id: dashboards.idOf(dashboard),
    uid: metadata.name,
    url: dashboardUrl(dashboard),
    status: 'success',
    version: metadata.generation,
    slug: slug(titleOf(dashboard)),
    folderUid: folderOf(dashboard, dashboards.kind.domain) ?? '',
  };
}

function metaOf(call: LegacyCall, dashboard: Dashboard): Readonly<Record<string, unknown>> {
  const dashboards = call.objects<DashboardSpec>('dashboard/Dashboard');
  const { metadata } = dashboard;
  const { annotations = {} } = metadata;
  const keys = dashboards.kind.ownedKeys;
  return {
    type: 'db',
    slug: slug(titleOf(dashboard)),
    url: dashboardUrl(dashboard),
    version: metadata.generation,
    created: metadata.creationTimestamp,
    updated: annotations[keys.updatedTimestamp] ?? metadata.creationTimestamp,
    createdBy: loginOf(call, annotations[keys.createdBy]),
    updatedBy: loginOf(call, annotations[keys.updatedBy]),
    expires: NEVER,
    ...rightsOf(call, dashboard),
    hasAcl: hasPermissions(call, BY_DASHBOARD, metadata.name),
    isFolder: false,
    isSnapshot: false,
    isStarred: isStarred(starredBy(call), metadata.name, dashboards.idOf(dashboard)),
    ...folderMeta(call, dashboard),
    provisioned: false,
    provisionedExternalId: '',
    ...accessControlOf(call, 'dashboard/Dashboard', dashboard, ACTIONS),
  };
}

const ACTIONS = [
  'dashboards:read',
  'dashboards:create',
  'dashboards:write',
  'dashboards:delete',
  'dashboards.permissions:read',
  'dashboards.permissions:write',
  'annotations:read',
  'annotations:create',
  'annotations:write',
  'annotations:delete',
];

function rightsOf(call: LegacyCall, dashboard: Dashboard): Readonly<Record<string, unknown>> {
  const may = (action: string): boolean => call.objects('dashboard/Dashboard').may(action, dashboard);
  const canSave = may('dashboards:write');
  return {
    canSave,
    canEdit: canSave,
    canAdmin: may('dashboards.permissions:read') && may('dashboards.permissions:write'),
    canDelete: may('dashboards:delete'),
    canStar: isUser(call.user, call.user.uid),
    annotationsPermissions: { dashboard: annotationRights(call, dashboard), organization: annotationRights(call) },
  };
}

/**
 * What the caller may do with annotations of the dashboard, or with those of the organization. A permission on a
 * dashboard gives nothing on the latter.
 */
function annotationRights(call: LegacyCall, dashboard?: Dashboard): Readonly<Record<string, boolean>> {
  const annotations = call.hasKind('annotation/Annotation') ? call.objects('annotation/Annotation') : undefined;
  const may = (action: string): boolean =>
    annotations?.may(action, annotationOn(annotations.kind, annotations.namespace, dashboard)) === true;
  return {
    canAdd: may('annotations:create'),
    canEdit: may('annotations:write'),
    canDelete: may('annotations:delete'),
  };
}

function annotationOn({ apiVersion, kind, domain }: Kind, namespace: string, dashboard?: Dashboard): KubeObject {
  if (dashboard === undefined) return { apiVersion, kind, metadata: { name: '', namespace } };
  const { name, uid = '' } = dashboard.metadata;
  const metadata = { name: '', namespace, annotations: { [`${domain}/${DASHBOARD}`]: uid } };
  return { apiVersion, kind, metadata, spec: { dashboardUID: name } };
}

/** The folder of a dashboard, for clients that need its title. The root has no uid. */
function folderMeta(call: LegacyCall, dashboard: Dashboard): Readonly<Record<string, unknown>> {
  const folders = call.objects<FolderSpec>('folder/Folder');
  const folderUid = folderOf(dashboard, folders.kind.domain);
  const folder: Folder | undefined = folderUid === undefined ? undefined : folders.find(folderUid);
  if (folder === undefined) return { folderId: 0, folderUid: '', folderTitle: 'General', folderUrl: '' };
  if (!folders.may('folders:read', folder)) {
    return { folderId: 0, folderUid, folderTitle: REDACTED.title, folderUrl: '' };
  }
  return {
    folderId: folders.idOf(folder),
    folderUid,
    folderTitle: folder.spec?.title ?? '',
    folderUrl: folderUrl(folder),
  };
}
