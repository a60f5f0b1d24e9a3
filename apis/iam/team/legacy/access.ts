import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { type ErrorRule, plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { PERMISSIONS, PERMISSIONS_DESCRIPTION } from '../../legacy/answers.js';
import { avatarUrl } from '../../legacy/formats.js';
import { userById, userOfPath } from '../../legacy/people.js';
import { PERMISSION_ANSWERED } from '../../rolebinding/legacy/place.js';
import { TEAM_SETS } from '../access.js';
import { teamOfPath } from './lookup.js';
import { managed, membersOf, NO_MEMBER, type Permission, setMembers, type TeamMember } from './members.js';
import { TEAM_NOTES } from './notes.js';

/** The names of the permissions of members in this API. */
const LEVELS: Readonly<Record<Permission, string>> = { member: 'Member', admin: 'Admin' };
const LEVEL_OF = new Map<string, Permission | ''>([
  ['', ''],
  ['Member', 'member'],
  ['Admin', 'admin'],
]);

/** Tells clients which subjects can have permissions, and which permissions there are. */
const DESCRIPTION = {
  assignments: { users: true, serviceAccounts: false, teams: false, builtInRoles: false },
  permissions: Object.values(LEVELS),
};

const ERRORS: readonly ErrorRule[] = [NO_MEMBER, { code: 404, status: 404, body: { message: 'Team not found' } }];

/** Some clients leave out empty values, so an absent permission is an empty one. */
const Name = z.string().nullish().describe('Member or Admin. Empty: the user is no member any more.');
const OneBody = z.object({ permission: Name });
const MOST_ITEMS = 1000;
const Item = z.object({ userId: z.int(), permission: Name });
const ManyBody = z.object({ permissions: arrayOf(Item, MOST_ITEMS) });

/**
 * `/api/access-control/teams`: the members of teams with their permissions by name. An empty permission ends the
 * membership.
 */
export function teamAccessRoutes(): readonly LegacyRoute[] {
  const list: LegacyHandler = (call) => ok(membersOf(call, teamOfPath(call, 'get')).map((member) => dto(call, member)));
  const setOne: LegacyHandler = async (call) => {
    const team = managed(call, 'update');
    const permission = permissionOf(call.body(OneBody).permission ?? '');
    const { metadata } = userOfPath(call, 'userId');
    await setMembers(call, team, new Map([[metadata.name, permission]]), false);
    return done(permission === '' ? 'Permission removed' : 'Permission updated');
  };
  const setMany: LegacyHandler = async (call) => {
    const team = managed(call, 'update');
    // Clients send the removals first, and then what is new: the last item of a user counts.
    const wanted = call.body(ManyBody).permissions.map(({ userId, permission }) => {
      return [userById(call, userId).metadata.name, permissionOf(permission ?? '')] as const;
    });
    await setMembers(call, team, new Map(wanted), false);
    return done('Permissions updated');
  };
  return routes(
    { notes: TEAM_NOTES, errors: ERRORS, fallback: 'Failed to update team', answerMembers: PERMISSION_ANSWERED },
    {
      'GET /access-control/teams/description': {
        single: true,
        answer: PERMISSIONS_DESCRIPTION,
        summary: 'Tells which permissions members of teams can have',
        handle: () => ok(DESCRIPTION),
      },
      'GET /access-control/teams/:teamId': {
        answer: PERMISSIONS,
        summary: 'Lists the permissions of the members of a team',
        handle: list,
      },
      'POST /access-control/teams/:teamId': {
        summary: 'Changes the permissions of several members of a team',
        body: ManyBody,
        handle: setMany,
      },
      'POST /access-control/teams/:teamId/users/:userId': {
        summary: 'Changes the permission of a member of a team by name',
        body: OneBody,
        handle: setOne,
      },
    },
  );
}

function permissionOf(text: string): Permission | '' {
  const permission = LEVEL_OF.get(text);
  if (permission === undefined) throw plainFailure(400, 'invalid permission');
  return permission;
}

function dto(
  call: LegacyCall,
  { user: { metadata, spec: user }, spec }: TeamMember,
): Readonly<Record<string, unknown>> {
  const userId = call.objects('iam/User').idOf({ metadata } as TeamMember['user']);
  return {
    roleName: `managed:users:${userId}:permissions`,
    isManaged: true,
    isInherited: false,
    isServiceAccount: false,
    userId,
    userUid: metadata.name,
    userLogin: user.login,
    userAvatarUrl: avatarUrl(user.email),
    actions: TEAM_SETS[spec.permission],
    permission: LEVELS[spec.permission],
  };
}
