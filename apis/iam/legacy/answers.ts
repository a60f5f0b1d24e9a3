import { z } from 'zod';
import { answer, doneWith, listOf } from '../../../registry/legacy/answers.js';

/** `GET …/description` of the permissions on a kind of objects. */
export const PERMISSIONS_DESCRIPTION = answer('PermissionsDescription', 'Which permissions there are.', () => ({
  assignments: z
    .object({ users: z.boolean(), serviceAccounts: z.boolean(), teams: z.boolean(), builtInRoles: z.boolean() })
    .describe('Who can have them.'),
  permissions: z.array(z.string()).describe('The texts that requests send.'),
}));

/** The permissions on an object, one for each user, team and basic role. */
export const PERMISSIONS = listOf(
  answer('ObjectPermission', 'A permission on an object. It names a user, a team or a basic role.', () => ({
    roleName: z.string(),
    isManaged: z.boolean().describe('Whether this route can change it.'),
    isInherited: z.boolean().describe('Whether it comes from a folder above.'),
    isServiceAccount: z.boolean(),
    userId: z.int().optional(),
    userUid: z.string().optional(),
    userLogin: z.string().optional(),
    userAvatarUrl: z.string().optional(),
    teamId: z.int().optional(),
    teamUid: z.string().optional(),
    team: z.string().optional(),
    teamAvatarUrl: z.string().optional(),
    builtInRole: z.string().optional(),
    actions: z.array(z.string()),
    permission: z.string(),
  })),
);

/** What the numbers of permissions on folders and dashboards mean. */
export const NUMBERS = '1 is View, 2 is Edit, and 4 is Admin.';

/** The same in the older form, with numbers. */
export const NUMBERED_PERMISSIONS = listOf(
  answer('NumberedPermission', 'A permission on a folder or dashboard, as a number.', () => ({
    uid: z.string(),
    dashboardId: z.int().optional(),
    folderId: z.int().optional(),
    title: z.string(),
    slug: z.string().optional(),
    isFolder: z.boolean(),
    url: z.string().optional(),
    created: z.string(),
    updated: z.string(),
    userId: z.int(),
    userUid: z.string(),
    userLogin: z.string(),
    userEmail: z.string(),
    userAvatarUrl: z.string(),
    isServiceAccount: z.boolean().optional(),
    teamId: z.int(),
    teamUid: z.string(),
    team: z.string(),
    teamEmail: z.string(),
    teamAvatarUrl: z.string().optional(),
    role: z.string().optional(),
    permission: z.int().describe(NUMBERS),
    permissionName: z.string(),
    inherited: z.boolean(),
  })),
);

/** Those of a folder are answered with what they are on. */
export const PERMISSIONS_REPLACED = doneWith(() => ({ id: z.int().optional(), title: z.string().optional() }));

/** The organization of a membership, and the role in it. */
export const MEMBERSHIPS = listOf(
  answer('Membership', 'An organization in which a user is a member.', () => ({
    orgId: z.int(),
    name: z.string(),
    role: z.string(),
  })),
);
