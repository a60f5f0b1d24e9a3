import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { PERMISSIONS, PERMISSIONS_DESCRIPTION } from '../../legacy/answers.js';
import type { BindingSubject } from '../schema.js';
import { bindingsOf, type PlacedBinding, permittedObject, setPermissions } from './bindings.js';
import { PERMISSION_NOTES } from './notes.js';
import { MOST_ITEMS, noMember, subjectOf, WHO } from './permissions.js';
import type { BindingTarget } from './place.js';
import { PERMISSION_ANSWERED } from './place.js';
import type { DesiredPermission } from './role-levels.js';
import { accessSubjectDto, personSubject, referenceIn, roleSubject, teamSubject } from './subjects.js';

/** Which subjects can have permissions. */
const ASSIGNMENTS = { users: true, serviceAccounts: true, teams: true, builtInRoles: true };

/** Some clients leave out empty values, so an absent permission is an empty one. */
const Permission = z.string().nullish().describe('A name such as View; `GET …/description` lists them. Empty: none.');
const OneBody = z.object({ permission: Permission });
const Item = z.object({ ...WHO, builtInRole: z.string().nullish(), permission: Permission });
const ManyBody = z.object({ permissions: arrayOf(Item, MOST_ITEMS) });

/**
 * `/api/access-control/folders`, and the same for dashboards and service accounts: permissions by name, changed one by
 * one. An empty permission removes it.
 */
export function accessControlRoutes(place: BindingTarget): readonly LegacyRoute[] {
  const describe: LegacyHandler = (call) => {
    requireAction(call.objects(place.kind), `${place.plural}:read`);
    return ok({ assignments: ASSIGNMENTS, permissions: Object.keys(place.sets) });
  };
  const list: LegacyHandler = (call) => {
    const all = [...bindingsOf(call, place, permittedObject(call, place, 'read'))];
    return ok(all.map((item) => permissionDto(call, place, item)));
  };
  const setMany: LegacyHandler = async (call) => {
    const object = permittedObject(call, place, 'write');
    await setPermissions(call, place, object, desiredPermissions(call, place), false);
    return done('Permissions updated');
  };
  const setOne =
    (subjectOfPath: (call: LegacyCall) => BindingSubject): LegacyHandler =>
    async (call) => {
      const object = permittedObject(call, place, 'write');
      const level = levelOf(place, call.body(OneBody).permission ?? '');
      await setPermissions(call, place, object, [{ subject: subjectOfPath(call), level }], false);
      return done(level === '' ? 'Permission removed' : 'Permission updated');
    };
  const path = `/access-control/${place.plural}`;
  return routes(
    {
      notes: PERMISSION_NOTES,
      errors: [...place.errors, noMember(400)],
      fallback: place.fallback,
      answerMembers: PERMISSION_ANSWERED,
    },
    {
      [`GET ${path}/description`]: {
        single: true,
        answer: PERMISSIONS_DESCRIPTION,
        summary: 'Tells which permissions there are, and who can have them',
        handle: describe,
      },
      [`GET ${path}/:uid`]: {
        answer: PERMISSIONS,
        summary: 'Lists the permissions on an object by name',
        handle: list,
      },
      [`POST ${path}/:uid`]: { summary: 'Changes several permissions on an object', body: ManyBody, handle: setMany },
      [`POST ${path}/:uid/users/:userId`]: {
        summary: 'Changes the permission of a user on an object',
        body: OneBody,
        handle: setOne(personOfPath),
      },
      [`POST ${path}/:uid/teams/:teamId`]: {
        summary: 'Changes the permission of a team on an object',
        body: OneBody,
        handle: setOne(teamOfPath),
      },
      [`POST ${path}/:uid/builtInRoles/:role`]: {
        summary: 'Changes the permission of a role on an object',
        body: OneBody,
        handle: setOne((call) => roleSubject(call.param('role'))),
      },
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

function levelOf({ sets }: BindingTarget, permission: string): string {
  if (permission !== '' && !Object.hasOwn(sets, permission)) throw plainFailure(400, 'invalid permission');
  return permission;
}

function desiredPermissions(call: LegacyCall, place: BindingTarget): readonly DesiredPermission[] {
  const bySubject = new Map<string, DesiredPermission>();
  // Clients send the removals first, and then what is new: the last item of a subject counts.
  for (const { builtInRole, permission, ...named } of call.body(ManyBody).permissions) {
    const subject = subjectOf(call, { ...named, role: builtInRole });
    bySubject.set(`${subject.kind}/${subject.name}`, { level: levelOf(place, permission ?? ''), subject });
  }
  return [...bySubject.values()];
}

function permissionDto(
  call: LegacyCall,
  place: BindingTarget,
  { binding: { spec }, inherited }: PlacedBinding,
): unknown {
  const { name: permission } = spec.roleRef;
  return {
    ...accessSubjectDto(call, spec.subject),
    isManaged: true,
    isInherited: inherited,
    actions: place.sets[permission] ?? [],
    permission,
  };
}
