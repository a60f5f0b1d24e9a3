import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure } from '../../../../registry/legacy/errors.js';
import { ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { NUMBERED_PERMISSIONS, NUMBERS, PERMISSIONS_REPLACED } from '../../legacy/answers.js';
import type { BindingSubject } from '../schema.js';
import { bindingsOf, type PlacedBinding, permittedObject, setPermissions } from './bindings.js';
import { PERMISSION_NOTES } from './notes.js';
import { type ListedPlace, PERMISSION_ANSWERED } from './place.js';
import { type DesiredPermission, LEVEL_BY_NUMBER } from './role-levels.js';
import { personSubject, roleSubject, subjectDto, teamSubject } from './subjects.js';

/**
 * The fields that name the subject of a permission. The field for a role is not here: each route has another name for
 * it.
 */
export const WHO = {
  userId: z.int().nullish(),
  userUid: z.string().nullish(),
  teamId: z.int().nullish(),
  teamUid: z.string().nullish(),
};
const Item = z.object({ ...WHO, role: z.string().nullish(), permission: z.int().describe(NUMBERS) });

/** The most permissions that one request may set. */
export const MOST_ITEMS = 1000;
const ItemsBody = z.object({ items: arrayOf(Item, MOST_ITEMS) });

/**
 * Users of other organizations are answered like unknown users. So are users and service accounts that somebody deletes
 * at the same time.
 */
export const noMember = (status: number): ErrorRule => ({
  field: 'spec.subject.name',
  cause: 'FieldValueNotFound',
  says: /in (organizationbindings|serviceaccounts)\./,
  status,
  body: { message: 'user not found' },
});

/** Another path of the same permissions, which names the object in another way. */
export interface OtherPath {
  readonly path: string;
  /** The uid of the object. */
  readonly nameOf: (call: LegacyCall) => string;
}

/** `/api/folders/:uid/permissions`. */
export function permissionRoutes(place: ListedPlace, ...others: readonly OtherPath[]): readonly LegacyRoute[] {
  const paths = [{ path: place.path, nameOf: (call: LegacyCall) => call.param('uid') }, ...others];
  return paths.flatMap((path) => routesOn(place, path));
}

function routesOn(place: ListedPlace, { path, nameOf }: OtherPath): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => {
    const all = [...bindingsOf(call, place, permittedObject(call, place, 'read', nameOf(call)))];
    return ok(all.map((item) => permissionDto(call, item)));
  };
  const replace: LegacyHandler = async (call) => {
    const object = permittedObject(call, place, 'write', nameOf(call));
    await setPermissions(call, place, object, desiredPermissions(call), true);
    return ok(place.updated(call, object));
  };
  return routes(
    {
      notes: PERMISSION_NOTES,
      errors: [...place.errors, noMember(400)],
      fallback: place.fallback,
      answerMembers: PERMISSION_ANSWERED,
    },
    {
      [`GET ${path}`]: { answer: NUMBERED_PERMISSIONS, summary: 'Lists the permissions on an object', handle: list },
      [`POST ${path}`]: {
        answer: PERMISSIONS_REPLACED,
        summary: 'Replaces the permissions on an object',
        body: ItemsBody,
        handle: replace,
      },
    },
  );
}

function desiredPermissions(call: LegacyCall): readonly DesiredPermission[] {
  const permissions = call.body(ItemsBody).items.map((item): DesiredPermission => {
    const level = LEVEL_BY_NUMBER.get(item.permission);
    if (level === undefined) throw plainFailure(400, 'invalid permission');
    return { subject: subjectOf(call, item), level };
  });
  return distinct(permissions);
}

/** Throws 400 if a subject is named twice. */
function distinct(permissions: readonly DesiredPermission[]): readonly DesiredPermission[] {
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
  if ([user, team, role || undefined].filter((item) => item !== undefined).length !== 1)
    throw badRequestData(undefined, 'each item names one of userId, userUid, teamId, teamUid and a role');
  if (user !== undefined) return personSubject(call, user, 400);
  return team !== undefined ? teamSubject(call, team, 400) : roleSubject(role ?? '');
}

function permissionDto(call: LegacyCall, { place, object, binding, inherited }: PlacedBinding): unknown {
  const { metadata, spec } = binding;
  const [permission = 0] = [...LEVEL_BY_NUMBER].find(([, level]) => level === spec.roleRef.name) ?? [];
  return {
    ...place.fields?.(call, object),
    created: metadata.creationTimestamp,
    updated: metadata.creationTimestamp,
    ...subjectDto(call, spec.subject),
    permission,
    permissionName: spec.roleRef.name,
    inherited,
  };
}
