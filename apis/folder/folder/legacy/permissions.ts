import { z } from 'zod';
import { arrayOf } from '../../../../pkg/meta/bounded.js';
import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { slug } from '../../../iam/legacy/formats.js';
import type { BindingSubject } from '../../../iam/rolebinding/schema.js';
import {
  administeredFolder,
  bindingsOf,
  type DesiredPermission,
  type FolderBinding,
  LEVELS,
  readableFolder,
  setPermissions,
} from './bindings.js';
import { folderUrl } from './dto.js';
import { FALLBACK, FOLDER_ERRORS, noMember } from './errors.js';
import { personSubject, roleSubject, subjectDto, teamSubject } from './subjects.js';

/** Folder permissions by their numbers in the legacy API: 1, 2 and 4. */
const BY_NUMBER = new Map(LEVELS.map((level, index) => [2 ** index, level]));

/** The fields that name the subject of a permission. The field for a role is not here: each route has another name for it. */
export const WHO = {
  userId: z.int().nullish(),
  userUid: z.string().nullish(),
  teamId: z.int().nullish(),
  teamUid: z.string().nullish(),
};
const Item = z.object({ ...WHO, role: z.string().nullish(), permission: z.int() });

/** The most permissions that one request may set. */
export const MOST_ITEMS = 1000;
const ItemsBody = z.object({ items: arrayOf(Item, MOST_ITEMS) });

/** `/api/folders/:uid/permissions`. A folder permission is a RoleBinding whose scope is a folder. */
export function permissionRoutes(environment: KindEnvironment): readonly LegacyRoute[] {
  const errors = [...FOLDER_ERRORS.filter(({ reason }) => reason === 'NotFound'), noMember(400)];
  return routes(
    { errors, fallback: FALLBACK },
    {
      'GET /folders/:uid/permissions': (call) => {
        const all = [...bindingsOf(call, readableFolder(call), environment)];
        return ok(all.map((one) => permissionDto(call, one)));
      },
      'POST /folders/:uid/permissions': async (call) => {
        const folder = administeredFolder(call);
        await setPermissions(call, folder, desiredPermissions(call), true);
        const id = call.objects('Folder').idOf(folder);
        return done('Folder permissions updated', { id, title: folder.spec?.title });
      },
    },
  );
}

function desiredPermissions(call: LegacyCall): readonly DesiredPermission[] {
  const permissions = call.body(ItemsBody).items.map((item): DesiredPermission => {
    const level = BY_NUMBER.get(item.permission);
    if (level === undefined) throw plainFailure(400, 'invalid permission');
    return { subject: subjectOf(call, item), level };
  });
  return distinct(permissions);
}

/** Throws 400 if a subject is named twice. */
export function distinct(permissions: readonly DesiredPermission[]): readonly DesiredPermission[] {
  const subjects = new Set(permissions.map(({ subject }) => `${subject.kind}/${subject.name}`));
  if (subjects.size < permissions.length) throw plainFailure(400, 'a user, team or role has more than one permission');
  return permissions;
}

/** The subject of a permission: exactly one of these fields is set. */
export interface Named {
  readonly userId?: number | null | undefined;
  readonly userUid?: string | null | undefined;
  readonly teamId?: number | null | undefined;
  readonly teamUid?: string | null | undefined;
  readonly role?: string | null | undefined;
}

export function subjectOf(call: LegacyCall, { userId, userUid, teamId, teamUid, role }: Named): BindingSubject {
  const user = userUid || userId || undefined;
  const team = teamUid || teamId || undefined;
  if ([user, team, role || undefined].filter((one) => one !== undefined).length !== 1) throw badRequestData();
  if (user !== undefined) return personSubject(call, user, 400);
  return team !== undefined ? teamSubject(call, team, 400) : roleSubject(role ?? '');
}

function permissionDto(call: LegacyCall, { folder, binding: { metadata, spec }, inherited }: FolderBinding): unknown {
  const title = folder.spec?.title ?? '';
  const [permission = 0] = [...BY_NUMBER].find(([, level]) => level === spec.roleRef.name) ?? [];
  return {
    uid: folder.metadata.name,
    folderId: call.objects('Folder').idOf(folder),
    created: metadata.creationTimestamp,
    updated: metadata.creationTimestamp,
    ...subjectDto(call, spec.subject),
    permission,
    permissionName: spec.roleRef.name,
    title,
    slug: slug(title),
    isFolder: true,
    url: folderUrl(folder),
    inherited,
  };
}
