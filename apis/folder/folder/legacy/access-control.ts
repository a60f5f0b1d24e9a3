import { z } from 'zod';
import { arrayOf } from '../../../../pkg/meta/bounded.js';
import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { FOLDER_SETS } from '../../../authorization/roles.js';
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
import { FALLBACK, FOLDER_ERRORS, noMember } from './errors.js';
import { distinct, MOST_ITEMS, subjectOf, WHO } from './permissions.js';
import { accessSubjectDto, personSubject, referenceIn, roleSubject, teamSubject } from './subjects.js';

/** Tells clients which subjects can have permissions, and which permissions there are. */
const DESCRIPTION = {
  assignments: { users: true, serviceAccounts: true, teams: true, builtInRoles: true },
  permissions: LEVELS,
};

/** Clients that leave out empty values send no empty permission. */
const OneBody = z.object({ permission: z.string().nullish() });
const Item = z.object({ ...WHO, builtInRole: z.string().nullish(), permission: z.string() });
const ManyBody = z.object({ permissions: arrayOf(Item, MOST_ITEMS) });

/** `/api/access-control/folders`: folder permissions by name, changed one by one. An empty permission removes it. */
export function accessControlRoutes(environment: KindEnvironment): readonly LegacyRoute[] {
  const errors = FOLDER_ERRORS.filter(({ reason }) => reason === 'NotFound');
  const describe: LegacyHandler = (call) => {
    requireAction(call.objects('Folder'), 'folders:read');
    return ok(DESCRIPTION);
  };
  const list: LegacyHandler = (call) => {
    const all = [...bindingsOf(call, readableFolder(call), environment)];
    return ok(all.map((one) => permissionDto(call, one)));
  };
  const setMany: LegacyHandler = async (call) => {
    const folder = administeredFolder(call);
    await setPermissions(call, folder, desiredPermissions(call), false);
    return done('Permissions updated');
  };
  const setOne =
    (subjectOfPath: (call: LegacyCall) => BindingSubject): LegacyHandler =>
    async (call) => {
      const folder = administeredFolder(call);
      const level = levelOf(call.body(OneBody).permission ?? '');
      await setPermissions(call, folder, [{ subject: subjectOfPath(call), level }], false);
      return done(level === '' ? 'Permission removed' : 'Permission updated');
    };
  const path = '/access-control/folders';
  return routes(
    { errors: [...errors, noMember(400)], fallback: FALLBACK },
    {
      [`GET ${path}/description`]: describe,
      [`GET ${path}/:uid`]: list,
      [`POST ${path}/:uid`]: setMany,
      [`POST ${path}/:uid/users/:userId`]: setOne(personOfPath),
      [`POST ${path}/:uid/teams/:teamId`]: setOne(teamOfPath),
      [`POST ${path}/:uid/builtInRoles/:role`]: setOne((call) => roleSubject(call.param('role'))),
    },
  );
}

function personOfPath(call: LegacyCall): BindingSubject {
  const path = call.param('userId');
  const user = referenceIn(call, path, 'User');
  return personSubject(call, typeof user === 'number' ? user : referenceIn(call, path, 'ServiceAccount'), 400);
}

function teamOfPath(call: LegacyCall): BindingSubject {
  return teamSubject(call, referenceIn(call, call.param('teamId'), 'Team'), 404);
}

function levelOf(permission: string): string {
  if (permission !== '' && !LEVELS.includes(permission)) throw plainFailure(400, 'invalid permission');
  return permission;
}

function desiredPermissions(call: LegacyCall): readonly DesiredPermission[] {
  const items = call.body(ManyBody).permissions;
  return distinct(
    items.map(({ builtInRole, permission, ...named }) => ({
      level: levelOf(permission),
      subject: subjectOf(call, { ...named, role: builtInRole }),
    })),
  );
}

function permissionDto(call: LegacyCall, { binding: { spec }, inherited }: FolderBinding): unknown {
  const { name: permission } = spec.roleRef;
  return {
    ...accessSubjectDto(call, spec.subject),
    isManaged: true,
    isInherited: inherited,
    actions: FOLDER_SETS[permission] ?? [],
    permission,
  };
}
